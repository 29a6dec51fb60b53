import pickle
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from predictors import PREDICTORS, Submission
from predictors.regression.hist_gradient_boosting import HistGradientBoosting
from predictors.regression.on_rows import Fitted
from predictors.regression.regression import Regression
from predictors.regression.tree_models import AdaBoost, GradientBoosting, RandomForest
from tests.suites import each_case

ENSEMBLES = ("ada_boost", "gradient_boosting", "hist_gradient_boosting", "random_forest")
BOOSTING = {"trees": 30, "learning_rate": 0.2, "min_samples_leaf": 3, "seed": 5}


def scikit_learn() -> Any:  # noqa: ANN401 - a module
    """Import its ensembles when a test needs them, so that tests are collected without."""
    return import_module("sklearn.ensemble")


def table(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    columns = [
        rng.integers(-1, 400, number),
        rng.choice([0.1, 4.5, 230.0, 1 / 3], number),
        rng.uniform(-1, 1e9, number),
    ]
    return np.column_stack(columns), rng.exponential(3600.0, number)


def one_by_one(fitted: Fitted, rows: np.ndarray) -> list[float]:
    return [fitted.predict(row) for row in rows.tolist()]


EXACT: dict[str, tuple[Regression, Callable[[], Any]]] = {
    "random_forest": (
        RandomForest(
            trees=20, max_depth=9, min_samples_leaf=2, max_features=0.5, loss="squared", seed=5
        ),
        lambda: scikit_learn().RandomForestRegressor(
            20, max_depth=9, min_samples_leaf=2, max_features=0.5, random_state=5
        ),
    ),
    "ada_boost": (
        AdaBoost(trees=50, learning_rate=1.0, max_depth=3, loss="linear", seed=5),
        lambda: scikit_learn().AdaBoostRegressor(
            import_module("sklearn.tree").DecisionTreeRegressor(max_depth=3),
            n_estimators=50, loss="linear", random_state=5,
        ),
    ),
    **{
        f"gradient_boosting, {loss}": (
            GradientBoosting(max_depth=4, loss=loss, quantile=0.8, **BOOSTING),
            lambda name=name: scikit_learn().GradientBoostingRegressor(
                loss=name, alpha=0.8, n_estimators=30, learning_rate=0.2, max_depth=4,
                min_samples_leaf=3, random_state=5,
            ),
        )
        for loss, name in [
            ("squared", "squared_error"), ("absolute", "absolute_error"), ("quantile", "quantile"),
        ]
    },
}  # fmt: skip


@each_case("name", EXACT)
def test_predictions_equal_those_of_scikit_learn_to_the_last_bit(name: str) -> None:
    model, make = EXACT[name]
    rows, run_times = table(600, seed=1)
    asked, _ = table(300, seed=2)
    predictions = one_by_one(model.fit(rows, run_times), asked)
    assert predictions == make().fit(rows, run_times).predict(asked).tolist()


@each_case("loss", ["squared", "absolute", "quantile"])
def test_histogram_boosting_differs_from_scikit_learn_by_rounding_only(loss: str) -> None:
    model = HistGradientBoosting(max_leaves=15, loss=loss, quantile=0.8, **BOOSTING)
    rows, run_times = table(600, seed=1)
    asked, _ = table(300, seed=2)
    same = scikit_learn().HistGradientBoostingRegressor(
        loss={"quantile": "quantile"}.get(loss, f"{loss}_error"),
        quantile=0.8 if loss == "quantile" else None,
        max_iter=30, learning_rate=0.2, max_leaf_nodes=15, min_samples_leaf=3,
        early_stopping=False, random_state=5,
    )  # fmt: skip
    with threadpool_limits(limits=1, user_api="openmp"):
        same.fit(rows, run_times)
    predictions = one_by_one(model.fit(rows, run_times), asked)
    # ours adds what is predicted without any tree last
    assert predictions == pytest.approx(same.predict(asked).tolist(), rel=1e-9)


@each_case("name", EXACT)
def test_numbers_next_to_a_threshold_take_scikit_learns_branch(name: str) -> None:
    rng = np.random.default_rng(5)
    train = rng.uniform(0, 3, (300, 1)).astype(np.float32).astype(float)
    run_times = rng.uniform(0, 1e5, 300)
    model, make = EXACT[name]
    regressor = make().fit(train, run_times)
    tree = regressor.estimators_[0]
    thresholds = (tree[0] if isinstance(tree, np.ndarray) else tree).tree_.threshold
    asked = np.concatenate([np.nextafter(thresholds, side) for side in (-9.0, 9.0)])[:, None]
    asked = np.concatenate([asked, thresholds[:, None], thresholds[:, None] * (1 + 2e-8)])
    fitted = model.fit(train, run_times)
    assert one_by_one(fitted, asked) == regressor.predict(asked).tolist()


@pytest.mark.parametrize("name", ENSEMBLES)
def test_a_model_survives_pickling(name: str) -> None:
    predictor = PREDICTORS.make({"name": name, "trees": 5, "min_jobs": 2})
    jobs = [
        Submission(id=f"{n}", submit_time=0.0, processors=n % 7, walltime=60.0 * (n % 5 + 1))
        for n in range(60)
    ]
    for number, job in enumerate(jobs):
        predictor.learn(job, float(number % 35), 0.0)
    before = [predictor.predict(job, 1.0) for job in jobs]
    copy = pickle.loads(pickle.dumps(predictor))  # noqa: S301 - our own bytes
    assert len(set(before)) > 1
    assert [copy.predict(job, 1.0) for job in jobs] == before


def test_a_quantile_is_above_the_wanted_share_of_run_times() -> None:
    rng = np.random.default_rng(3)
    run_times = rng.exponential(1000.0, 500)
    rows = rng.integers(0, 3, (500, 1)).astype(float)
    for model in (
        GradientBoosting(max_depth=2, loss="quantile", quantile=0.9, **BOOSTING),
        HistGradientBoosting(max_leaves=4, loss="quantile", quantile=0.9, **BOOSTING),
    ):
        predictions = one_by_one(model.fit(rows, run_times), rows)
        assert np.mean(run_times <= predictions) == pytest.approx(0.9, abs=0.03)
