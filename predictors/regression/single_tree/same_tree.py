"""Whether a compiled fit grows the tree of the scikit-learn that is installed."""

import numpy as np

from predictors.loops import FitsTree
from predictors.regression.flat_trees import arrays_of_tree, to_single_precision

_JOBS = 1500


def same_tree(fits: FitsTree) -> bool:
    """Fit a made table with both, and say whether all nodes are the same to the last bit."""
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(7)
    rows = np.column_stack(
        [
            rng.integers(0, 40, _JOBS),
            rng.exponential(1000.0, _JOBS),
            np.full(_JOBS, -1.0),
            rng.integers(0, 90, _JOBS) * 60.0,
            rng.integers(0, 5, _JOBS) * 3e-8,
        ]
    ).astype(np.float64)
    targets = np.rint(rows[:, 1] * rng.uniform(0.5, 2.0, _JOBS) / 50.0) + rows[:, 0] % 7
    regressor = DecisionTreeRegressor(random_state=13)
    regressor.fit(to_single_precision(rows), targets, check_input=False)
    theirs = arrays_of_tree(regressor.tree_)
    ours = fits(rows, targets, max_depth=None, min_samples_leaf=1, seed=13)
    if ours is None or not np.array_equal(ours.left, theirs.left):
        return False
    inside = ours.left >= 0
    return (
        np.array_equal(ours.right, theirs.right)
        and np.array_equal(ours.value, theirs.value)
        and np.array_equal(ours.feature[inside], theirs.feature[inside])
        and np.array_equal(ours.threshold[inside], theirs.threshold[inside])
    )
