"""A regression tree of whole numbers, for the squared error."""

import numpy as np

from predictors.regression.flat_trees import (
    TreeArrays,
    largest_rounding_to_at_most,
    to_single_precision,
)
from predictors.regression.single_tree.growing import grow
from predictors.regression.single_tree.values import (
    NUMBERS,
    STACKED,
    STATE,
    Floats,
    Integers,
    Table,
    Tree,
    Work,
)

_EXACT = 2.0**53
"""Sums of whole numbers below are exact."""
_LARGEST = np.iinfo(np.int32).max


def fit(
    rows: Floats, targets: Floats, *, max_depth: int | None, min_samples_leaf: int, seed: int
) -> TreeArrays | None:
    """Fit a tree, as scikit-learn's ``DecisionTreeRegressor`` does.

    Parameters
    ----------
    rows, targets
        Finite numbers, shape (jobs, columns), and what is to be predicted, shape (jobs,).
    max_depth, min_samples_leaf, seed
        As of `predictors.regression.decision_tree.DecisionTree`.

    Returns
    -------
    TreeArrays
        ``None`` where targets are no whole numbers, or so large that their sums are not exact.
    """
    whole = targets.astype(np.int64)
    if not (np.abs(targets).max() < _EXACT and (whole == targets).all()):
        return None
    if float(targets @ targets) >= _EXACT / 2.0:
        return None
    table = _table(to_single_precision(rows), whole)
    work = _work(table, seed)
    tree = _nothing(2 * len(targets) - 1)
    depth = _LARGEST if max_depth is None else max_depth
    nodes = grow(table, work, tree, depth, min_samples_leaf)
    column, threshold, *others = (part[:nodes] for part in tree)
    return TreeArrays(column, largest_rounding_to_at_most(threshold), *others)


def _table(rows: "np.typing.NDArray[np.float32]", targets: Integers) -> Table:
    classes = np.zeros(rows.shape[::-1], np.int32)
    distinct, first = [], [0]
    for column, numbers in enumerate(np.ascontiguousarray(rows.T)):
        different, classes[column] = np.unique(numbers, return_inverse=True)
        distinct.append(different)
        first.append(first[-1] + len(different))
    return Table(classes, np.concatenate(distinct), np.array(first[:-1], np.int64), targets)


def _work(table: Table, seed: int) -> Work:
    columns, jobs = table.classes.shape
    classes = int(table.classes.max(initial=0)) + 1
    numbers = _integers(NUMBERS)
    # it never is 0: 0 would stay 0
    numbers[STATE] = np.random.RandomState(seed).randint(0, _LARGEST) or 1
    return Work(
        jobs=_integers(jobs),
        keys=_integers(jobs),
        counts=_integers(classes),
        sums=_integers(classes),
        present=_integers(jobs),
        present_counts=_integers(jobs),
        present_sums=_integers(jobs),
        columns=_integers(columns),
        same=_integers(columns),
        stack=_integers(jobs + 1, STACKED),
        impurity=np.zeros(jobs + 1),
        numbers=numbers,
    )


def _nothing(nodes: int) -> Tree:
    return Tree(
        column=_integers(nodes),
        threshold=np.zeros(nodes),
        left=_integers(nodes),
        right=_integers(nodes),
        value=np.zeros(nodes),
    )


def _integers(*shape: int) -> Integers:
    return np.zeros(shape, np.int64)
