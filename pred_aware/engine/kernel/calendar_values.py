"""The values of OpenPBS's calendar that the compiled loops work on; see `calendar`."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers


class LimitsOverTime(NamedTuple):
    """What limits let whom start when, beside the running jobs and the places of top jobs."""

    there: bool
    """Whether the calendar looks at limits; without any it does not."""
    whole: Integers
    """The queue with those whom limits alone stop, in their order; shape (jobs,), as the next."""
    stopped: Integers
    """Whether a limit stops a job of these."""
    running: Integers
    """The running jobs in the order of their starts; shape (most running,)."""
    begins: Integers
    """Where what running jobs have of each counter that may stop a job begins in the next three;
    shape (most such counters + 1,)."""
    ends: Floats
    """Planned; shape (most entries,), as the next two."""
    amounts: Floats
    rates: Floats
    """What runs off each second."""
    tops: Integers
    """The jobs with places; shape (jobs,)."""
    dates: Floats
    """When the places begin and end; shape (jobs, 2)."""
    counts: Integers
    """How many are in `whole` (0: it is the queue), in `tops` and in `running` (-1: not yet)."""


class Calendar(NamedTuple):
    """OpenPBS's calendar, and when the queue is gone through by itself."""

    events: Floats
    """Those of the pass, ascending, each once; shape (most events,)."""
    since: Floats
    """From when on jobs could run by themselves; shape (jobs,)."""
    at: Floats
    """Dates in seconds; see the places in `codes`."""
    counts: Integers
    """One entry: how many events there are."""
    strict: bool
    """Whether each job that does not fit may be a top job, and not only those that starve."""
    depth: int
    """How many top jobs there are at most."""
    window: float
    epoch: float
    starves_after: float
    iteration: float
    """After so many seconds the queue is gone through again; 0: never."""
    limits: LimitsOverTime | None
    """On a site, those that it looks at, if any."""
