"""What the compiled loops of a fit read and write: arrays, made outside of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Counts = NDArray[np.int32]


class BinTable(NamedTuple):
    """What is fitted."""

    classes: NDArray[np.uint16]
    """The class of each number, counted through all columns; shape (jobs, columns)."""
    by_column: NDArray[np.uint16]
    """The same; shape (columns, jobs)."""
    bounds: Integers
    """The first class of each column, and behind them the number of all; shape (columns + 1,)."""
    targets: Floats
    """Shape (jobs,)."""
    jobs_of: Counts
    """How many jobs each class has; shape (classes,)."""


class Options(NamedTuple):
    """How it is fitted."""

    learning_rate: float
    max_leaves: int
    min_samples_leaf: int
    base: float
    """The prediction without any tree."""


class Trees(NamedTuple):
    """The fitted trees; shape (trees, nodes), the root first."""

    column: Integers
    cut: Integers
    """The last class of the column, counted through all, that goes left."""
    left: Integers
    """The node; -1 at leaves."""
    right: Integers
    value: Floats
    """What a leaf adds to the prediction."""


class Work(NamedTuple):
    """What a fit keeps between two steps; the first ones have shape (jobs,)."""

    predicted: Floats
    gradients: NDArray[np.float32]
    jobs: NDArray[np.uint32]
    """The jobs, those of a node beside each other."""
    aside: NDArray[np.uint32]
    sums: Floats
    """Histograms: the sum of the gradients in each class; shape (places, classes)."""
    numbers: Counts
    """The number of jobs in each, likewise."""
    place: Integers
    """Where the histogram of each node stands; shape (nodes,), as all below."""
    start: Integers
    stop: Integers
    """The node's jobs among `jobs`."""
    total: Floats
    """The sum of their gradients."""
    value: Floats
    gain: Floats
    """Of the node's best split."""
    left_total: Floats
    left_jobs: Floats
    heap: Integers
    """Nodes to be split, a heap by gain."""
    unused: Integers
    """Places without a histogram."""
