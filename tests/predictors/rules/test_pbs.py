"""The predictors of paper 003, by hand."""

from functools import partial

import pytest

from predictors import PREDICTORS, Predictor
from predictors.estimate import clamp
from predictors.predictor import validity
from tests.predictors import jobs
from tests.suites import each_case

job = partial(jobs.job, walltime=10_000.0)

DAY = 86400.0


def after(name: str, *ended: tuple[float, float]) -> Predictor:
    """Let a predictor learn jobs with a run time and a walltime."""
    predictor: Predictor = PREDICTORS.make(name)
    for now, (run_time, walltime) in enumerate(ended):
        predictor.learn(job(walltime=walltime), run_time, now)
    return predictor


@each_case("name", ["pbs_v1", "pbs_v2", "pbs_v3", "pbs_released", "min_diff"])
def test_without_an_ended_job_of_the_user_there_is_no_prediction(name: str) -> None:
    predictor = after(name, (100.0, 1000.0))
    assert predictor.predict(job(user="bob"), 9.0) is None
    assert predictor.predict(job(user=None), 9.0) is None


def test_the_first_version_takes_the_mean_of_at_most_two() -> None:
    assert after("pbs_v1", (100.0, 1000.0)).predict(job(), 9.0) == 100.0
    three = after("pbs_v1", (100.0, 1000.0), (300.0, 1000.0), (700.0, 1000.0))
    assert three.predict(job(), 9.0) == 500.0


def test_the_second_version_adds_a_quarter_of_an_hour() -> None:
    assert after("pbs_v2", (100.0, 1000.0), (300.0, 1000.0)).predict(job(), 9.0) == 1100.0


def test_the_third_version_takes_the_largest_of_the_last_fifteen_usages() -> None:
    ended = [(900.0, 1000.0), (500.0, 1000.0), *[(100.0, 1000.0)] * 14]
    assert after("pbs_v3", *ended).predict(job(), 99.0) == 0.5 * 10_000 + 900


@pytest.mark.parametrize("name", ["pbs_v3", "min_diff"])
def test_after_a_job_that_outlived_its_walltime_the_walltime_is_the_estimate(name: str) -> None:
    prediction = after(name, (1500.0, 1000.0)).predict(job(), 9.0)
    assert prediction is not None
    assert prediction >= 15_000.0
    assert clamp(prediction, job()) == 10_000.0


def test_min_diff_takes_the_largest_of_the_last_five_usages() -> None:
    ended = [(900.0, 1000.0), (500.0, 1000.0), *[(100.0, 1000.0)] * 4]
    assert after("min_diff", *ended).predict(job(), 99.0) == 5000.0


@each_case("name", ["pbs_v3", "pbs_released", "min_diff"])
@each_case("walltime", [None, 0.0])
def test_a_job_without_a_walltime_has_no_usage(name: str, walltime: float | None) -> None:
    predictor = after(name)
    predictor.learn(job(walltime=walltime), 100.0, 100.0)
    assert predictor.predict(job(), 200.0) is None


@each_case(
    ("usage", "walltime", "expected"),
    [
        (0.25, 10_000.0, 3400.0),  # 0.25 x 10,000 + 900
        (0.25, 10_001.0, 3400.0),  # whole seconds: 2500.25 is cut
        (0.25, DAY, 22_500.0),  # a day is not over a day
        (0.25, 2 * DAY, 87_300.0),  # doubled: 2 x 43,200 + 900
        (0.75, 2 * DAY, 2 * DAY),  # at most the walltime
        (1.75, 10_000.0, 10_000.0),  # a usage counts as 1 at most
        (0.5, 0.0, 44_100.0),  # one of 0 counts as a day
        (0.5, None, None),  # the hook fails on it, and leaves the job as it is
        (0.5, 1.0, None),  # less than a second: the hook sets nothing
    ],
)
def test_the_released_rule_gives_its_documented_estimates(
    usage: float, walltime: float | None, expected: float | None
) -> None:
    predictor = after("pbs_released", (usage * 1000.0, 1000.0))
    assert predictor.predict(job(walltime=walltime), 9.0) == expected


def test_only_the_released_rule_predicts_again_at_the_start() -> None:
    assert validity(PREDICTORS.make("pbs_released")) == 3600.0
    assert validity(PREDICTORS.make("pbs_v3")) == float("inf")
