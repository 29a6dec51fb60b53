import subprocess
import sys
from pathlib import Path

import pytest

from pred_aware.production.store import JobDatabase
from tests.pred_aware.command import Command
from tests.pred_aware.production.jobs import ended

SWF = "; UnixStartTime: 1000000\n; MaxProcs: 8\n" + "".join(
    f"{n} {n * 10} 5 60 4 -1 -1 4 90 -1 1 {n % 2} 1 -1 1 -1 -1 -1\n" for n in range(1, 7)
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.swf"
    path.write_text(SWF)
    return path


def test_a_log_is_stored_once_and_exported_as_predict_reads_it(
    command: Command, tmp_path: Path, log: Path
) -> None:
    store, written = tmp_path / "jobs.db", tmp_path / "jobs.json"
    assert (
        command("service", "store", "add", store, log).out == "6 jobs added, 0 were already there\n"
    )
    assert (
        command("service", "store", "add", store, log).out == "0 jobs added, 6 were already there\n"
    )
    assert command("service", "store", "export", store, "-o", written).code == 0
    for one in (log, written):
        assert command("predict", one, "--predictor", "last_two", "--csv", f"{one}.csv").code == 0
    assert Path(f"{log}.csv").read_text() == Path(f"{written}.csv").read_text()
    told = command("predict", log, "--predictor", "last_two", "--history", written)
    assert told.code == 0


def test_jobs_are_removed_by_the_user_s_name_and_by_age(command: Command, tmp_path: Path) -> None:
    name = tmp_path / "jobs.db"
    with JobDatabase(name) as store:
        store.add([ended("1"), ended("2", user="o'hara")])
    assert (
        command("service", "store", "forget", name, "o'hara").out == "1 job of 'o'hara' removed\n"
    )
    assert command("service", "store", "prune", name, "--days", "365").out == "1 job removed\n"
    assert command("service", "store", "info", name, "--json").out.startswith(
        '{"jobs":0,"users":0,'
    )
    assert command("service", "store", "prune", name).err.startswith(
        "pred-aware: error: state what"
    )


def test_an_invalid_store_gives_a_one_line_error(
    command: Command, tmp_path: Path, log: Path
) -> None:
    name = tmp_path / "jobs.db"
    JobDatabase(name).close()
    for arguments in (
        ("info", log), ("info", tmp_path / "none.db"), ("info", "mysql://x/y"),
        ("info", "postgresql://u:pw@host:xx/x"), ("prune", name, "--jobs-a-user", "9" * 30),
        ("prune", name, "--days", "nan"),
    ):  # fmt: skip
        command("service", "store", *arguments).assert_refused()


def test_a_new_store_has_the_whole_log_or_is_not_created(
    command: Command, tmp_path: Path, log: Path
) -> None:
    log.write_text(SWF + "7 70 5 sixty 4\n")
    command("service", "service", "store", "add", tmp_path / "new.db", log).assert_refused()
    assert list(tmp_path.iterdir()) == [log]


@pytest.mark.slow
def test_a_full_disk_leaves_no_partial_store(tmp_path: Path, log: Path) -> None:
    log.write_text(SWF + "".join(f"{n} {n * 10} 5 60 4" + " 1" * 13 + "\n" for n in range(7, 2000)))
    command = 'ulimit -f 200 && exec "$@"'
    ran = subprocess.run(  # noqa: S603 - our own command
        ["/bin/sh", "-c", command, "sh", sys.executable, "-m", "pred_aware",
         "service", "store", "add", tmp_path / "new.db", log],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert f"{tmp_path / 'new.db'}: the store cannot be used" in ran.stderr
    assert list(tmp_path.iterdir()) == [log]
