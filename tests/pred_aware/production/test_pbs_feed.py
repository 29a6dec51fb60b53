import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from alembic import command as alembic
from alembic.config import Config
from sqlalchemy import create_engine, text

from pred_aware.production import opening
from pred_aware.production.learner import predictor_of
from pred_aware.production.pbs_feed import PbsFeed
from pred_aware.production.service import Service
from pred_aware.production.store import JobDatabase


def record(number: int, *, kind: str = "E") -> str:
    return (
        f"03/01/2024 11:00:00;{kind};{number}.srv;user=ann queue=q ctime={number} start=1000 "
        "end=1060 Resource_List.ncpus=2 Resource_List.walltime=01:00:00 Exit_status=0 "
        "resources_used.walltime=00:01:00\n"
    )


def follow(folder: Path, store: JobDatabase) -> list[str]:
    """Read all that there is; return the ids that are in the store."""
    feed = PbsFeed(folder)
    while (read := feed.read(store.positions(feed.name))) is not None:
        store.add(read.jobs, position=read.position)
        if not read.more:
            break
    return [job.id for job in store.jobs()]


def test_a_growing_file_is_read_on_and_a_partial_line_waits(tmp_path: Path) -> None:
    day = tmp_path / "20240301"
    cut = record(3)
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert follow(tmp_path, store) == []
        day.write_text(record(1) + record(1, kind="S") + record(2) + cut[:50])
        assert follow(tmp_path, store) == ["1.srv", "2.srv"]
    with JobDatabase(tmp_path / "jobs.db") as again, day.open("a") as file:
        file.write(cut[50:])
        file.flush()
        assert follow(tmp_path, again) == ["1.srv", "2.srv", "3.srv"]


def test_the_next_day_is_read_after_the_previous_one(tmp_path: Path) -> None:
    (tmp_path / "20240301").write_text(record(1))
    (tmp_path / "20240302").write_text(record(2))
    (tmp_path / "notes").write_text(record(9))
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert follow(tmp_path, store) == ["1.srv", "2.srv"]
        (tmp_path / "20240303").write_text(record(2) + "no record\n\n" + record(3))
        assert follow(tmp_path, store) == ["1.srv", "2.srv", "3.srv"]


def test_a_file_with_a_future_date_does_not_end_the_current_one(tmp_path: Path) -> None:
    (day := tmp_path / "20240301").write_text(record(1))
    with JobDatabase(tmp_path / "jobs.db") as store:
        (tmp_path / "20991231").touch()
        assert follow(tmp_path, store) == ["1.srv"]
        (tmp_path / "20991231").write_text(record(2))
        assert follow(tmp_path, store) == ["1.srv", "2.srv"]
        day.write_text(record(1) + record(3))
        (tmp_path / "20240302").write_text(record(4))
        assert follow(tmp_path, store) == ["1.srv", "2.srv", "3.srv", "4.srv"]


def test_an_unreadable_file_does_not_block_the_others(tmp_path: Path) -> None:
    (tmp_path / "20240301").symlink_to("20240301")
    (tmp_path / "20240302").write_text(record(2))
    with JobDatabase(tmp_path / "jobs.db") as store:
        feed = PbsFeed(tmp_path)
        read = feed.read({})
        assert read is not None
        assert [job.id for job in store.add(read.jobs, position=read.position)] == ["2.srv"]
        positions = store.positions(feed.name)
        # the round is over, and the next one gets its position
        assert feed.read(positions) is None
        with pytest.raises(OSError, match="20240301"):
            feed.read(positions)


def test_the_service_learns_the_jobs_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "20240301").write_text("".join(map(record, range(1, 40))))

    async def run() -> int:
        with JobDatabase(tmp_path / "jobs.db") as store:
            service = Service(store, predictor_of("pbs_v1"), deadline=5.0)
            following = asyncio.create_task(service.follow(PbsFeed(tmp_path)))
            async with asyncio.timeout(20):
                while service.health()["learned"] < 39:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
            await service.stop([])
            learned: int = service.health()["learned"]
        return learned

    assert asyncio.run(run()) == 39


def older_store(
    path: Path, version: str, *, job: int, end: int, position: tuple[str, int] | None = None
) -> None:
    """Make a store of an older schema, with a job, and where the feed of its folder was."""
    config = Config()
    config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.upgrade(config, version)
        connection.execute(text(
            "INSERT INTO ended_jobs (id, submit_time, end_time, run_time, processors, killed) "
            "VALUES (:id, :job, :end, 60, 2, 0)"
        ), {"id": f"{job}.srv", "job": job, "end": end})  # fmt: skip
        if position is not None:
            file, offset = position
            connection.execute(
                text("INSERT INTO feed_positions VALUES (:feed, :file, :offset)"),
                {"feed": str(path.parent), "file": file, "offset": offset},
            )
    engine.dispose()


def test_a_store_of_the_first_schema_gets_the_newest_and_keeps_its_jobs(tmp_path: Path) -> None:
    older_store(path := tmp_path / "jobs.db", "v0001", job=7, end=67)
    with JobDatabase(path) as store:
        assert [job.id for job in store.jobs()] == ["7.srv"]
        assert store.positions("none") == {}


def test_records_read_by_an_older_version_are_not_read_again(tmp_path: Path) -> None:
    # 1 was read and is forgotten, 2 was read
    (tmp_path / "20240301").write_text(record(1))
    (tmp_path / "20240302").write_text(record(2) + record(3))
    read_to = ("20240302", len(record(2)))
    older_store(tmp_path / "jobs.db", "v0002", job=2, end=1060, position=read_to)
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert sorted(follow(tmp_path, store)) == ["2.srv", "3.srv"]


def test_positions_of_an_older_version_at_a_future_day_resume_at_its_last_job(
    tmp_path: Path,
) -> None:
    # 0 was read and is forgotten, 1 was read, 2 came after the file of 2099
    for day, numbers in (("20240227", [0]), ("20240301", [1, 2]), ("20991231", [])):
        (tmp_path / day).write_text("".join(map(record, numbers)))
    position = ("20991231", 0)
    older_store(tmp_path / "jobs.db", "v0002", job=1, end=1709290800, position=position)
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert sorted(follow(tmp_path, store)) == ["1.srv", "2.srv"]
