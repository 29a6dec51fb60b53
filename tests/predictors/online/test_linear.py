import math
import random
from functools import partial

import pytest

from predictors import Predictor
from predictors.online.linear import OnlineLinear
from predictors.online.linear_inputs import USED, LinearInputs
from predictors.regression.rows import CalendarFeatures
from tests.predictors import jobs

job = partial(jobs.job, processors=4, walltime=3600.0)


def test_inputs_of_a_user_with_earlier_jobs() -> None:
    activity = {
        "last_run_time_1": 100.0, "last_run_time_2": 5000.0, "last_run_time_3": -1.0,
        "mean_run_time": 2550.0, "since_last_end": 40.0, "mean_processors": 8.0,
        "running_jobs": 2, "running_processors": 16, "longest_running": 30.0, "sum_running": 50.0,
    }  # fmt: skip
    inputs = LinearInputs(degree=1, calendar=CalendarFeatures(epoch=4 * 86400.0))
    values = inputs.of(job(submit_time=6 * 3600.0), tuple(activity[name] for name in USED))
    # Monday, 6 o'clock: a quarter of a day and a 28th of a week
    of_week = 2 * math.pi / 28
    assert values.tolist() == pytest.approx(
        [
            *(1, 3600, 100, 3600, 3600, 1850, 7300 / 3, 2550, 4, 8, 0.5, 2, 16, 30, 50, 40),
            *(0, 1, math.cos(of_week), math.sin(of_week)),
        ]
    )


@pytest.mark.parametrize(("walltime", "stands_for"), [(3600.0, 3600.0), (None, 0.0)])
def test_the_walltime_replaces_unknown_run_times(walltime: float | None, stands_for: float) -> None:
    inputs = LinearInputs(degree=1, calendar=CalendarFeatures())
    values = inputs.of(job(walltime=walltime), (-1.0,) * len(USED))
    assert values[1:8].tolist() == [stands_for] * 7
    assert values[8:16].tolist() == [4, 4, 1, 0, 0, 0, 0, 0]


def test_degree_two_has_each_product_once() -> None:
    single = LinearInputs(degree=1, calendar=CalendarFeatures())
    double = LinearInputs(degree=2, calendar=CalendarFeatures())
    activity = tuple(float(n) for n in range(3, 3 + len(USED)))
    ones, products = single.of(job(), activity), double.of(job(), activity)
    assert (single.size, double.size) == (20, 210)
    expected = [a * b for n, a in enumerate(ones) for b in ones[n:]]
    assert products.tolist() == expected


def costs_of_too_much_and_too_little(predictor: Predictor) -> tuple[float, float]:
    rng = random.Random(1)  # noqa: S311 - no secret
    over = under = 0.0
    for number in range(1500):
        submission = job(f"{number}", processors=rng.choice([1, 2, 4]))
        run_time = submission.processors * rng.choice([300.0, 600.0, 1500.0])
        error = (predictor.predict(submission, 0.0) or 0.0) - run_time
        if number > 500:
            over, under = over + max(error, 0.0), under + max(-error, 0.0)
        predictor.learn(submission, run_time, 0.0)
    return over, under


def test_the_costlier_side_of_the_loss_has_fewer_errors() -> None:
    small = {"unit": 60.0, "weight": "none"}
    over, under = costs_of_too_much_and_too_little(OnlineLinear(**small))
    assert over < under
    turned = OnlineLinear(over="absolute", under="squared", **small)
    over, under = costs_of_too_much_and_too_little(turned)
    assert over > under


def test_a_job_is_learned_with_its_inputs_at_the_submission() -> None:
    quiet, busy = OnlineLinear(), OnlineLinear()
    for predictor in (quiet, busy):
        predictor.submitted(job(), 0.0)
        predictor.started(job(), 0.0)
    for number in range(5):
        busy.submitted(job(f"later {number}", processors=64), 10.0)
        busy.started(job(f"later {number}", processors=64), 10.0)
    for predictor in (quiet, busy):
        predictor.learn(job(), 500.0, 500.0)
    asked = job("9", user="bob")
    assert quiet.predict(asked, 500.0) == busy.predict(asked, 500.0)
    assert quiet.predict(job("9"), 500.0) != busy.predict(job("9"), 500.0)
