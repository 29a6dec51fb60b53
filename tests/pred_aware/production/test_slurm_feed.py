"""The feed of Slurm's accounting, with a stand-in for `sacct` that selects by dates as it does."""

import itertools
import stat
import subprocess
import sys
import threading
import time
from datetime import datetime
from pathlib import Path

import pytest

from pred_aware.production import slurm_feed
from pred_aware.production.errors import FeedError
from pred_aware.production.slurm_feed import MOST_AT_ONCE, OVERLAP, SlurmFeed
from pred_aware.production.store import JobDatabase
from tests.pred_aware.production.serving import Serving

BEGUN = 1_700_000_000
"""A Unix date: the clock of these tests."""

SACCT = """\
#!{python}
import sys, os, time
from datetime import datetime, timezone
from pathlib import Path
assert os.environ["TZ"] == "UTC" and os.environ["SLURM_TIME_FORMAT"] == "%s"
told = dict(one.removeprefix("--").split("=", 1) for one in sys.argv[1:] if "=" in one)
since, until = (
    datetime.fromisoformat(told[name]).replace(tzinfo=timezone.utc).timestamp()
    for name in ("starttime", "endtime")
)
folder = Path(__file__).parent
if (folder / "hangs").exists():
    time.sleep(60)
if (folder / "fails").exists():
    sys.exit("sacct: error: slurm_persist_conn_open: failed to\\nconnect")
with (folder / "asked").open("a") as asked:
    asked.write(f"{{since:.0f}} {{until:.0f}}\\n")
fields = told["format"].split(",")
print("|".join(fields))
for line in (folder / "jobs").read_text().splitlines():
    job = dict(one.split("=", 1) for one in line.split("|"))
    if float(job["End"]) >= since and float(job["Submit"]) <= until:
        print("|".join(job.get(field, "") for field in fields))
"""


