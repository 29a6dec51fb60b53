"""The compiled fit of a tree grows scikit-learn's to the last bit."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from predictors.regression.flat_trees import TreeArrays, arrays_of_tree, to_single_precision
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


def column(rng: np.random.Generator, jobs: int) -> NDArray[np.float64]:
    """Return numbers that are alike, many, whole, all the same, or hardly apart."""
    drawn = (
        rng.integers(0, 4, jobs) * 1.0,
        rng.normal(size=jobs),
        np.full(jobs, 3.0),
        rng.integers(-1, 30, jobs) * 60.0,
        rng.integers(0, 5, jobs) * rng.choice([4e-8, 1e-9, 1e-7, 0.3]),
    )
    return drawn[rng.integers(0, 5)]


def unlike(seed: int) -> bool:
    """Say whether the two trees of a random table differ; it is full of equally good splits.

    `tests/pred_aware/engine/families.py` asks this uncompiled, in one process with others.
    """
    from sklearn.tree import DecisionTreeRegressor

    from predictors.regression.single_tree.fitting import fit

    rng = np.random.default_rng(seed)
    jobs = int(rng.integers(1, 120))
    rows = np.column_stack([column(rng, jobs) for _ in range(rng.integers(1, 9))])
    # some the same, as jobs of a user are; 0 with a sign is 0
    rows = rows[rng.integers(0, jobs, jobs)] * rng.choice([1.0, -1.0])
    targets = rng.integers(0, [2, 10, 1000, 86400][seed % 4], jobs).astype(float)
    options: dict[str, Any] = {
        "max_depth": rng.choice([None, None, 3, 1]),
        "min_samples_leaf": int(rng.choice([1, 1, 2, 5])),
    }
    theirs = DecisionTreeRegressor(random_state=seed, **options)
    theirs.fit(to_single_precision(rows), targets, check_input=False)
    ours = fit(rows, targets, seed=seed, **options)
    return ours is None or not same(ours, arrays_of_tree(theirs.tree_))


def same(ours: TreeArrays, theirs: TreeArrays) -> bool:
    def alike(name: str, where: NDArray[np.bool_]) -> bool:
        return np.array_equal(getattr(ours, name)[where], getattr(theirs, name)[where])

    if not np.array_equal(ours.left, theirs.left):
        return False
    inside = theirs.left >= 0
    return all(alike(name, inside) for name in ("right", "feature", "threshold")) and alike(
        "value", inside | ~inside
    )


@each_case("targets", [[0.5, 2.0], [-1.0, 2.0], [0.0, 1e9], [0.0, np.nan]])
def test_what_is_not_exact_is_left_to_scikit_learn(targets: list[float]) -> None:
    from predictors.regression.single_tree.fitting import fit

    found = fit(
        np.array([[0.0], [1.0]]), np.array(targets), max_depth=None, min_samples_leaf=1, seed=13
    )
    assert found is None
