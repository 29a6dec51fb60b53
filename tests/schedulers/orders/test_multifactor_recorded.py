"""Slurm's fair share and priorities, driven by the schedule that a real Slurm 22.05.8 made."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from schedulers.core.job import Job
from schedulers.orders.multifactor import Multifactor
from tests.shared_slurm import Recording, read_recording

STEP = 56.0
"""The date of the first computation that the recording shows; others are 60 s apart."""

RAN_AT_A_STEP = "241"
"""A job that ended in the second of a computation, but after it: dates are whole seconds."""

LOST = 0.19
"""What the dates of samples lack of those of jobs (``record.json``)."""

Row = dict[str, str]


@dataclass
class Replay:
    """Reports the recorded starts and ends to an order, up to any date."""

    order: Multifactor
    jobs: dict[str, Job]
    events: list[tuple[float, str, str]]

    def until(self, sampled: str) -> float:
        """Tell what was before a sample; return its date on the order's clock."""
        now = float(sampled) + LOST - STEP
        while self.events and self.events[0][0] <= now:
            date, what, name = self.events.pop(0)
            getattr(self.order, what)(self.jobs[name], date)
        return now


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "slurm" / "fairshare"


@pytest.fixture
def replay(folder: Path) -> Replay:
    recording = read_recording(folder)
    order = Multifactor()
    order.on_site(recording.site)
    order.begin(recording.processors)
    jobs = {job.id: job for job in jobs_of(recording)}
    return Replay(order, jobs, sorted(events_of(recording)))


def jobs_of(recording: Recording) -> Iterator[Job]:
    for job in recording.jobs:
        fields = {"user_id": job.user, "project": job.project, "node": job.nodes, "qos": job.qos}
        submitted = float(recording.outcome[job.id]["Eligible"]) - STEP
        yield Job(job.id, submitted, job.processors, job.walltime, fields=fields)


def events_of(recording: Recording) -> Iterator[tuple[float, str, str]]:
    for name, row in recording.outcome.items():
        yield float(row["Submit"]) - STEP, "submitted", name
        if row["Start"].isdecimal():
            yield float(row["Start"]) - STEP, "started", name
            after = 0.0 if name == RAN_AT_A_STEP else 0.01
            yield float(row["End"]) - STEP - after, "ended", name


def rows(lines: list[str]) -> Iterator[Row]:
    return csv.DictReader(lines, delimiter="|")


def samples(path: Path) -> Iterator[Row]:
    return rows(path.read_text().splitlines())


def test_usage_factors_and_levels_equal_those_of_sshare(folder: Path, replay: Replay) -> None:
    compared = 0
    for row in samples(folder / "sshare.psv"):
        account = row["Account"].strip()
        if account == "root" and not row["User"]:
            now = replay.until(row["time"])
            replay.order.key(replay.jobs["1"], now)
            shares = replay.order.fair_share
            found, usage = shares.levels(), shares.usage()
            continue
        if row["User"]:
            place = shares.tree.leaf(row["User"], account)
            node = shares.tree.leaves[place]
            assert int(usage[place]) == int(row["RawUsage"])
            assert found.factors[place] == pytest.approx(float(row["FairShare"]), abs=5e-4)
        else:
            node = shares.tree.accounts[account]
        assert found.levels[node] == pytest.approx(float(row["LevelFS"]), abs=5e-4)
        compared += 1
    assert compared == 1860


def test_priorities_equal_those_of_sprio(folder: Path, replay: Replay) -> None:
    off = Counter[int]()
    for row in samples(folder / "sprio.psv"):
        now = replay.until(row["time"])
        mine = replay.order.priority(replay.jobs[row["JobID"]], now)
        assert mine.age == pytest.approx(float(row["Age"]), abs=2.0)
        assert mine.fair_share == pytest.approx(float(row["FairShare"]), abs=0.5)
        assert mine.job_size == pytest.approx(float(row["JobSize"]), abs=0.5)
        off[abs(mine.whole - int(row["Priority"]))] += 1
    assert off == {0: 1403, 2: 1}
