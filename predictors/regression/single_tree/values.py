"""What the compiled loops of a fit read and write: arrays, made outside of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

BEGIN, END, DEPTH, PARENT, IS_LEFT, KNOWN = range(6)
STACKED = 6
COUNT_BITS = 16
"""So many bits of a sum are for the number of jobs in it: fewer than 65,536 can be fitted."""
MOST_JOBS = 2**COUNT_BITS - 1
"""Places in `Work.stack`: the node's jobs among `Work.jobs`, and how many columns are known to be
the same in all of them."""
STATE, CLASS, COLUMN, LEFT, SAME = range(5)
NUMBERS = 5
"""Places in `Work.numbers`: of the generator of random numbers; the last class, the column and the
number of jobs of the best split's left side; how many columns are the same in all jobs of the node.
"""


class Table(NamedTuple):
    """What is fitted."""

    classes: NDArray[np.uint16]
    """Which of the different numbers of its column each number is; shape (columns, jobs)."""
    distinct: NDArray[np.float32]
    """The different numbers of the columns, behind each other, each column's in their order."""
    first: Integers
    """Where those of each column begin, and how many there are; shape (columns + 1,)."""
    targets: Integers
    """What is to be predicted, moved to the left by `COUNT_BITS`, and 1 for the job; shape (jobs,).
    """


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

    jobs: Integers
    """The jobs, those of a node beside each other; shape (jobs,)."""
    targets: Integers
    """Theirs; shape (jobs,)."""
    keys: Integers
    """Class and place of a node's jobs, to be sorted; shape (jobs,)."""
    sums: Integers
    """Of the targets of the node's jobs in each class; zero between two uses; shape (classes,)."""
    present: Integers
    """The classes that the node has, and the sum of the targets of each; shape (jobs,)."""
    present_sums: Integers
    columns: Integers
    """The columns as they are drawn; shape (columns,)."""
    same: Integers
    """Those that are the same in all jobs of a node; shape (columns,)."""
    stack: Integers
    """Nodes to be split; shape (nodes, 6)."""
    impurity: Floats
    """Theirs; shape (nodes,)."""
    numbers: Integers
