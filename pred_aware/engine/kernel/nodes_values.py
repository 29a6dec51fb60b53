"""The values of a site's nodes that the compiled loops work on; see `schedulers.machine.nodes`.

Sets of nodes are bit masks in words of `BITS` bits, so that none is negative. Tables have a row for
each thing, and the columns that are named here.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.kernel.values import Integers

BITS: Final = 63

CORES, THREADS, WHOLE, WORD, BIT = range(5)
"""Of a node: its processors, those of each core, whether a job has it as a whole, and where it
stands in a bit mask."""
LOW, HIGH = range(2)
"""Of a set: the first of its words, and the one after the last."""
PLACES, GETS_WHOLE, LIGHTEST, HEAVIEST = range(4)
"""Of a choice: its nodes, whether they are had as a whole, and where they stand by weight in
`Nodes.weights`, those of the least first, and the end of these."""
SIZE, UNIT, EXACTLY, MOST, MEMORY, MEMORY_OF_UNIT, WANTS_WHOLE, ANY_DO, FIRST, LAST = range(10)
"""Of a kind of jobs: its request, and where its choices stand in `Nodes.tried`, and their end."""
KIND, HELD, PIECES, HAS_WHOLE, TOTAL = range(5)
"""Of a job: its kind, and what it has: where its nodes stand in `Nodes.held`, how many they are,
whether it has them as a whole, and how many processors nobody else can have."""
GIVEN, LEFT, MEMORY_LEFT, KEPT, MEMORY_KEPT, PINNED, PIN = range(7)
"""Of a node, for what is being chosen, and for what is reserved: what a job is given; what a
reservation leaves over; what it keeps now; and whether it is pinned. The last is a list of those
that are."""
NO_ROOM, NO_ROOM_BESIDE = range(2)
"""Of a kind: when it was found to have none."""
FREE_ON, SINCE, OUTSIDE, BESIDE_SINCE = range(4)
"""Of a set: at most so many processors are free there, and, outside of what is reserved, here."""
ROUND, RESERVED, CHOSEN_ON, TAKEN, CHOICE, ENTRIES, LEFT_OVER, EXTRA, KEEPS_OF, PINS = range(10)
NODE_COUNTS = 10
"""Places in `Nodes.counts`: how often something was given back, and reserved, for what is known
since; how many nodes are chosen, their processors, and in which choice; how many entries of `held`
are taken; what the reservation leaves over of its nodes, and of all, and these (-1: those that are
pinned, of which there are so many)."""
ALLOWED, CHOSEN, AVAILABLE = range(3)
"""Rows of `Nodes.masks`."""


class Room(NamedTuple):
    """What is free on each node; see `schedulers.machine.node_room`."""

    levels: Integers
    """The nodes on which so many processors are free; shape (levels, words)."""
    count: Integers
    """How many these are; shape (levels,)."""
    free_on: Integers
    """Processors on each node, and the memory in KiB; shape (nodes,)."""
    memory: Integers
    free: Integers
    """One entry: the processors on all of them."""


class Nodes(NamedTuple):
    """The nodes of a site, what jobs ask of them, and what they have."""

    node: Integers
    sets: Integers
    """Bit masks, the first of all nodes; shape (sets, words)."""
    spans: Integers
    member: NDArray[np.int8]
    """Whether a node is in a set; shape (sets, nodes)."""
    sizes: Integers
    """How many processors some nodes have, and which set these are; shape (sizes, 2)."""
    choices: Integers
    weights: Integers
    tried: Integers
    kinds: Integers
    jobs: Integers
    held: NDArray[np.int32]
    """Nodes, and how many processors of each a job was given; shape (entries, 2)."""
    room: Room
    later: Room
    """What is free at a date to come."""
    units: Integers
    """The levels of what is counted in tasks, likewise."""
    units_count: Integers
    masks: Integers
    """Shape (rows, words)."""
    on: Integers
    """Shape (nodes, columns)."""
    placed: Integers
    """The nodes that are chosen for a job, and what it is given there; shape (nodes, 2)."""
    known: Integers
    """Of kinds."""
    free_on: Integers
    """Of sets."""
    dates: Integers
    """How many jobs have ended by each planned end; shape (jobs + 1,)."""
    counts: Integers
