"""61 days of a real machine."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.job import Job
from workload_tools.pbs import PbsLog

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def mason(shared: Path) -> tuple[PbsLog, dict[str, Job]]:
    log = PbsLog(shared / "pbs")
    return log, {job.id: job for job in log.jobs()}


def test_each_job_of_61_days_is_kept_or_dropped_with_its_reason(
    mason: tuple[PbsLog, dict[str, Job]],
) -> None:
    report = mason[0].report
    assert report.read == 12_893 == report.kept + sum(report.dropped.values())
    assert report.kept == 12_135 - 568
    assert report.dropped == {
        "deleted while waiting": 710, "only queued: no start in the log": 31,
        "only started: no end in the log": 16, "only started: requeued and not started again": 1,
        "run time of 0 s": 568,
    }  # fmt: skip


def test_the_machine_is_inferred_from_its_use(mason: tuple[PbsLog, dict[str, Job]]) -> None:
    log, _ = mason
    assert (log.size.peak(), log.size.slots, log.size.hosts) == (575, 576, 18)
    assert (log.machine.processors, log.machine.nodes) == (576, 18)


def test_a_requeued_job_that_did_not_start_again_is_dropped(
    mason: tuple[PbsLog, dict[str, Job]],
) -> None:
    assert "520738.m1.mason" not in mason[1]


# From the records, by hand: start - ctime, and resources_used.walltime.
BY_HAND = [
    ("520891.m1.mason", 76, "00:00:02"),  # ctime 1506830419, start 1506830495
    ("520888.m1.mason", 79, "00:00:06"),  # 1506830416, 1506830495
    ("520997.m1.mason", 198, "00:13:30"),  # 1506967417, 1506967615; end is 1778 s after start
    ("521362.m1.mason", 33, "28:27:10"),  # 1507135346, 1507135379; killed (265)
    ("522226.m1.mason", 34, "24:02:49"),  # 1507664083, 1507664117; beyond its 24:00:00
    ("524117.m1.mason", 9_782, "02:26:25"),  # 1508358004, 1508367786
    ("525079.m1.mason", 11_382, "03:00:55"),  # 1508779964, 1508791346
    ("526673.m1.mason", 45_389, "20:17:06"),  # 1509656156, 1509701545; ends the next day
    ("526995[1].m1.mason", 28, "00:00:01"),  # 1509993373, 1509993401; a task of an array
    ("528532.m1.mason", 106, "00:47:18"),  # 1510623926, 1510624032
]


@each_case(("identifier", "wait_time", "used"), BY_HAND)
def test_wait_and_run_time_come_from_the_records(
    mason: tuple[PbsLog, dict[str, Job]], identifier: str, wait_time: float, used: str
) -> None:
    hours, minutes, seconds = map(int, used.split(":"))
    job = mason[1][identifier]
    assert (job.wait_time, job.run_time) == (wait_time, hours * 3600 + minutes * 60 + seconds)


def ends(shared: Path) -> Iterator[dict[str, str]]:
    for path in sorted((shared / "pbs").glob("*.gz")):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            if line.split(";")[1] == "E":
                words = (word.split("=", 1) for word in line.split(";", 3)[3].split())
                yield {"id": line.split(";")[2], **dict(words)}  # type: ignore[dict-item] # pairs


def test_the_run_time_is_pbss_value_unless_dates_are_requested(
    shared: Path, mason: tuple[PbsLog, dict[str, Job]]
) -> None:
    dated = {job.id: job for job in PbsLog(shared / "pbs", run_time_from="dates").jobs()}
    differ = zero = 0
    for end in ends(shared):
        between = int(end["end"]) - int(end["start"])
        used = mason[1][end["id"]].run_time if end["id"] in mason[1] else 0.0
        differ += used != between
        zero += used == 0.0
        assert (dated[end["id"]].run_time if end["id"] in dated else 0.0) == between
    assert (differ, zero) == (5_169, 568)
