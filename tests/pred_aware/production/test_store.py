import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from pred_aware.production import opening
from pred_aware.production.errors import JobStoreError
from pred_aware.production.store import JobDatabase, StoreContents
from tests.pred_aware.command import python
from tests.pred_aware.production.jobs import ended

WRITERS = Path(__file__).with_name("killed_writers.py")


def test_a_stored_job_is_returned_unchanged_and_only_once(store_name: str) -> None:
    job = ended("7[3].srv", group="g", queue="q", project="p", partition="x", executable="e",
                name="n", qos="high", nodes=2, gpus=1, memory=1.5, soft_walltime=90.0, status=0,
                state="exit 1", submit_time=1709280000.25)  # fmt: skip
    with JobDatabase(store_name) as store:
        assert (store.add([job, job]), store.add([job])) == ([job], [])
    with JobDatabase(store_name, create=False) as again:
        assert list(again.jobs()) == [job]


def test_jobs_are_sorted_by_end_and_ties_keep_their_order(store_name: str) -> None:
    with JobDatabase(store_name) as store:
        store.add([ended("late", run_time=500.0), ended("b"), ended("a")])
        store.add([ended("early", run_time=1.0)])
        assert [job.id for job in store.jobs()] == ["early", "b", "a", "late"]
        # ids that start again are other jobs
        store.add([ended("a", 900.0, user="bob")])
        assert [job.user for job in store.jobs() if job.id == "a"] == ["ann", "bob"]


def test_names_with_sql_are_stored_unchanged(store_name: str) -> None:
    names = ["o'hara", 'x"; DROP TABLE ended_jobs; --', "%s :user ?", "a\0b", "caf\udce9", "日本"]
    with JobDatabase(store_name) as store:
        store.add([ended(str(n), user=user) for n, user in enumerate(names)])
        kept = [*names[:3], "a\\x00b", "caf\\udce9", "日本"]
        assert [job.user for job in store.jobs()] == kept
        assert [store.forget(user) for user in kept] == [1] * len(kept)


def test_a_killed_job_is_stored_as_killed(store_name: str) -> None:
    with JobDatabase(store_name) as store:
        store.add([
            ended("1", state="exit -29", status=0), ended("2", state="TIMEOUT"),
            ended("3", status=0, run_time=600.0), ended("4", status=1, run_time=600.0),
        ])  # fmt: skip
        assert store.contents() == StoreContents(4, 1, 3, 165.0, 705.0)


def test_old_jobs_are_removed_by_age_and_by_number_for_each_user(store_name: str) -> None:
    with JobDatabase(store_name) as store:
        store.add([ended(f"a{n}", float(n)) for n in range(5)] + [ended("b", 3.0, user="bob")])
        assert store.prune(ended_before=66.0) == 1
        assert store.prune(jobs_a_user=2) == 2
        assert [job.id for job in store.jobs()] == ["a3", "b", "a4"]


def test_the_file_keeps_nothing_of_a_forgotten_user(tmp_path: Path) -> None:
    with JobDatabase(tmp_path / "jobs.db") as store:
        store.add([ended(str(n), user="mallory-secret") for n in range(50)] + [ended("x")])
        assert store.forget("mallory-secret") == 50
        for file in tmp_path.iterdir():
            assert b"mallory-secret" not in file.read_bytes()


def test_names_kept_in_files_by_a_reader_are_reported_and_removed_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.1)
    with JobDatabase(tmp_path / "jobs.db") as store:
        store.add([ended(str(n), user="mallory-secret") for n in range(7)])
        with closing(sqlite3.connect(store.place, isolation_level=None)) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM ended_jobs").fetchall()
            with pytest.raises(
                JobStoreError, match="7 jobs removed, but another process reads the store"
            ):
                store.forget("mallory-secret")
        assert store.forget("mallory-secret") == 0
        for file in tmp_path.iterdir():
            assert b"mallory-secret" not in file.read_bytes()


def test_a_store_that_is_pruned_gets_smaller(tmp_path: Path) -> None:
    with JobDatabase(path := tmp_path / "jobs.db") as store:
        store.add([ended(str(n), name="x" * 1000) for n in range(400)])
        store.prune(ended_before=0.0)
        before = path.stat().st_size
        assert store.prune(jobs_a_user=1) == 399
        assert path.stat().st_size < before / 4


def test_numbers_that_the_database_cannot_store_are_refused(store_name: str) -> None:
    refused = [("status", 2**31), ("status", -(10**20)), ("soft_walltime", 1e308)]
    with JobDatabase(store_name) as store:
        for field, value in (*refused, ("nodes", 10**20)):
            with pytest.raises(JobStoreError, match=f"job '1' cannot be stored: {field} is "):
                store.add([ended("1", **{field: value})])
        assert store.add([ended("2", status=2**31 - 1)])


def test_only_one_service_can_follow_a_feed_into_a_store(store_name: str) -> None:
    with JobDatabase(store_name) as second:
        with JobDatabase(store_name) as first:
            for _ in range(2):
                first.claim("a folder")
            second.claim("another folder")
            with pytest.raises(JobStoreError, match="another service already reads 'a folder'"):
                second.claim("a folder")
        second.claim("a folder")


