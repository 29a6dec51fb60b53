"""The values of OpenPBS's order that the compiled loops work on; see `pbs`."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.site_values import Asked, Counters


class Pbs(NamedTuple):
    """OpenPBS's order, where the places of waiting jobs change."""

    steps: Integers
    """The sort formula, as `formula` takes it; empty without one."""
    parts: Floats
    """What it loads; shape (parts, jobs), the last of which is the eligible time."""
    stack: Floats
    since: Floats
    """From when on jobs could run by themselves; shape (jobs,), as those that follow."""
    time: Floats
    """For how long they were eligible up to the last cycle; below 0 before they can run."""
    gains: Integers
    """Whether that grows until the next."""
    queue: Integers
    """Their queues, in the order of these."""
    behind: Floats
    """Their places by sort keys and submission."""
    there: Integers
    """Whether they wait."""
    items: Integers
    """The waiting jobs, as far as they were arranged in their order."""
    keys: Floats
    """What they are sorted by; shape (3, jobs)."""
    levels: Integers
    """By queue, where queues take turns: those of a level do; else empty."""
    turns: Integers
    """By queue: how many of its jobs had theirs."""
    asked: Asked
    """What jobs ask of the limits of their owners."""
    begins: Integers
    """Where that of a kind of jobs begins; one entry more than there are."""
    kind: Integers
    """By job; -1: nothing."""
    counters: Counters
    before: Floats
    """By counter: what the jobs before one ask for."""
    at: Floats
    """Dates in seconds; see the places in `codes`."""
    counts: Integers
    """Likewise."""
    by_queue: bool
    ages: bool
    """Whether eligible times count."""
    moves: bool
    """Whether places change with the date alone."""
    starves_after: float
    """In seconds; infinite where nobody starves."""
