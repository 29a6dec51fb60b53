import numpy as np
import pytest

from predictors.regression.trees import Trees, root_of
from tests.suites import each_case


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_each_tree_predicts_as_it_does_alone(scale: float) -> None:
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(1)
    rows, run_times = rng.uniform(0, 9, (200, 3)), rng.exponential(3600.0, (200, 6))
    trees = [
        DecisionTreeRegressor(max_depth=depth, random_state=1).fit(rows, column).tree_
        for depth, column in enumerate(run_times.T, start=1)
    ]
    alone = [Trees([root_of(tree)]) for tree in trees]
    together = Trees([root_of(tree, scale=scale) for tree in trees])
    for row in rng.uniform(0, 9, (100, 3)).tolist():
        assert together.leaves(row) == [scale * tree.predict(row) for tree in alone]


def rows_and_run_times(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray]:
    rows = np.column_stack(
        [
            rng.integers(-1, 400, number),
            rng.choice([0.1, 4.5, 230.0, 1 / 3], number),
            rng.uniform(-1, 1e9, number),
            rng.integers(0, 2**30, number),
        ]
    )
    return rows, rng.exponential(3600.0, number)


@each_case("seed", range(4))
def test_predictions_equal_those_of_scikit_learn_to_the_last_bit(seed: int) -> None:
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(seed)
    fitted = DecisionTreeRegressor(random_state=seed).fit(*rows_and_run_times(rng, 2000))
    flat = Trees([root_of(fitted.tree_)])
    rows, _ = rows_and_run_times(rng, 5000)
    assert [flat.predict(row) for row in rows.tolist()] == fitted.predict(rows).tolist()


def test_numbers_next_to_a_threshold_take_scikit_learns_branch() -> None:
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(5)
    train = rng.uniform(0, 3, (500, 1)).astype(np.float32)
    fitted = DecisionTreeRegressor(random_state=0).fit(train, rng.uniform(0, 1e5, 500))
    flat = Trees([root_of(fitted.tree_)])
    thresholds = fitted.tree_.threshold[fitted.tree_.feature >= 0]
    below = thresholds.astype(np.float32)
    middles = [
        (below.astype(float) + np.nextafter(below, np.float32(side)).astype(float)) / 2
        for side in (-np.inf, np.inf)
    ]
    around = [thresholds, below.astype(float), *middles]
    around += [np.nextafter(near, side) for near in around for side in (-np.inf, np.inf)]
    rows = np.concatenate(around)[:, None]
    assert [flat.predict(row) for row in rows.tolist()] == fitted.predict(rows).tolist()
