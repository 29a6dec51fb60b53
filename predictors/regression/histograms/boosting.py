"""Gradient boosting on classes of numbers, for the squared error."""

from typing import NamedTuple

import numpy as np

from predictors.regression.flat_trees import Nodes
from predictors.regression.histograms.classes import Classes
from predictors.regression.histograms.kernel import boost
from predictors.regression.histograms.last_classes import LastClasses
from predictors.regression.histograms.values import (
    BinTable,
    Floats,
    Integers,
    Options,
    Trees,
    Work,
)


class Boosted(NamedTuple):
    """Fitted trees."""

    trees: list[Nodes]
    base: float
    """The prediction without any tree."""


def fit(
    rows: Floats,
    targets: Floats,
    *,
    last: LastClasses | None,
    trees: int,
    learning_rate: float,
    max_leaves: int,
    min_samples_leaf: int,
) -> Boosted:
    """Fit trees one after the other, as scikit-learn's ``HistGradientBoostingRegressor`` does.

    Parameters
    ----------
    rows, targets
        Finite numbers, shape (jobs, columns), and what is to be predicted, shape (jobs,).
    last
        Has the classes of the rows already, if they were the last that it was asked for.
    trees, learning_rate, max_leaves, min_samples_leaf
        As of `predictors.regression.hist_gradient_boosting.HistGradientBoosting`.
    """
    classes = Classes.of(rows) if last is None else last.of(rows)
    bounds = classes.bounds
    base = float(np.average(targets))
    grown = _nothing(trees, nodes=2 * max_leaves - 1)
    boost(
        BinTable(
            classes.of_job, classes.by_column, bounds, np.ascontiguousarray(targets), classes.jobs
        ),
        Options(learning_rate, max_leaves, min_samples_leaf, base),
        _work(len(targets), int(bounds[-1]), leaves=max_leaves),
        grown,
    )
    return Boosted(_nodes(grown, classes), base)


def _nodes(grown: Trees, classes: Classes) -> list[Nodes]:
    """Return the nodes with columns of the table, and numbers in place of classes."""
    # at leaves anything, since nothing is compared there
    column = np.append(classes.columns, -1)[np.where(grown.left < 0, -1, grown.column)]
    cuts = np.concatenate([np.append(cuts, np.inf) for cuts in classes.cuts])
    parts = (column, cuts[grown.cut], grown.left, grown.right, grown.value)
    return [Nodes(*tree) for tree in zip(*(part.tolist() for part in parts), strict=True)]


def _nothing(trees: int, *, nodes: int) -> Trees:
    def integers() -> Integers:
        return np.zeros((trees, nodes), np.int64)

    return Trees(
        column=integers(),
        cut=integers(),
        left=np.full((trees, nodes), -1),
        right=integers(),
        value=np.zeros((trees, nodes)),
    )


def _work(jobs: int, classes: int, *, leaves: int) -> Work:
    nodes = 2 * leaves - 1

    def integers(number: int = nodes) -> Integers:
        return np.zeros(number, np.int64)

    def floats(number: int = nodes) -> Floats:
        return np.zeros(number)

    return Work(
        predicted=floats(jobs),
        gradients=np.zeros(jobs, np.float32),
        jobs=np.zeros(jobs, np.uint32),
        aside=np.zeros(jobs, np.uint32),
        sums=np.zeros((leaves + 1, classes)),
        numbers=np.zeros((leaves + 1, classes), np.int32),
        place=integers(),
        start=integers(),
        stop=integers(),
        total=floats(),
        value=floats(),
        gain=floats(),
        left_total=floats(),
        left_jobs=floats(),
        heap=integers(leaves + 1),
        unused=integers(leaves + 1),
    )
