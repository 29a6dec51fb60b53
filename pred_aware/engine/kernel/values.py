"""The values that the compiled loops work on: arrays with an entry for each job, and codes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


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


class Rules(NamedTuple):
    """What decides: the machine's size, and the parts of the policy as codes."""

    processors: int
    order: int
    head_start: float
    backfilling: int
    candidates: int
    plans: bool
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


class State(NamedTuple):
    """What the loops keep while they run; an entry for each job, but for the last three."""

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
    planned: Floats
    """Planned ends."""
    place: Floats
    """When the places of waiting jobs begin, -1 without one; for those that plan for all."""
    times: Floats
    free_from: Integers
    """The free processors over time; see `profile`."""
    settled: Floats
    """One entry: up to when corrections were made."""
    mean: Floats
    """By user: the mean of the last two run times, NaN without."""
    last: Floats
    """By user: the last run time, NaN without."""
    counts: Integers
    """See the places below."""
