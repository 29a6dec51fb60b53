import pytest

from predictors import OptionError, Submission
from predictors.regression.regression import RefitSchedule
from predictors.regression.tree_models import DecisionTree
from tests.suites import each_case

JOB = Submission(id="7", submit_time=0.0, processors=4, user="ann")


def learned_at_each_fit(schedule: RefitSchedule, *, ends: list[float]) -> list[int]:
    known, since, fits = 0, float("-inf"), []
    for number, now in enumerate(ends, start=1):
        if schedule.due(number, known, now=now, since=since):
            known, since = number, now
            fits.append(number)
    return fits


HOURLY = [3600.0 * n for n in range(1, 101)]


@each_case(
    ("schedule", "fits"),
    [
        (RefitSchedule(every=86400.0), [1, 2, 4, 8, 16, 32, 56, 80]),
        (RefitSchedule(jobs=30), [1, 2, 4, 8, 16, 32, 62, 92]),
        (RefitSchedule(jobs=30, minimum=10), [10, 20, 40, 70, 100]),
        (RefitSchedule(minimum=7), [7]),
    ],
)
def test_a_fit_is_due_by_date_by_number_by_doubling_or_once(
    schedule: RefitSchedule, fits: list[int]
) -> None:
    assert learned_at_each_fit(schedule, ends=HOURLY) == fits


def test_a_single_fit_comes_after_the_history() -> None:
    predictor = DecisionTree(refit_every=None)
    for run_time in (10.0, 20.0, 30.0):
        predictor.learn(JOB, run_time, -5.0)
    for run_time in [500.0] * 50:
        predictor.learn(JOB, run_time, 86400.0)
    assert predictor.predict(JOB, 86400.0) == 20.0


def test_a_history_of_fewer_jobs_than_the_minimum_waits_for_more() -> None:
    predictor = DecisionTree(min_jobs=3)
    predictor.learn(JOB, 10.0, -5.0)
    predictor.learn(JOB, 20.0, -4.0)
    assert predictor.predict(JOB, 0.0) is None
    predictor.learn(JOB, 60.0, 5.0)
    assert predictor.predict(JOB, 5.0) == 30.0


@each_case(
    ("options", "message"),
    [
        ({"every": 0.0}, "refit_every"),
        ({"jobs": 0}, "refit_jobs"),
        ({"jobs": 1.5}, "refit_jobs"),
        ({"minimum": 0}, "min_jobs"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        RefitSchedule(**options)  # type: ignore[arg-type]
