"""The values of a site's nodes that the compiled loops work on; see `schedulers.machine.nodes`.

All of them are behind each other in one array, at the head of which it stands where each begins. A
table has a row for each thing, and columns that are named here. A set of nodes is a bit mask, in
words of `BITS` bits, so that none is negative.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.kernel.arrays import Floats, Integers

BITS: Final = 63

WORDS, LEVELS, MANY, MANY_SIZES = range(4)
"""How many words a bit mask has, how many levels a room, and how many nodes and sizes there are."""
COUNT_OF, FREE_OF, MEMORY_OF, ALL_OF, ROOM_OF = range(4, 9)
"""Where in a room, which begins with a bit mask for each level, there stands how many nodes are on
each, the free processors of each node, its memory in KiB and then its GPUs of each type, the free
processors of all; its end."""
NODE, SETS, SPANS, SIZES, CHOICES, WEIGHTS, TRIED, KINDS, JOBS = range(9, 18)
ROOM, LATER, UNITS, ALLOWED, CHOSEN, AVAILABLE, ON, PLACED, KNOWN, FREE_ON, DATES = range(18, 29)
LOST_AT, LOSSES = range(40, 42)
THERE, GPUS_PLACED, GPUS_ON = range(44, 47)
"""Where the tables begin, and the lists: of choices by kind (`TRIED`), and of their nodes by weight
(`WEIGHTS`); what is free now, at a date to come, and in tasks; bit masks for what is being chosen,
and what is chosen (`PLACED`); what is known to have no room, and how many have ended by each
planned end; where what is lost begins after so many changes (`LOST_AT`) in `LOSSES`, nodes and how
many of their processors; memory and GPUs of idle nodes (`THERE`); of those types of the nodes that
are chosen (`GPUS_PLACED`), and what a reservation leaves over and what it keeps (`GPUS_ON`)."""
ROUND, RESERVED, CHOSEN_ON, TAKEN, CHOICE, ENTRIES, LEFT_OVER, EXTRA, KEEPS_OF, PINS = range(29, 39)
FULL: Final = 39
CHANGED, LOST = range(42, 44)
TYPES: Final = 47
"""How often something was given back, and reserved, for what is known since; how many nodes are
chosen, their processors, and in which choice; how many entries of `held` are taken; what the
reservation leaves over of its nodes, and of all, and these (-1: those that are pinned, of which
there are so many); whether there was too little room for `held`; how many changes of the site have
come, whether something is lost, and how many types of GPUs there are."""
RUNS, TALLY, ROOMS = range(48, 51)
"""Where the tables of Slurm's choice begin: runs of neighbours, and how many nodes have room for so
many units, twice; and its rooms at dates to come."""
HEAD: Final = 51

CORES, THREADS, WHOLE, WORD, BIT = range(5)
NODE_WIDTH: Final = 5
"""Of a node: its processors, those of each core, whether a job has it as a whole, and where it
stands in a bit mask."""
LOW, HIGH = range(2)
"""Of a set: the first of its words, and the one after the last. The first set is of all nodes."""
PLACES, GETS_WHOLE, LIGHTEST, HEAVIEST = range(4)
CHOICE_WIDTH: Final = 4
"""Of a choice: its nodes, whether they are had as a whole, and where they stand in `WEIGHTS`, those
of the least first, and the end of these."""
SIZE, UNIT, EXACTLY, MOST, MEMORY, MEMORY_OF_UNIT, WANTS_WHOLE, ANY_DO, FIRST, LAST = range(10)
ON_EACH, TOGETHER, OF_TYPE = range(10, 13)
KIND_WIDTH: Final = 13
"""Of a kind of jobs: its request, where its choices stand in `TRIED`, and their end; the GPUs that
it asks for on each node, or together, and of which type (-1: any)."""
KIND, HELD, PIECES, HAS_WHOLE, TOTAL, PARTS, TAKES, AT_CHOICE = range(8)
JOB_WIDTH: Final = 8
"""Of a job: its kind, and what it has: where its nodes stand in `Nodes.held`, how many they are,
whether it has them as a whole, and how many processors nobody else can have; then, while it waits,
how many nodes its place has, how many processors there, and in which choice (none: no place)."""
GIVEN, LEFT, MEMORY_LEFT, KEPT, MEMORY_KEPT, PINNED, PIN, GPUS_GIVEN, FITS = range(9)
ON_WIDTH: Final = 9
"""Of a node (`ON`): what a job is given; what a reservation leaves over; what it keeps now; and
whether it is pinned. `PIN` is a list of those that are. The last are the GPUs that it is given, and
how many of its units have room."""
RUN_RANK, RUN_ROOM, RUN_BEGIN, RUN_BEHIND = range(4)
RUN_WIDTH: Final = 4
"""Of a run: the rank of its weight, how many units have room, its first node, and the one behind
the last."""
NO_ROOM, NO_ROOM_BESIDE = range(2)
"""Of a kind (`KNOWN`): when it was found to have none."""
IS_FREE, SINCE, OUTSIDE, BESIDE_SINCE = range(4)
FREE_WIDTH: Final = 4
"""Of a set (`FREE_ON`): at most so many processors are free there, and outside of what is reserved,
since when."""


STEPS, SHORT = range(2)
"""How many steps of time there are, and whether there was no room for more."""


class Nodes(NamedTuple):
    """The nodes of a site, what jobs ask of them, and what they have."""

    values: Integers
    held: NDArray[np.int32]
    """Nodes, how many processors of each a job was given, and how many GPUs of each type; shape
    (entries, 2 + types). There is no type where no job asks for any."""


class Over(NamedTuple):
    """What is free on the nodes over time, and where jobs have places; see `nodes_over_time`."""

    nodes: Nodes
    times: Floats
    """When each step begins; shape (steps,), as `rows`."""
    rows: Integers
    """Where it stands in the next three; behind the steps those that are not in use."""
    totals: Integers
    """The free processors of all nodes; shape (steps,)."""
    free: Integers
    """Those of each; shape (steps, nodes)."""
    memory: Integers
    """In KiB, likewise, and behind it the GPUs of each type; empty where no site tells of it."""
    least: Integers
    """What is free of both throughout some steps; shape (2, as many as there are of either)."""
    firsts: Integers
    """Where the place of each job stands in `placed`."""
    placed: NDArray[np.int32]
    """What a place has of nodes, as in `Nodes.held`."""
    counts: Integers
