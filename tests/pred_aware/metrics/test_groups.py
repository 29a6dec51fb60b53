"""Groups of jobs and their measures."""

import re

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Workload
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from tests.pred_aware.conftest import JobsFile
from tests.pred_aware.simulator.world import job, workload_of
from tests.suites import each_case

JOBS = [(0, 0, 30, 1), (0, 60, 7200, 4), (86400, 86400, 60, 5), (0, 240, 90000, 64)]


def workload(**of_all: object) -> Workload:
    told = enumerate(zip(JOBS, (7, None, 7, 3), strict=True), 1)
    jobs = [job(n, submit, size, 1) | {"user_id": user} for n, ((submit, _, _, size), user) in told]
    return workload_of(jobs, 64, **of_all)


@pytest.fixture
def run(jobs_file: JobsFile) -> Run:
    # second 0 is a Sunday, 23:00 in UTC: Monday in Stockholm
    told = workload(start_time=843433200, time_zone="Europe/Stockholm")
    return read_run(jobs_file("a", JOBS), workload=told)


@each_case(
    ("by", "groups"),
    [
        ("size", {"1": 1, "2-4": 1, "5-16": 1, "17-64": 1}),
        ("length", {"up to 1 min": 2, "10 min to 2 h": 1, "over 24 h": 1}),
        ("user", {"7": 2, "(none)": 1, "3": 1}),
        ("weekday", {"Monday": 3, "Tuesday": 1}),
    ],
)
def test_every_job_is_in_one_group(run: Run, by: str, groups: dict[str, int]) -> None:
    frame = run.measures_by(by)
    assert (frame["jobs"].to_dict(), frame.index.name) == (groups, by)
    assert frame["work"].sum() == pytest.approx(1.0)


def test_measures_of_a_group_are_those_of_its_jobs(run: Run) -> None:
    frame = run.measures_by("user", ["mean_waiting_time", "max_bounded_slowdown"])
    assert frame.loc["3"].tolist()[2:] == [240.0, (240 + 90000) / 90000]
    assert frame.loc["7", "mean_waiting_time"] == 0.0


def test_the_gini_coefficient_counts_users_once_and_no_job_without_user(run: Run) -> None:
    slowdowns = sorted([1.0, (240 + 90000) / 90000])
    expected = (slowdowns[1] - slowdowns[0]) / (2 * sum(slowdowns))
    assert run.measures(["gini_of_users"])["gini_of_users"] == pytest.approx(expected)


@each_case(
    ("by", "names", "message"),
    [
        ("queue", None, "no job of .* has a queue"),
        ("weekday", None, "does not state the date of its time 0"),
        ("shape", None, "cannot group jobs by 'shape'; known: size, length, user, queue, weekday"),
        (
            "size",
            ["lost_capacity"],
            "lost_capacity measures the whole run, so it has no value by size",
        ),
    ],
)
def test_impossible_groups_are_reported(
    jobs_file: JobsFile, by: str, names: list[str] | None, message: str
) -> None:
    run = read_run(jobs_file("a", JOBS), workload=workload())
    with pytest.raises(PredAwareError, match=message):
        run.measures_by(by, names)


def test_without_the_workload_users_are_unknown(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", JOBS))
    assert run.measures(["gini_of_users"]).isna().all()
    with pytest.raises(
        PredAwareError, match="a: grouping jobs by user needs the simulated workload"
    ):
        run.measures_by("user")


def test_classes_of_sizes_and_lengths_can_be_given(run: Run) -> None:
    sizes = run.measures_by("size", ["mean_waiting_time"], edges=[4, 32])
    assert sizes["jobs"].to_dict() == {"1-4": 2, "5-32": 1, "over 32": 1}
    lengths = run.measures_by("length", edges=[60, 7200])
    assert lengths["jobs"].to_dict() == {"up to 1 min": 2, "1 min to 2 h": 1, "over 2 h": 1}


@each_case(
    ("by", "edges", "message"),
    [
        ("user", [1], "edges can be given only for size and length, not for user"),
        ("size", [4, 4], "edges are [4, 4]; they must be positive and ascending"),
        ("length", [], "edges are []; they must be positive and ascending"),
    ],
)
def test_invalid_classes_are_refused(run: Run, by: str, edges: list[float], message: str) -> None:
    with pytest.raises(PredAwareError, match=re.escape(message)):
        run.measures_by(by, edges=edges)
