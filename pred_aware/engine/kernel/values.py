"""The values that the compiled loops work on: arrays with an entry for each job, and codes."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.calendar_values import Calendar
from pred_aware.engine.kernel.nodes_values import Nodes, Over
from pred_aware.engine.kernel.pbs_values import Pbs
from pred_aware.engine.kernel.priority_values import Priority
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_values import Slurm


class Jobs(NamedTuple):
    """The jobs by number: by submission, those of one date as the policy counts them."""

    submit: Floats
    """In seconds, as all dates and durations."""
    processors: Integers
    walltime: Floats
    """Infinite where there is none."""
    duration: Floats
    """How long it will hold its processors."""
    refused: Integers
    user: Integers
    """A number for each user, -1 for nobody."""
    queueing: Floats
    backfilling: Floats
    running: Floats
    """Estimates; the kernel replaces what a rule predicts, and corrects those of running jobs."""
    rank: Floats
    """What they are sorted by in OpenPBS's order, beforehand or as of the pass; else of no job."""


class Rules(NamedTuple):
    """What decides: the machine's size, and the parts of the policy as codes."""

    processors: int
    terms: Integers
    """The orders of which the weighted sum is taken; shape (terms,)."""
    weights: Floats
    """Their weights, likewise."""
    head_start: float
    changes: bool
    """Whether the order of two jobs may change while they wait."""
    backfilling: int
    candidates: int
    reservations: int
    plans: bool
    bounded: bool
    """Whether a bound on waiting goes around the backfilling: the next are its limits."""
    wait: float
    overtaken: float
    share: float
    """Of the largest backlog, which makes the wait; NaN where it is a constant."""
    least: float
    ahead: float
    concordance: float
    """The least of estimates that are trusted; 0: they always are."""
    correction: int
    lead: float
    """Seconds before an estimate runs out at which the correction is asked."""
    predicts: int
    queueing: bool
    """Whether the rule predicts for queueing; and so on."""
    backfill: bool
    running: bool
    default: float
    """The estimate of a job with neither prediction nor walltime."""


class Schedule(NamedTuple):
    """What becomes of the jobs."""

    start: Floats
    """-1 for a job that never starts."""
    end: Floats
    started_as: Integers
    first_promise: Floats
    last_promise: Floats
    first_estimate: Floats
    corrections: Integers
    over: Integers
    """The jobs in the order in which they ended or were rejected."""
    changes: Integers
    """Starts (the job's number) and ends (its complement) in their order."""


class Floors(NamedTuple):
    """Dates before which jobs of a size, and as long or longer, have no place; see `floors`."""

    rows: Integers
    """Of each job, by its size."""
    begins: Integers
    """Where what is known of each row begins; shape (sizes + 1,)."""
    lengths: Floats
    """Ascending in each row."""
    dates: Floats
    """Ascending, likewise."""
    known: Integers
    """How many of a row there are; shape (sizes,)."""
    gaps: Floats
    """Of each row dates between which there is none, as was seen last, and the length of the second
    one; shape (3, sizes)."""
    any: Integers
    """One entry: whether there may be any."""
    sizes: Integers
    """Of the rows, ascending."""


class Moving(NamedTuple):
    """The jobs that have places, and who may have an earlier one; see `moving`."""

    begins: Floats
    """When the places begin, ascending."""
    jobs: Integers
    """Whose they are."""
    counts: Integers
    """One entry: how many there are."""
    slots: Integers
    """Where each of them stands among those of its size, -1 for all others."""
    rows: Integers
    """Where those of a row of `Floors` begin; shape (sizes + 1,)."""
    many: Integers
    """How many of them there are."""
    whose: Integers
    dates: Floats
    lengths: Floats
    """There: the job, when its place begins, and how long it is."""
    may: Integers
    """A bit mask of the jobs that may have an earlier one, in words."""


class Profile(NamedTuple):
    """The free processors over time; see `profile`."""

    times: Floats
    free: Integers
    counts: Integers
    """How many steps there are, and more; see `profile`."""
    near: Integers
    """Of each job about the step that was looked for last, those that have passed counted, too."""
    floors: Floors
    moving: Moving
    """``None`` where no bound is compiled."""


class Placed(NamedTuple):
    """The processors of jobs as intervals, those of a job behind each other."""

    first: Integers
    """Shape (intervals,)."""
    last: Integers
    begin: Integers
    """Where those of each job begin; shape (jobs,)."""
    end: Integers


