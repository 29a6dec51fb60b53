"""The values of Slurm's scheduling that the compiled loops work on; see `slurm`.

Sets of nodes, on a counted machine of its processors, are bit masks, in words of `BITS` bits, so
that none is negative; all of them are rows of one table.
"""

from typing import Final, NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.nodes_values import BITS

__all__ = ["BITS", "Slurm"]

ALL, FREE, UNPLANNED, ROOM, LOOKED, PLACED, MIXED, SEEN = range(8)
"""Rows of masks: all nodes, those that are free, those that are free as the schedulers know, these
in a pass, what a job may have at a date, what is chosen for it, what is free of that, and what it
may have now. On nodes nobody looks at what is free here: see `slurm_nodes`."""
HEAD_ROWS: Final = 8
"""Behind them what each job has that runs, as the schedulers know and really, the rooms of a pass,
its table of plans, what is remembered of it (see `slurm_memory`), and the sets of `Slurm.tries`."""

DUE, MAIN_DUE, LAST_MAIN, LAST_FULL, LAST_BACKFILL, CALLED_AT, PASS_AT = range(7)
NOW, UNTIL, BEYOND, ENDS_BY, SEES, STILL_SINCE = range(7, 13)
DATES: Final = 13
"""Places in `Slurm.at`, dates in seconds: when backfill and the main scheduler are due, the last
passes, the call that is waited for, and the pass that is wanted; of a pass of backfill its date,
the end of its table and the first end of an entry beyond; and with which end of the table, and
until when, a job is planned as it is; and since when nothing was to be seen on an idle machine."""
ENDED, UNSEEN, CALLS, UNUSED, ENDS, ROOMS, PERIODS, ENTRIES, BEGUN, TESTED = range(10)
IS_FULL, ENOUGH, OVER, UNSETTLED, FREE_KNOWN, FREE_IN_PASS = range(10, 16)
KEPT, KEPT_BEFORE, AGAIN, GOES_ON, TAKEN_UP, TOP, CHANGED = range(16, 23)
FORGETS, ENDS_BEFORE, FREE_BEFORE, LOOKED_COUNT, ENTERED, PASSES, WAITED = range(23, 30)
COUNTS: Final = 30
"""Places in `Slurm.counts`: whether there is more room than before, and jobs that the main
scheduler has not seen; how many calls, places for masks, ends and rooms there are; of the table, as
`schedulers.slurm.table` has it; whether a pass has enough, and whether there is no room left; how
many jobs were chosen that the schedulers have not seen run; and how many processors are free as
they count, now and in a pass. Of what is remembered: how many jobs, and how many by the last pass;
whether this one is the same so far, and is remembered itself; with how many of them the table is;
the row behind theirs; whether a job has changed the table; whether all is to be forgotten, or else
how many ended, and were free, in the last pass. And how many nodes a job may have, how many entries
the queue has, how many passes there were of both schedulers, and how many jobs waited before."""

SLOT_JOB, SLOT_KEEPS, SLOT_TESTED, SLOT_FULL, SLOT_ROW, SLOT_TABLE, SLOT_PERIODS = range(7)
SLOT_ENTRIES, SLOT_BEGUN, SLOT_TRY = 7, 8, 9
SLOT_WIDTH: Final = 10
"""Places in `Slurm.slots`: a job, whether it keeps its place, was tested, and found the table full;
where it stands what it might have had, and the table that it has left (0: as it began); and where
it was tried."""
SLOT_LIMIT, SLOT_START, SLOT_NEXT, SLOT_SEES, SLOT_ENDS_BY, SLOT_BEYOND, SLOT_FIRST = range(7)
SLOT_DATES: Final = 7
"""Places in `Slurm.slot_dates`; see `schedulers.slurm.memory.Looked`."""

OF_PARTITION, OF_TIER, MOST_NODES, LEAST_NODES, ABLE, EVERY, IN_CHOICE, GETS_WHOLE_NODES = range(8)
TRY_WIDTH: Final = 8
"""Places in `Slurm.tries`: the partition, and the rank of its tier, the highest first; how many
nodes such a job may have there, and needs at least; the rows of those that have enough for it, of
all of the partition, and of those with its features; and whether it gets them as a whole."""
LOOKED_IN, STOPPED_IN = range(2)
"""Places in `Slurm.partitions`: how many a pass has looked at there, and whether it has stopped."""


class Slurm(NamedTuple):
    """What Slurm's schedulers know, and how they are configured; in seconds."""

    masks: Integers
    """Shape (rows, words)."""
    held: Integers
    """The row of the nodes of each running job, and behind it that of what it really has; shape
    (jobs,)."""
    sizes: Integers
    """How many processors they ask for, likewise."""
    unused: Integers
    """The rows for those of jobs to come; shape (most running jobs,)."""
    ends: Floats
    """When the running jobs of a pass end, ascending; then those of the last pass."""
    ending: Integers
    """These jobs."""
    times: Floats
    """Where the periods of the table begin, and the end of the last; then of what is remembered."""
    free: Integers
    """How many processors are free after so many ends, as the schedulers count, or fewer; shape
    (most ends + 1,)."""
    rooms: Integers
    """After how many ends each room of nodes is that is known; shape (most rooms,)."""
    tries: Integers
    """Where jobs of each kind are tried, as `TRIED` of nodes; one for all on a counted machine;
    shape (these, `TRY_WIDTH`)."""
    partitions: Integers
    """Shape (partitions, 2)."""
    entries: Integers
    """The queue: jobs, and where they are tried; shape (as many as there may be, 2)."""
    marks: Integers
    """The last pass that has counted each job; shape (jobs,)."""
    runs: Integers
    """Begin and length of each run of processors; shape (most runs, 2)."""
    started: Integers
    """Whether a pass has started a job; shape (jobs,)."""
    planned: Floats
    """When a pass plans it, -1 for never; shape (jobs,)."""
    shares: Integers
    """How many jobs of each user and association a pass looks at, where not at any number, and a
    number for each job's; shape (these kinds, 1 + jobs)."""
    looked_at: Integers
    """By these numbers, how many it has looked at."""
    slots: Integers
    """What is remembered of the jobs of a pass; shape (most of them, `SLOT_WIDTH`)."""
    slot_dates: Floats
    """Likewise; shape (most of them, `SLOT_DATES`)."""
    calls: Floats
    """Those that were asked for, the latest first."""
    at: Floats
    counts: Integers
    most_periods: int
    backfill: bool
    """As next, of the site's table ``slurm``."""
    bf_interval: float
    resolution: float
    window: float
    max_job_test: int
    max_job_start: int
    max_job_part: int
    tiers: int
    """How many different ones there are."""
    min_age_reserve: float
    node_space_size: int
    running_job_reserve: bool
    default_queue_depth: int
    partition_job_depth: int
    sched_interval: float
    batch_sched_delay: float
    defer: bool
    kill_wait: float
    gives_up: float
    old: bool
    """Whether it plans as 22.05 does."""
    epoch: float
    """The Unix date of the workload's second 0."""
