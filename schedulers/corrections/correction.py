"""The contract of a correction."""

from typing import Protocol

import msgspec

from predictors import Submission


class Overrun(msgspec.Struct, frozen=True, kw_only=True):
    """A running job whose estimate has run out, or is about to."""

    elapsed: float
    """The time that the job has run, in seconds."""
    estimate: float
    """The one that ran out, in seconds."""
    first_estimate: float
    """The one at its submission, in seconds."""
    walltime: float | None
    """The hard limit in seconds, or ``None``."""
    corrections: int
    """The number of corrections before."""
    submission: Submission


def bounded(estimate: float, overrun: Overrun) -> float:
    """Return an estimate longer than the one that ran out, at most the walltime, in seconds.

    Where the job was asked about so late that it has run for longer than that already, what the
    estimate was lengthened by counts from now.
    """
    if estimate <= overrun.elapsed:
        estimate = overrun.elapsed + (estimate - overrun.estimate)
    walltime = overrun.walltime
    return estimate if walltime is None or estimate < walltime else walltime


class Correction(Protocol):
    """Makes a new estimate for a job that outlives its estimate.

    Attributes
    ----------
    memoryless : bool
        Whether, for a given job, its answer depends on how long that has run and on nothing else;
        may be left out where it does. Of several corrections that are due between two looks of the
        scheduler it is then asked for the last alone.
    """

    lead: float
    """The time before the estimate runs out at which it wants to be asked, in seconds."""
    asks: bool
    """Whether it wants to be asked at all."""

    def correct(self, overrun: Overrun) -> float:
        """Return the new estimate in seconds: above the elapsed time, at most the walltime."""
        ...
