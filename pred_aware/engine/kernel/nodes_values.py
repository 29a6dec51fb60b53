"""The values of a site's nodes that the compiled loops work on; see `schedulers.machine.nodes`.

A set of nodes is a bit mask, in words of `BITS` bits, so that none is negative.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.kernel.arrays import Floats, Integers

Pieces = NDArray[np.int32]

BITS: Final = 63

PROCESSORS, MEMORY, GPUS = range(3)
"""Things that a node has: its processors, its memory in KiB, and from `GPUS` on its GPUs of each
type, of which there is none where no job asks for any."""
NODE, GIVEN = range(2)
"""What a piece is of and how many of its processors; its GPUs of each type stand from `GPUS` on."""

PRESENT, LATER, UNITS = range(3)
"""Rooms: what is free now, at a date to come, and how many units there is room for."""
ROOMS: Final = 3
"""Behind them those of Slurm at dates to come."""

ROUND, RESERVED, CHANGED, LOST = range(4)
"""Places in `Nodes.counts`: how often something was given back, and reserved, for what is known
since; how many changes of the site have come, and whether something is lost."""
CHOSEN_ON, TAKEN, CHOICE = range(4, 7)
"""How many nodes are chosen, their processors, and in which choice."""
ENTRIES, FULL = range(7, 9)
"""How many entries of `held` are taken, and whether there was too little room."""
LEFT_OVER, EXTRA, KEEPS_OF, PINS = range(9, 13)
"""What the reservation leaves over of its nodes, and of all, and which set these are (-1: those
that are pinned, of which there are so many)."""
COUNTS: Final = 13
STEPS, SHORT = range(2)
"""Places in `Over.counts`: how many steps of time there are, and whether there was no room for
more."""


class Rooms(NamedTuple):
    """What is free; of units only the first two."""

    levels: Integers
    """The nodes that have so many free processors, above 0; shape (rooms, levels, words)."""
    counts: Integers
    """How many they are; shape (rooms, levels)."""
    free: Integers
    """What each has; shape (rooms, things, nodes)."""
    total: Integers
    """The free processors of all; shape (rooms,)."""


class Sets(NamedTuple):
    """Sets of nodes, the first of all; shape (sets,)."""

    masks: Integers
    """Shape (sets, words)."""
    low: Integers
    """The first word in which a set has any, and the one after the last."""
    high: Integers
    free: Integers
    """At most so many processors are free there, since a `ROUND`."""
    since: Integers
    outside: Integers
    """Likewise outside of what is reserved, since a `RESERVED`."""
    outside_since: Integers


class Choices(NamedTuple):
    """Nodes among which jobs may have some; shape (choices,)."""

    nodes: Integers
    """As a set."""
    whole: Integers
    """Whether they are had as a whole."""
    first: Integers
    """Where they stand in `Nodes.weights`, those of the least first, and the end of these."""
    last: Integers


class Kinds(NamedTuple):
    """What jobs ask for, as `schedulers.machine.node_request.Request` has it; shape (kinds,)."""

    processors: Integers
    unit: Integers
    exactly: Integers
    most: Integers
    memory: Integers
    """In KiB on each node, then beside each unit."""
    memory_of_unit: Integers
    whole: Integers
    any_do: Integers
    first: Integers
    """Where their choices stand in `Nodes.tried`, and their end."""
    last: Integers
    gpus_on_node: Integers
    gpus: Integers
    """Together."""
    gpu_type: Integers
    """As a thing; -1: any."""
    no_room: Integers
    """The `ROUND` in which it was found to have none."""
    no_room_beside: Integers
    """Likewise beside a reservation: the `RESERVED`."""


class JobsOnNodes(NamedTuple):
    """What jobs have; shape (jobs,)."""

    kind: Integers
    first: Integers
    """Where their pieces stand in `Nodes.held`, and how many they are."""
    pieces: Integers
    whole: Integers
    """Whether they have their nodes as a whole."""
    total: Integers
    """How many processors nobody else can have."""
    places: Integers
    """While they wait how many pieces their places have (none: no place), the processors there, and
    in which choice."""
    takes: Integers
    choice: Integers


class Choosing(NamedTuple):
    """What is being chosen for a job; shape (words,), then (nodes,)."""

    allowed: Integers
    """The nodes that are looked at, and those that are left out."""
    closed: Integers
    available: Integers
    chosen: Integers
    given: Integers
    """What a node gives: units, and GPUs where they are asked for together."""
    gpus: Integers
    fits: Integers
    """How many units have room."""
    pieces: Pieces
    """What is chosen; shape (nodes, things)."""


class Reserved(NamedTuple):
    """What a reservation is for."""

    pinned: Integers
    """Whether a node is; shape (nodes,)."""
    pins: Integers
    """A list of those that are."""
    left: Integers
    """What it leaves over of these; shape (things, nodes)."""
    keeps: Integers
    """What it keeps now, likewise."""
    dates: Integers
    """How many have ended by each planned end; shape (jobs + 1,)."""


class Runs(NamedTuple):
    """Runs of neighbours; shape (nodes,)."""

    rank: Integers
    """Of the weight."""
    room: Integers
    """How many units have room."""
    begin: Integers
    """The first node, and the one behind the last."""
    behind: Integers
    tally: Integers
    """How many nodes have room for so many units, and whether any of the first weights has; shape
    (2, levels)."""


class Nodes(NamedTuple):
    """The nodes of a site, what jobs ask of them, and what they have."""

    rooms: Rooms
    there: Integers
    """What each node has; shape (things, nodes)."""
    threads: Integers
    """How many processors each of its cores has; shape (nodes,), as next."""
    whole: Integers
    """Whether a job has it as a whole."""
    word: Integers
    """Where it stands in a bit mask."""
    bit: Integers
    sets: Sets
    sizes: Integers
    """How many processors a node may have, and the set of those with as many; shape (sizes, 2)."""
    choices: Choices
    weights: Integers
    """Sets."""
    tried: Integers
    """Choices."""
    kinds: Kinds
    jobs: JobsOnNodes
    held: Pieces
    """What jobs have; shape (entries, things)."""
    choosing: Choosing
    reserved: Reserved
    runs: Runs
    lost_at: Integers
    """Where in the next that begins which is lost after so many changes."""
    losses: Integers
    """Nodes, and how many of their processors; shape (losses, 2)."""
    counts: Integers


class Over(NamedTuple):
    """What is free on the nodes over time, and where jobs have places; see `nodes_over_time`."""

    nodes: Nodes
    times: Floats
    """When each step begins; shape (steps,), as `rows`."""
    rows: Integers
    """Where it stands in the next two; behind the steps those that are not in use."""
    totals: Integers
    """The free processors of all nodes; shape (steps,)."""
    free: Integers
    """What each has; shape (steps, things, nodes), of processors alone where no site tells of the
    rest."""
    least: Integers
    """What it has throughout some steps; shape (things, nodes)."""
    firsts: Integers
    """Where the place of each job stands in `placed`."""
    placed: Pieces
    """What places have, as in `Nodes.held`."""
    counts: Integers
