import pytest

from tests.workload_tools.changes.twin.synthetic_logs import HOUR, job, listed
from workload_tools.changes.scaled import ScaledLog, ScalingError
from workload_tools.log import gather

JOBS = [job("ann", at * HOUR, wait_time=5.0) for at in (1, 2, 5, 11)]


def scaled(factor: float, by: str, **options: object) -> ScaledLog:
    return ScaledLog(listed(JOBS), factor, by=by, path="made.swf", **options)  # type: ignore[arg-type] # known


def test_arrivals_come_closer_and_the_first_keeps_its_date() -> None:
    workload = gather(scaled(2.0, "arrivals"))
    assert [job.submit_time for job in workload.jobs] == [0, HOUR / 2, 2 * HOUR, 5 * HOUR]
    assert workload.start_time == gather(listed(JOBS)).start_time
    assert (workload.processors, workload.nodes) == (64, 8)
    assert {job.wait_time for job in workload.jobs} == {None}


def test_a_held_job_is_held_as_long() -> None:
    held = listed([*JOBS, job("ann", 13 * HOUR, eligible_time=13 * HOUR + 60.0)])
    last = gather(ScaledLog(held, 2.0, by="arrivals", path="made.swf")).jobs[-1]
    assert (last.submit_time, last.eligible_time) == (6 * HOUR, 6 * HOUR + 60.0)


def test_a_factor_below_1_thins_arrivals_out() -> None:
    assert gather(scaled(0.5, "arrivals")).jobs[1].submit_time == 2 * HOUR


def test_the_machine_shrinks_and_jobs_stay() -> None:
    log = scaled(1.6, "machine")
    workload = gather(log)
    assert [job.submit_time for job in workload.jobs] == [0, HOUR, 4 * HOUR, 10 * HOUR]
    assert (workload.processors, workload.nodes) == (40, 5)
    assert log.machine.origin == ["Installation: KTH", "Note: load multiplied by 1.6"]


def test_a_given_size_takes_precedence_over_that_of_the_log() -> None:
    assert gather(scaled(2.0, "machine", processors=100)).processors == 50
    assert gather(scaled(2.0, "arrivals", processors=100)).processors == 100


def test_a_log_that_cannot_be_scaled_is_an_error() -> None:
    with pytest.raises(ScalingError, match="cannot be multiplied by 0"):
        scaled(0.0, "arrivals")
    with pytest.raises(
        ScalingError, match="64 processors divided by 1000 is less than 1 processor"
    ):
        gather(scaled(1000.0, "machine"))
    log = listed(JOBS)
    log.machine.processors = None
    with pytest.raises(ScalingError, match=r"made\.swf: does not contain the machine's size"):
        gather(ScaledLog(log, 2.0, by="machine", path="made.swf"))


def test_stretching_a_log_beyond_a_century_is_refused() -> None:
    with pytest.raises(ScalingError, match="span over 100 years"):
        gather(scaled(1e-6, "arrivals"))