def test_a_batch_is_stored_completely_or_not_at_all(store_name: str) -> None:
    with JobDatabase(store_name) as store:
        with pytest.raises(JobStoreError, match="job 'bad' cannot be stored: run_time is -5"):
            store.add([ended("good"), ended("bad", run_time=-5.0)])
        assert store.contents().jobs == 0


def test_concurrent_writers_of_the_same_jobs_store_each_once(store_name: str) -> None:
    jobs = [ended(str(number), float(number)) for number in range(40)]
    batches = [jobs[first : first + 20] for first in (0, 10, 20, 0)]

    def tell(batch: int) -> int:
        with JobDatabase(store_name) as store:
            return len(store.add(batches[batch]))

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(tell, range(4))) == 40


@pytest.mark.slow
def test_killed_writers_lose_no_acknowledged_job_and_store_none_twice(
    tmp_path: Path,
) -> None:
    found = kill_writers(tmp_path, 10)
    assert found["acknowledged"] > 100
    assert found["lost"] == found["twice"] == 0


@pytest.mark.large
def test_a_hundred_killed_writers_lose_no_acknowledged_job(tmp_path: Path) -> None:
    found = kill_writers(tmp_path, 100)
    assert found["acknowledged"] > 1000
    assert found["lost"] == found["twice"] == 0


def kill_writers(folder: Path, times: int) -> dict[str, int]:
    ran = python(WRITERS, folder / "jobs.db", times, cwd=WRITERS.parents[3])
    found: dict[str, int] = json.loads(ran.out)
    return found


def test_a_full_disk_gives_a_one_line_error_and_loses_nothing(tmp_path: Path) -> None:
    with JobDatabase(tmp_path / "jobs.db") as store:
        store.add([ended("first")])
        with store._engine.connect() as connection:  # noqa: SLF001 - SQLite's own limit
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        with pytest.raises(JobStoreError, match="full; free some space") as told:
            store.add([ended(str(n), name="x" * 500) for n in range(200)])
        assert "\n" not in str(told.value)
        assert [job.id for job in store.jobs()] == ["first"]


def test_a_store_with_a_newer_schema_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "jobs.db"
    JobDatabase(path).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = 'v9999'")
    before = path.read_bytes()
    with pytest.raises(
        JobStoreError, match=r"schema 'v9999'.*install the newer version that made it"
    ):
        JobDatabase(path)
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_store_is_reported_and_unchanged(tmp_path: Path) -> None:
    text, other = tmp_path / "jobs.txt", tmp_path / "other.db"
    text.write_text("no database at all\n" * 100)
    with closing(sqlite3.connect(other)) as database, database:
        database.execute("CREATE TABLE notes (text)")
    for path, reason in ((text, "it is not a store"), (other, "is a database, but not a store")):
        before = path.read_bytes()
        with pytest.raises(JobStoreError, match=reason):
            JobDatabase(path)
        assert path.read_bytes() == before
    with pytest.raises(JobStoreError, match="this store does not exist"):
        JobDatabase(tmp_path / "none.db", create=False)


def test_a_store_without_its_schema_name_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    with JobDatabase(path := tmp_path / "jobs.db") as store:
        store.add([ended("1")])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM alembic_version")
    for create in (True, False):
        with pytest.raises(JobStoreError, match="but no schema version"):
            JobDatabase(path, create=create)


def test_a_damaged_job_is_reported_with_its_id(tmp_path: Path) -> None:
    with JobDatabase(path := tmp_path / "jobs.db") as store:
        store.add([ended("7.srv")])
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE ended_jobs SET run_time = 'long'")
        with pytest.raises(
            JobStoreError, match=r"job '7.srv' .*is damaged: expected a number in run_time"
        ):
            list(store.jobs())


def test_only_the_user_can_read_the_store_and_sqlites_other_files(tmp_path: Path) -> None:
    with JobDatabase(tmp_path / "jobs.db") as store:
        store.add([ended("1")])
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_a_backup_made_during_writes_is_complete(tmp_path: Path) -> None:
    with JobDatabase(tmp_path / "jobs.db") as store, ThreadPoolExecutor(1) as thread:
        store.add([ended("first")])
        writing = thread.submit(lambda: [store.add([ended(str(n))]) for n in range(100)])
        copies = [tmp_path / f"copy{n}.db" for n in range(3)]
        for copy in copies:
            store.backup(copy)
        writing.result()
    numbers = []
    for copy in copies:
        with JobDatabase(copy, create=False) as copied:
            numbers.append(copied.contents().jobs)
    assert numbers == sorted(numbers)
    assert numbers[0] >= 1


def test_a_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    with JobDatabase(path := tmp_path / "jobs.db") as store:
        store.add([ended(str(n), name="x" * 500) for n in range(200)])
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 20000)
    (tmp_path / "copies").mkdir()
    with (
        JobDatabase(path) as store,
        pytest.raises(JobStoreError, match="the store cannot be used"),
    ):
        store.backup(tmp_path / "copies" / "copy.db")
    assert list((tmp_path / "copies").iterdir()) == []


def test_messages_do_not_show_the_password() -> None:
    for address in ("127.0.0.1:1", "host:xx"):
        with pytest.raises(JobStoreError, match=rf"ann:\*\*\*@{address}") as told:
            JobDatabase(f"postgresql://ann:secret@{address}/jobs")
        assert "secret" not in str(told.value)
