"""Failures around a running service: its database, the clock, clients without permission."""

import grp
import itertools
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.production.errors import JobStoreError
from pred_aware.production.learner import predictor_of
from pred_aware.production.sockets import listen_at, listening_at
from pred_aware.production.store import JobDatabase
from tests.pred_aware.command import Command
from tests.pred_aware.production.jobs import ended, told_ended
from tests.pred_aware.production.postgresql import PostgreSQL, running_postgresql
from tests.pred_aware.production.serving import Serving
from tests.pred_aware.production.test_service import ANN, PREDICTORS, within_a_service


@pytest.fixture
def database() -> Iterator[PostgreSQL]:
    with running_postgresql() as server:
        yield server


@pytest.mark.slow
def test_a_database_failure_loses_no_estimate_and_no_acknowledged_job(
    database: PostgreSQL, tmp_path: Path
) -> None:
    first = [ended("1", run_time=100.0), ended("2", run_time=300.0)]
    later = ended("3", run_time=500.0)
    with Serving(tmp_path, "--store", database.url("postgres")) as serving:
        assert serving.ask(told_ended(*first)) == {"new": 2}
        database.die()
        assert serving.ask(ANN) == {"estimate": 200.0}
        assert "the store cannot be used" in serving.ask(told_ended(later))["error"]
        assert serving.ask(ANN) == {"estimate": 200.0}
        database.start()
        # a client that got an error sends the job again
        assert serving.ask(told_ended(*first, later)) == {"new": 1}
        assert serving.ask(ANN) == {"estimate": 400.0}
        assert serving.end() == 0
        serving.begin()
        assert serving.told.endswith("; 3 jobs learned\n")


@pytest.mark.slow
def test_only_one_service_follows_a_feed_also_after_a_kill_or_database_failure(
    database: PostgreSQL, tmp_path: Path, command: Command
) -> None:
    (accounting := tmp_path / "accounting").mkdir()
    url = database.url("postgres")
    follow = ("--store", url, "--pbs-accounting", str(accounting))
    other = ("--socket", tmp_path / "other", "--predictor", "last_two")
    with Serving(tmp_path, *follow) as serving, JobDatabase(url) as store:
        command("service", "serve", *follow, *other).assert_refused("another service already reads")
        serving.end(signal.SIGKILL)
        taken(store, accounting)
        database.die()
        with pytest.raises(JobStoreError, match="the store cannot be used"):
            store.claim(str(accounting))
        database.start()
        taken(store, accounting)


def taken(store: JobDatabase, accounting: Path) -> None:
    """Claim a feed, as soon as the database has noticed that its former owner is gone."""
    for _ in range(1000):
        with suppress(JobStoreError):
            return store.claim(str(accounting))
        time.sleep(0.02)
    return store.claim(str(accounting))


def test_a_jumping_clock_does_not_stop_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a day ahead, in 1970, correct: the machine's clock, and the dates of jobs
    now = time.time()
    dates = itertools.cycle([now + 86400, 0.0, now])
    monkeypatch.setattr(time, "time", lambda: next(dates))
    jobs = [ended(f"{n}", submit_time=date, run_time=100.0 + n)
            for n, date in enumerate((now, now + 86400, 0.0, now + 60))]  # fmt: skip
    requests = [request for job in jobs for request in (told_ended(job), ANN)]
    for predictor in PREDICTORS:
        (folder := tmp_path / predictor).mkdir()
        answers = within_a_service(folder, predictor_of(predictor), *requests, {"ask": "health"})
        assert answers[0:-1:2] == [{"new": 1}] * len(jobs), predictor
        estimates = [answer["estimate"] for answer in answers[1:-1:2]]
        assert all(1.0 <= one <= 600.0 for one in estimates if one is not None), predictor
        told = answers[-1]["learned"], answers[-1]["last_error"]
        assert told == (len(jobs), None), predictor


def test_a_named_group_can_open_the_socket(tmp_path: Path) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    for given, mode in ((None, 0o600), (group, 0o660)):
        with listening_at(tmp_path / "socket", given):
            found = (tmp_path / "socket").stat()
            assert (found.st_mode & 0o777, found.st_gid) == (mode, os.getgid()), given
    with pytest.raises(
        PredAwareError, match=r"--group no_such: cannot give .* this group does not exist"
    ):
        listen_at(tmp_path / "socket", "no_such")
    assert not (tmp_path / "socket").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_other_users_cannot_open_the_socket() -> None:
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python is None:
        pytest.skip("needs a Python that anybody may run")
    asking = (
        "import socket, sys\n"
        "try: socket.socket(socket.AF_UNIX).connect(sys.argv[1])\n"
        "except PermissionError: sys.exit(13)\n"
    )
    with TemporaryDirectory(prefix="open-") as name, listen_at(Path(name) / "s"):
        Path(name).chmod(0o755)
        command = [python, "-c", asking, Path(name) / "s"]
        codes = [
            subprocess.run(command, user=user, check=False).returncode  # noqa: S603 - this Python
            for user in ("nobody", "root")
        ]
    assert codes == [13, 0]
