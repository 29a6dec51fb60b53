"""The values of OpenPBS's calendar that the compiled loops work on; see `calendar`."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers


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
