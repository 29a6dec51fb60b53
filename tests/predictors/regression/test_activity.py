from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predictors import Submission
from predictors.regression.activity import ACTIVITY, LATELY, Activity, similar
from tests.predictors import jobs
from tests.suites import each_case

job = partial(jobs.job, processors=4)


def named(values: tuple[float, ...]) -> dict[str, float]:
    return dict(zip(ACTIVITY, values, strict=True))


def test_activity_of_a_day_computed_by_hand() -> None:
    activity = Activity(ACTIVITY)
    first = job("1", processors=4, walltime=100.0)
    second = job("2", submit_time=10.0, processors=8, walltime=300.0)
    for submission in (first, second):
        activity.submitted(submission, submission.submit_time)
    activity.started(first, 5.0)
    activity.started(second, 20.0)
    activity.ended(first, 25.0, 30.0)
    assert named(activity.values(job("3", submit_time=50.0), 50.0)) == {
        "last_run_time_1": 25.0, "last_run_time_2": -1, "last_run_time_3": -1,
        "mean_run_time": 25.0, "since_last_end": 20.0,
        "mean_processors": 6.0, "mean_walltime": 200.0, "mean_memory": -1, "mean_nodes": -1,
        "mean_gpus": -1, "since_last_submission": 40.0,
        "running_jobs": 1, "running_processors": 8, "longest_running": 30.0, "sum_running": 30.0,
        "waiting_jobs": 0,
    }  # fmt: skip


def test_a_job_does_not_count_itself() -> None:
    activity = Activity(["waiting_jobs", "running_jobs"])
    activity.submitted(job("0", user="bob"), 0.0)
    asked = activity.values(job(), 0.0)
    activity.submitted(job(), 0.0)
    while_waiting = activity.values(job(), 1.0)
    activity.started(job(), 2.0)
    assert asked == while_waiting == activity.values(job(), 3.0) == (0, 0)
    assert activity.values(job("8"), 3.0) == (0, 1)


def test_a_jobs_numbers_stay_until_it_has_ended() -> None:
    activity = Activity(["last_run_time_1", "waiting_jobs"])
    activity.submitted(job("1"), 0.0)
    activity.submitted(job("2"), 0.0)
    activity.ended(job("1"), 60.0, 60.0)
    assert activity.values(job("2"), 60.0) == (-1, 1)
    assert activity.ended(job("2"), 5.0, 90.0) == (-1, 1)


def test_a_withdrawn_job_no_longer_counts_as_waiting() -> None:
    activity = Activity(["waiting_jobs", "running_jobs"])
    activity.submitted(job("1"), 0.0)
    activity.submitted(job("2"), 0.0)
    activity.withdrawn(job("1"), 1.0)
    assert activity.values(job("3"), 2.0) == (1, 0)


def test_past_jobs_have_only_numbers_of_ended_jobs() -> None:
    activity = Activity(["last_run_time_1", "running_jobs", "waiting_jobs"])
    activity.ended(job("1", submit_time=0.0), 100.0, 100.0)
    activity.ended(job("2", submit_time=0.0), 300.0, 300.0)
    assert activity.ended(job("3", submit_time=200.0), 200.0, 400.0) == (100.0, -1, -1)
    assert activity.values(job("4", submit_time=500.0), 500.0) == (200.0, -1, -1)


def test_a_job_without_a_user_has_no_numbers() -> None:
    activity = Activity(ACTIVITY)
    for number in range(3):
        activity.submitted(job(f"{number}", user=None), 0.0)
    assert set(activity.values(job("7", user=None), 9.0)) == {-1}


@each_case("names", [[], ["waiting_jobs"], ["mean_gpus", "running_jobs"]])
def test_only_requested_numbers_are_computed(names: list[str]) -> None:
    assert Activity(names).values(job(gpus=1), 0.0) == (-1,) * len(names)


@dataclass
class Past:
    """What is known of one job, kept for ever."""

    submission: Submission
    start: float | None = None
    end: float | None = None
    run_time: float = 0.0
    place: int = 0
    """Among the ends: of those at one date the last that was told is the last."""


def from_scratch(past: dict[str, Past], asked: Submission, now: float) -> dict[str, float]:
    """Compute the numbers of a job that was not submitted yet from everything before it."""
    own = [p for p in past.values() if p.submission.user == asked.user]
    ended = sorted((p for p in own if p.end is not None), key=lambda p: p.place)[-LATELY:]
    running = [p for p in own if p.start is not None and p.end is None]
    last = [p.run_time for p in reversed(ended)] + [-1.0] * 3
    latest = own[-LATELY:]
    numbers: dict[str, float] = dict.fromkeys(ACTIVITY, -1.0)
    numbers |= {f"last_run_time_{n + 1}": last[n] for n in range(3)}
    if ended:
        numbers["mean_run_time"] = sum(p.run_time for p in ended) / len(ended)
        numbers["since_last_end"] = now - ended[-1].end
    if latest:
        processors = [p.submission.processors for p in latest]
        numbers["mean_processors"] = sum(processors) / len(latest)
        numbers["since_last_submission"] = now - latest[-1].submission.submit_time
    if past:
        numbers["running_jobs"] = len(running)
        numbers["running_processors"] = sum(p.submission.processors for p in running)
        numbers["longest_running"] = max((now - p.start for p in running), default=0.0)
        numbers["sum_running"] = sum(now - p.start for p in running)
        numbers["waiting_jobs"] = sum(p.start is None for p in own)
    return numbers


@given(st.lists(st.tuples(st.sampled_from("ssrreea"), st.integers(0, 9), st.integers(0, 50))))
@example([("s", 0, 0), ("s", 0, 0), ("r", 0, 0), ("r", 0, 1), ("e", 1, 0), ("e", 0, 0)])
def test_numbers_equal_those_computed_from_all_events(
    happened: list[tuple[str, int, int]],
) -> None:
    activity, past, now = Activity(ACTIVITY), {}, 0.0
    for what, which, later in happened:
        now += later
        waiting = [p for p in past.values() if p.start is None]
        running = [p for p in past.values() if p.start is not None and p.end is None]
        if what == "s":
            new = job(f"{len(past)}", user="ab"[which % 2], submit_time=now, processors=which + 1)
            activity.submitted(new, now)
            past[new.id] = Past(new)
        elif what == "r" and waiting:
            chosen = waiting[which % len(waiting)]
            activity.started(chosen.submission, now)
            chosen.start = now
        elif what == "e" and running:
            chosen = running[which % len(running)]
            chosen.place = sum(p.end is not None for p in past.values())
            chosen.end, chosen.run_time = now, now - (chosen.start or 0.0)
            activity.ended(chosen.submission, chosen.run_time, now)
        asked = job("next", user="ab"[which % 2], submit_time=now)
        assert named(activity.values(asked, now)) == pytest.approx(from_scratch(past, asked, now))


def test_similar_jobs_have_the_same_user_size_and_walltime() -> None:
    activity = Activity(["last_run_time_1", "waiting_jobs"], of=similar)
    activity.submitted(job("1", walltime=60.0), 0.0)
    activity.ended(job("1", walltime=60.0), 5.0, 5.0)
    activity.submitted(job("2", walltime=60.0), 6.0)
    assert activity.values(job("3", walltime=60.0), 9.0) == (5.0, 1)
    others = [
        job("4", walltime=90.0),
        job("5", walltime=60.0, processors=8),
        job("6", walltime=60.0, user="bob"),
    ]
    assert [activity.values(other, 9.0) for other in others] == [(-1, 0)] * 3
    assert activity.values(job("7", walltime=60.0, user=None), 9.0) == (-1, -1)
