"""What the compiled loops of a fit read and write: arrays, made outside of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

BEGIN, END, DEPTH, PARENT, IS_LEFT, KNOWN, SUMMED, SQUARES = range(8)
STACKED = 8
DIGITS = 2048
COUNT_BITS = 16
"""So many bits of a sum are for the number of jobs in it: fewer than 65,536 can be fitted."""
MOST_JOBS = 2**COUNT_BITS - 1
"""Places in `Work.stack`: the node's rows among `Work.rows`, how many columns are known to be the
same in all of them, and the sums of their targets, with the number of jobs, and of the squares."""
STATE, CLASS, COLUMN, SAME = range(4)
NUMBERS = 4
"""Places in `Work.numbers`: of the generator of random numbers; the last class of the best split's
left side, and its column; how many columns are the same in all jobs of the node."""


class Rows(NamedTuple):
    """Rows that differ; shape (jobs,)."""

    first: Integers
    """A job of each."""
    targets: Integers
    """The sum of what is to be predicted, moved to the left by `COUNT_BITS`, and the number of
    jobs."""
    squares: Integers
    """The sum of the squares of the former."""
    slots: NDArray[np.uint16]
    """Where rows with these bits are looked for, 0 or the number of a row and 1; a power of 2."""


class Numbers(NamedTuple):
    """What is put into classes."""

    numbers: NDArray[np.float32]
    """Shape (columns, rows)."""
    bits: NDArray[np.int32]
    """Theirs."""
    keys: Integers
    """The bits of a column and the row, sorted from one to the other; shape (2, rows)."""
    places: Integers
    """Where keys with each digit go; shape (2048,)."""


class SplitTable(NamedTuple):
    """What is fitted."""

    classes: NDArray[np.uint16]
    """Which of the different numbers of its column each number is; shape (columns, rows)."""
    distinct: NDArray[np.float32]
    """The different numbers of the columns, behind each other, each column's in their order."""
    first: Integers
    """Where those of each column begin, and how many there are; shape (columns + 1,)."""
    targets: Integers
    """As of `Rows`; shape (rows,)."""
    squares: Integers


class Tree(NamedTuple):
    """The fitted tree; shape (nodes,), the root first."""

    column: Integers
    threshold: Floats
    """Numbers with at most that go left."""
    left: Integers
    """The node; -1 at leaves."""
    right: Integers
    value: Floats


class Work(NamedTuple):
    """What a fit keeps between two steps."""

    rows: NDArray[np.uint32]
    """The rows, those of a node beside each other; shape (rows,)."""
    targets: Integers
    """Theirs; shape (rows,)."""
    keys: Integers
    """Class and place of a node's rows, to be sorted; shape (rows,)."""
    sums: Integers
    """Of the targets of the node's rows in each class; zero between two uses; shape (classes,)."""
    present: Integers
    """The classes that the node has, and the sum of the targets of each; shape (rows,)."""
    present_sums: Integers
    columns: Integers
    """The columns as they are drawn; shape (columns,)."""
    same: Integers
    """Those that are the same in all rows of a node; shape (columns,)."""
    stack: Integers
    """Nodes to be split; shape (nodes, 8)."""
    numbers: Integers
