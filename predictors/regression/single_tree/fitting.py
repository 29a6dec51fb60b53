"""A regression tree of whole numbers, for the squared error."""

from functools import cache

import numpy as np

from predictors.regression.flat_trees import (
    TreeArrays,
    largest_rounding_to_at_most,
    to_single_precision,
)
from predictors.regression.single_tree.growing import grow
from predictors.regression.single_tree.rows import classify, join
from predictors.regression.single_tree.values import (
    DIGITS,
    MOST_JOBS,
    NUMBERS,
    STACKED,
    STATE,
    Floats,
    Integers,
    Numbers,
    Rows,
    SplitTable,
    Tree,
    Work,
)

_EXACT = 2.0**52
"""Sums of whole numbers below are exact."""
_LARGEST_SUM = 2.0**46
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
    table = _table(rows, _joined(rows, whole))
    work = _work(table, seed)
    tree = _nothing(2 * len(table.targets) - 1)
    depth = _LARGEST if max_depth is None else max_depth
    nodes = grow(table, work, tree, depth, min_samples_leaf)
    column, threshold, left, right, value = (part[:nodes] for part in tree)
    inner = left >= 0
    threshold[inner] = largest_rounding_to_at_most(threshold[inner])
    return TreeArrays(column, threshold, left, right, value)


def _joined(rows: Floats, targets: Integers) -> Rows:
    """Return the rows that differ."""
    jobs = len(targets)
    slots = np.zeros(2 << jobs.bit_length(), np.uint16)
    found = Rows(_integers(jobs), _integers(jobs), _integers(jobs), slots)
    number = join(np.ascontiguousarray(rows).view(np.int64), targets, found)
    return Rows(found.first[:number], found.targets[:number], found.squares[:number], slots)


def _table(every: Floats, rows: Rows) -> SplitTable:
    """Put their numbers into classes."""
    numbers = np.ascontiguousarray(to_single_precision(every[rows.first]).T)
    classes = np.zeros(numbers.shape, np.uint16)
    distinct = np.zeros(numbers.size, np.float32)
    table = SplitTable(classes, distinct, _integers(len(numbers) + 1), rows.targets, rows.squares)
    keys = _integers(2, len(rows.first))
    classify(table, Numbers(numbers, numbers.view(np.int32), keys, _integers(DIGITS)))
    return table


def _work(table: SplitTable, seed: int) -> Work:
    columns, rows = table.classes.shape
    classes = int(np.diff(table.first).max())
    numbers = _integers(NUMBERS)
    numbers[STATE] = _first_state(seed)
    return Work(
        rows=np.zeros(rows, np.uint32),
        targets=_integers(rows),
        keys=_integers(rows),
        sums=_integers(classes),
        present=_integers(rows),
        present_sums=_integers(rows),
        columns=_integers(columns),
        same=_integers(columns),
        stack=_integers(rows + 1, STACKED),
        numbers=numbers,
    )


@cache
def _first_state(seed: int) -> int:
    """Return what random numbers begin with: seeding takes as long as the rest of this."""
    # it never is 0: 0 would stay 0
    return int(np.random.RandomState(seed).randint(0, _LARGEST)) or 1


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
