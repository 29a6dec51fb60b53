"""A regression tree of whole numbers, for the squared error."""

import numpy as np
from numpy.typing import NDArray

from predictors.regression.flat_trees import (
    TreeArrays,
    largest_rounding_to_at_most,
    to_single_precision,
)
from predictors.regression.single_tree.growing import classify, grow
from predictors.regression.single_tree.values import (
    COUNT_BITS,
    MOST_JOBS,
    NUMBERS,
    STACKED,
    STATE,
    Floats,
    Integers,
    Table,
    Tree,
    Work,
)

_EXACT = 2.0**52
"""Sums of whole numbers below are exact."""
_LARGEST_SUM = 2.0**46
_MOST_LOOKED_UP = 2.0**20
Singles = NDArray[np.float32]
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
        ``None`` where targets are no whole numbers from 0 on, or so large that the sums of their
        squares are not exact, or 65,536 jobs and more.
    """
    if len(targets) > MOST_JOBS or targets.min() < 0.0 or not targets @ targets < _EXACT:
        return None
    whole = targets.astype(np.int64)
    if float(targets.sum()) >= _LARGEST_SUM or not (whole == targets).all():
        return None
    table = _table(to_single_precision(rows), whole)
    work = _work(table, seed)
    tree = _nothing(2 * len(targets) - 1)
    depth = _LARGEST if max_depth is None else max_depth
    nodes = grow(table, work, tree, depth, min_samples_leaf)
    column, threshold, *others = (part[:nodes] for part in tree)
    return TreeArrays(column, largest_rounding_to_at_most(threshold), *others)


def _table(rows: Singles, targets: Integers) -> Table:
    classes = np.zeros(rows.shape[::-1], np.uint16)
    distinct, first = [], [0]
    for numbers, of_job in zip(np.ascontiguousarray(rows.T), classes, strict=True):
        different = _distinct(numbers)
        if len(different) > 1:
            _classify(numbers, different, of_job)
        distinct.append(different)
        first.append(first[-1] + len(different))
    counted = (targets << COUNT_BITS) + 1
    return Table(classes, np.concatenate(distinct), np.array(first, np.int64), counted)


def _distinct(numbers: Singles) -> Singles:
    in_order = np.sort(numbers)
    if in_order[0] == in_order[-1]:
        return in_order[:1]
    found: Singles = in_order[np.append(True, in_order[1:] != in_order[:-1])]
    return found


def _classify(numbers: Singles, distinct: Singles, classes: NDArray[np.uint16]) -> None:
    """Find each number of a column among the different ones: whole ones in a table."""
    lowest, highest = float(distinct[0]), float(distinct[-1])
    if highest - lowest < _MOST_LOOKED_UP and (distinct == np.rint(distinct)).all():
        places = np.zeros(int(highest - lowest) + 1, np.uint16)
        places[(distinct - distinct[0]).astype(np.int64)] = np.arange(len(distinct))
        classes[:] = places[(numbers - distinct[0]).astype(np.int64)]
    else:
        classify(numbers, distinct, classes)


def _work(table: Table, seed: int) -> Work:
    columns, jobs = table.classes.shape
    classes = int(table.classes.max(initial=0)) + 1
    numbers = _integers(NUMBERS)
    # it never is 0: 0 would stay 0
    numbers[STATE] = np.random.RandomState(seed).randint(0, _LARGEST) or 1
    return Work(
        jobs=_integers(jobs),
        targets=_integers(jobs),
        keys=_integers(jobs),
        sums=_integers(classes),
        present=_integers(jobs),
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
