"""Whether compiled fits grow the trees of the scikit-learn that is installed."""

import numpy as np

from predictors.loops import Fits
from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.flat_trees import FlatTrees, nodes_of_model
from predictors.regression.one_thread import one_thread

_JOBS = 1500
"""So many that columns have more numbers than classes."""


def same_trees(fits: Fits) -> bool:
    """Fit a made table with both, and say whether the answers are the same to the last bit."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    rng = np.random.default_rng(7)
    rows = np.column_stack(
        [
            rng.integers(0, 40, _JOBS),
            rng.exponential(1000.0, _JOBS),
            np.full(_JOBS, -1.0),
            rng.integers(0, 900, _JOBS) * 60.0,
            rng.integers(0, 300, _JOBS),
        ]
    ).astype(np.float64)
    targets = np.log1p(rows[:, 1] * rng.uniform(0.5, 2.0, _JOBS)) + rows[:, 0] % 7
    boosting = HistGradientBoostingRegressor(
        max_iter=20, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=20,
        early_stopping=False, random_state=13,
    )  # fmt: skip
    with one_thread("openmp"):
        boosting.fit(rows, targets)
    theirs = CompiledTrees(boosting, rounded=False)
    found = fits(
        rows, targets, last=None, trees=20, learning_rate=0.06, max_leaves=8, min_samples_leaf=20
    )
    if found.base != theirs.base:
        return False
    ours, others = FlatTrees(found.trees), FlatTrees(nodes_of_model(theirs.model))
    edges = np.unique([number for tree in found.trees for number in tree.threshold])
    asked = rows.copy()
    asked[: len(edges)] = edges[:_JOBS, None]
    return all(ours.leaves(row) == others.leaves(row) for row in asked.tolist())