@pytest.fixture
def sacct(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # each call starts a Python
    monkeypatch.setattr(slurm_feed, "FIRST", MOST_AT_ONCE)
    program = tmp_path / "sacct"
    program.write_text(SACCT.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "jobs").write_text("")
    return program


def job(number: int, end: float, *, comment: str = "", limit: int = 10) -> str:
    return (
        f"JobIDRaw={number}|JobID={number}|Cluster=refs|User=ann|State=COMPLETED|Submit={end - 90}"
        f"|Eligible={end - 90}|Start={end - 60}|End={end}|ElapsedRaw=60|TimelimitRaw={limit}"
        f"|AdminComment={comment}|ReqCPUS=2|AllocCPUS=2|JobName=a job"
    )


def told(program: Path, *jobs: str) -> None:
    (program.parent / "jobs").write_text("\n".join(jobs) + "\n")


def follow(program: Path, store: JobDatabase, now: float) -> list[str]:
    """Read all that there is; return the ids of the jobs that were new, as they came."""
    feed = SlurmFeed(str(program), now=lambda: now)
    new: list[str] = []
    while (read := feed.read(store.positions(feed.name))) is not None:
        new += [one.id for one in store.add(read.jobs, position=read.position)]
        if not read.more:
            break
    return new


def test_each_end_is_learned_once_even_if_reported_late(sacct: Path, tmp_path: Path) -> None:
    first = [job(1, BEGUN - 5 * 86400), job(2, BEGUN - 100)]
    told(sacct, *first)
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert follow(sacct, store, BEGUN) == ["1", "2"]
    # another process goes on, and slurmdbd tells of one that ended before
    told(sacct, *first, job(3, BEGUN - OVERLAP // 2), job(4, BEGUN + 20))
    with JobDatabase(tmp_path / "jobs.db") as store:
        assert follow(sacct, store, BEGUN + 45) == ["3", "4"]
        assert follow(sacct, store, BEGUN + 90) == []
        assert store.contents().jobs == 4


def test_the_feed_requests_a_week_at_a_time_and_resumes_there(
    sacct: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm_feed, "FIRST", 2 * MOST_AT_ONCE)
    told(sacct, job(1, BEGUN - 100))
    with JobDatabase(tmp_path / "jobs.db") as store:
        follow(sacct, store, BEGUN)
        follow(sacct, store, BEGUN + 45)
    asked = [
        tuple(map(int, line.split())) for line in (tmp_path / "asked").read_text().splitlines()
    ]
    assert all(until - since <= MOST_AT_ONCE + OVERLAP for since, until in asked)
    assert asked[0][0] == BEGUN - 2 * MOST_AT_ONCE - OVERLAP
    assert asked[-1] == (BEGUN - OVERLAP, BEGUN + 45)


def test_if_slurmdbd_is_slow_the_feed_requests_shorter_periods(
    sacct: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = subprocess.Popen.wait

    def slow(call: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        dates = [one.partition("time=")[2] for one in call.args if "time=2" in one]  # type: ignore[union-attr, operator]
        since, until = map(datetime.fromisoformat, dates)
        if timeout is not None and (until - since).total_seconds() > 86400 + OVERLAP:
            raise subprocess.TimeoutExpired(call.args, timeout)
        return wait(call, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", slow)
    told(sacct, job(1, BEGUN - 6 * 86400), job(2, BEGUN - 100))
    feed, new, failures = SlurmFeed(str(sacct), now=lambda: BEGUN), [], []
    with JobDatabase(tmp_path / "jobs.db") as store:
        for _ in range(40):
            try:
                read = feed.read(store.positions(feed.name))
            except FeedError as error:
                failures.append(str(error))
                continue
            assert read is not None
            new += [one.id for one in store.add(read.jobs, position=read.position)]
            if not read.more:
                break
    assert new == ["1", "2"]
    assert (
        "no answer within 120 s; is slurmdbd running? The next call requests the jobs of 42 h"
        in failures[0]
    )


def test_a_feed_without_jobs_of_others_is_reported_and_later_read_from_the_start(
    sacct: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = [job(number, BEGUN - number * 86400) for number in (1, 2)]
    own = [one.replace("User=ann", "User=me") for one in hidden]
    others = [one.replace("JobIDRaw=", "JobIDRaw=7") for one in hidden]
    for shown in ([], own):
        clock = itertools.count(BEGUN, 45)
        feed = SlurmFeed(str(sacct), now=lambda clock=clock: next(clock))  # type: ignore[misc]
        monkeypatch.setattr(feed, "_user", "me")
        doubts = []
        with JobDatabase(tmp_path / f"{len(shown)}.db") as store:
            for jobs in (shown, shown, [*shown, *others], [*shown, *others]):
                (tmp_path / "jobs").write_text("\n".join(jobs))
                more = True
                while more:
                    found = feed.read(store.positions(feed.name))
                    assert found is not None
                    store.add(found.jobs, position=found.position)
                    more = found.more
                doubts.append("PrivateData of slurmdbd.conf hides them from me" in found.doubt)
            assert doubts == [True, True, False, False], shown
            assert store.contents().jobs == len(shown) + len(others), shown


def test_a_clock_that_was_ahead_hides_no_job_and_a_bridges_limit_is_not_learned(
    sacct: Path, tmp_path: Path
) -> None:
    with JobDatabase(tmp_path / "jobs.db") as store:
        follow(sacct, store, BEGUN + 10 * 86400)
        told(sacct, job(1, BEGUN + 10, comment="seen, uw=120", limit=10), job(2, BEGUN + 20))
        assert follow(sacct, store, BEGUN + 45) == ["1", "2"]
        assert [one.walltime for one in store.jobs()] == [7200.0, 600.0]


def test_an_error_of_sacct_gives_one_line(sacct: Path, tmp_path: Path) -> None:
    (tmp_path / "fails").touch()
    feed = SlurmFeed(str(sacct), now=lambda: BEGUN)
    with pytest.raises(FeedError, match=r"failed with exit code 1: sacct: .*failed to conn"):
        feed.read({})
    sacct.write_text("#!/bin/sh\necho usage: sacct\necho a table\n")
    with pytest.raises(FeedError, match="its output has no header") as caught:
        feed.read({})
    assert "\n" not in str(caught.value)


def test_a_hanging_sacct_ends_with_the_service(sacct: Path, tmp_path: Path) -> None:
    (tmp_path / "hangs").touch()
    feed = SlurmFeed(str(sacct), now=lambda: BEGUN)
    closing = threading.Timer(0.1, feed.close)
    closing.start()
    with pytest.raises(FeedError):
        feed.read({})
    closing.join()


@pytest.mark.slow
def test_the_service_learns_the_jobs_of_sacct_and_ends_at_once(sacct: Path, tmp_path: Path) -> None:
    now = int(time.time())
    told(sacct, *(job(number, now - 1000 + number) for number in range(1, 21)))
    with Serving(tmp_path, "--sacct", str(sacct)) as serving:
        for _ in range(200):
            if serving.ask({"ask": "health"})["learned"] == 20:
                break
            time.sleep(0.05)
        assert serving.ask({"ask": "health"})["learned"] == 20
        assert serving.end() == 0
