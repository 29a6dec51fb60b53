import math
import statistics
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors.regression.tree_models import DecisionTree
from tests.predictors.jobs import job
from tests.suites import each_case

DAY = 86400.0


def learn(predictor: DecisionTree, run_times: list[float], now: float) -> None:
    for run_time in run_times:
        predictor.learn(job(), run_time, now)


def test_there_is_no_prediction_before_a_job_has_ended() -> None:
    assert DecisionTree().predict(job(), 0.0) is None


def test_a_history_is_used_from_the_first_prediction_on() -> None:
    predictor = DecisionTree()
    learn(predictor, [10.0, 20.0, 60.0], -5.0)
    assert predictor.predict(job(), 0.0) == 30.0


def test_the_first_job_that_ends_a_day_after_a_fit_triggers_the_next() -> None:
    predictor = DecisionTree()
    learn(predictor, [10.0] * 4, 0.0)
    learn(predictor, [100.0], DAY - 1)
    assert predictor.predict(job(), 2 * DAY) == 10.0
    learn(predictor, [100.0], DAY)
    assert predictor.predict(job(), DAY) == 40.0
    learn(predictor, [1000.0], 2 * DAY - 1)
    assert predictor.predict(job(), 2 * DAY) == 40.0


def test_without_a_history_each_doubling_of_jobs_triggers_a_fit() -> None:
    predictor = DecisionTree()
    predictions = []
    for number in range(1, 9):
        learn(predictor, [float(number)], float(number))
        predictions.append(predictor.predict(job(), float(number)))
    assert predictions == [1.0, 1.5, 1.5, 2.5, 2.5, 2.5, 2.5, 4.5]


@each_case(("window", "mean"), [(2, 45.0), (3, 40.0), (None, 15.0)])
def test_only_the_last_jobs_are_fitted(window: int | None, mean: float) -> None:
    predictor = DecisionTree(window=window)
    learn(predictor, [0.0] * 5 + [30.0, 30.0, 60.0], 0.0)
    assert predictor.predict(job(), 0.0) == mean


def test_jobs_that_ended_after_the_fit_was_due_are_not_in_it() -> None:
    predictor = DecisionTree(window=2)
    learn(predictor, [10.0, 20.0], 0.0)
    learn(predictor, [500.0], 1.0)
    assert predictor.predict(job(), 1.0) == 15.0


def mean_of_the_jobs_known(
    learned: list[tuple[float, float]], *, window: int, refit_every: float
) -> float:
    """Model the rule in the docstring: from scratch, keeping everything."""
    known, since = 0, -math.inf
    for number, (_, date) in enumerate(learned, start=1):
        history = number - 1
        if date > 0 and history and learned[history - 1][1] <= 0 and known < history:
            known, since = history, 0.0
        if date >= since + refit_every or number >= 2 * known:
            known, since = number, date
    if learned[-1][1] <= 0:
        known = len(learned)
    return statistics.fmean(run_time for run_time, _ in learned[:known][-window:])


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(-50, 200)), min_size=1, max_size=60),
    st.integers(1, 5),
    st.integers(0, 2**60 - 1),
)
def test_fitted_jobs_do_not_depend_on_the_requested_predictions(
    ends: list[tuple[int, int]], window: int, asked: int
) -> None:
    predictor = DecisionTree(window=window, refit_every=20, features=["user"])
    learned = [(float(run_time), float(date)) for run_time, date in sorted(ends, key=itemgetter(1))]
    for number, (run_time, date) in enumerate(learned):
        predictor.learn(job(), run_time, date)
        if asked >> number & 1:
            predictor.predict(job(), date)
    answer = predictor.predict(job(), max(0.0, learned[-1][1]))
    assert answer == pytest.approx(mean_of_the_jobs_known(learned, window=window, refit_every=20))


def test_predictions_equal_those_of_the_same_regression_in_scikit_learn() -> None:
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(1)
    table = np.column_stack(
        [rng.integers(1, 64, 3000), rng.uniform(0, 900, 3000), rng.integers(60, 86400, 3000)]
    )
    run_times = rng.exponential(3600.0, 3000)
    features = ["processors", "memory", "walltime"]
    jobs = [job(**dict(zip(features, row, strict=True))) for row in table.tolist()]
    predictor = DecisionTree(features=features)
    for submission, run_time in zip(jobs[:2000], run_times.tolist(), strict=False):
        predictor.learn(submission, run_time, 0.0)
    regressor = DecisionTreeRegressor(random_state=13).fit(table[:2000], run_times[:2000])
    predictions = [predictor.predict(submission, 0.0) for submission in jobs]
    assert predictions == regressor.predict(table).tolist()


def test_users_are_distinguished() -> None:
    predictor = DecisionTree()
    for user, run_time in [("ann", 10.0), ("bob", 5000.0), ("cyd", 20.0)]:
        predictor.learn(job(user=user), run_time, 0.0)
    answers = [predictor.predict(job(user=user), 0.0) for user in ("ann", "bob", "cyd")]
    assert answers == [10.0, 5000.0, 20.0]


def test_huge_requests_do_not_break_the_fit() -> None:
    predictor = DecisionTree()
    predictor.learn(job(walltime=1e300), 10.0, 0.0)
    predictor.learn(job(walltime=60.0), 20.0, 0.0)
    assert predictor.predict(job(walltime=1e300), 0.0) == 10.0