class Timetable(NamedTuple):
    """Who has which processors over time, and whose place is where; see `timetable`."""

    rows: Integers
    """Its slices, and what jobs have; see there. Shape (rows, columns)."""
    jobs: Integers
    """How long their places are, and where; see there. Shape (jobs, columns)."""
    available: Integers
    """A bit mask of processors, in words."""
    counts: Integers
    """See there."""
    ended: Floats
    """One entry: when a job has ended last."""
    told: Integers
    """The jobs as they were told of, where the policy counts those of one date in another order."""
    sizes: Integers
    """How many processors jobs want, ascending; see `freed`, as of all that follows. Shape (sizes,
    columns)."""
    known: Integers
    """What is known of the earliest places of jobs that want the same; see `freed`, as of the next.
    Shape (kinds, columns)."""
    frees: Integers
    """What was freed lately; shape (remembered, columns)."""
    runs: Integers
    """Of each size so much of that as it may have a place in; see there. Shape (sizes, columns,
    remembered)."""
    windows: Integers
    """Which of that some job may have a place in."""
    spare: Integers
    """Where rows are sorted."""
    moved: Integers
    """Where each row is then."""
    placed: Placed
    """The processors of those that have started."""


class State(NamedTuple):
    """What the loops keep while they run; arrays have an entry for each job, but for the last."""

    queue: Integers
    """The waiting jobs: by submission where the order changes with time, else in their order."""
    ordered: Integers
    """The waiting jobs of a pass in their order, as far as they matter."""
    chosen: Integers
    """Those that a pass starts."""
    keys: Floats
    able: Integers
    ends: Integers
    """A heap of the running jobs by their ends."""
    started: Integers
    """Which start it was, for jobs that end together."""
    ends_at: Floats
    plan: Integers
    """The running jobs by planned end and number."""
    plan_ends: Floats
    """Their planned ends, in the same order."""
    planned: Floats
    """Planned ends."""
    place: Floats
    """When the places of waiting jobs begin, -1 without one; for those that give places."""
    profile: Profile
    """Beside the running jobs, and those that have places."""
    around: Profile
    """Beside those that reserve in this pass. On a site's nodes, where `over` and `beside` stand
    for them, and with a `timetable` there is neither: ``None``."""
    settled: Floats
    """One entry: up to when corrections were made."""
    mean: Floats
    """By user: the mean of the last two run times, NaN without."""
    last: Floats
    """By user: the last run time, NaN without."""
    counts: Integers
    """See the places in `codes`."""
    gate: Gate | None
    """The rules of a site, where there are any."""
    priority: Priority | None
    """Slurm's, where it orders the queue."""
    pbs: Pbs | None
    """OpenPBS's order, where the places of jobs change."""
    calendar: Calendar | None
    """OpenPBS's, where it plans."""
    slurm: Slurm | None
    """What Slurm's schedulers know, where they plan."""
    nodes: Nodes | None
    """Its nodes, likewise."""
    over: Over | None
    """These over time, where a bound on waiting is around the backfilling."""
    beside: Over | None
    """Likewise, where several jobs, or all, have places beside the running ones."""
    timetable: Timetable | None
    """Batsched's, where a policy has that."""


class Bound(NamedTuple):
    """What a bound on waiting keeps; see `bound` and `backlog`."""

    waited: Integers
    """Whether a job has its place since it has waited for long; an entry for each job, as next."""
    overtaken: Floats
    """The work that has overtaken it."""
    doubtful: Integers
    refused: Integers
    """What a pass finds of it: whether it may be late, and whether it would push back a place."""
    others: Integers
    offered: Integers
    listed: Integers
    held: Integers
    """Jobs of a pass."""
    first: Integers
    after: Integers
    work: Floats
    """The first backlog that counts a job (-1: none yet), the one after the last, and its work."""
    backlogs: Floats
    """By pass that saw another job."""
    firsts: Integers
    """For how many jobs that have not ended each of them is the first."""
    sums: Floats
    counts: Integers


class Trust(NamedTuple):
    """What is known of the order of the estimates; see `trust`."""

    kept: Floats
    """The estimate of a job that was planned by its walltime instead; NaN without."""
    last: Floats
    """Estimate, walltime and run time of the last jobs that ended; shape (jobs, 3)."""
    counted: Integers
    """What each end brought; shape (ends, 3)."""
    counts: Integers
    log: Floats
    """Date and concordances, of estimates and walltimes, at each change; shape (changes, 3)."""
