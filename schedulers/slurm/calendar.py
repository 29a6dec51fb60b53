"""Slurm's constants, and dates in its whole seconds and on the time grid of its plan."""

from schedulers.core.constants import NEVER

GROUP = 30.0
"""Backfill treats planned ends within this time as one group, in seconds; see `Rooms`."""
SOON = 1.0
"""Backfill assumes that a job beyond its time limit ends this much later than now (seconds)."""
MARGIN = 1e-3
"""The planner drops remembered results this long before they may change, in seconds."""

ALL = 2**62
"""A number above the number of any job. It stands for all jobs."""


def floor(number: float) -> float:
    """Return a number rounded down to a whole number."""
    return number // 1.0


def ceil(number: float) -> float:
    """Return a number rounded up to a whole number."""
    return -(-number // 1.0)


class Calendar:
    """Converts dates to Slurm's whole seconds and to the time grid of backfill's plan.

    Whole seconds and the grid count from 1970. `resolution` is the step of the grid, in seconds.
    `epoch` is the Unix date of the workload's second 0. If `old` is set, ends are rounded to the
    grid as in Slurm 22.05, else as in Slurm 26.11.

    Examples
    --------
    >>> calendar = Calendar(60.0, 30.0)
    >>> calendar.down(0.0), calendar.round_end(31.0), calendar.barrier(0.0, 30.0)
    (-30.0, 90.0, 30.0)
    """

    __slots__ = ("epoch", "old", "resolution")

    def __init__(self, resolution: float, epoch: float = 0.0, *, old: bool = False) -> None:
        self.resolution = resolution
        self.epoch = epoch
        self.old = old

    def whole(self, date: float) -> float:
        """Return a date rounded down to a whole second."""
        return floor(date + self.epoch) - self.epoch

    def ceil_second(self, date: float) -> float:
        """Return a date rounded up to a whole second."""
        return ceil(date + self.epoch) - self.epoch

    def down(self, date: float) -> float:
        """Return a date rounded down to the grid."""
        return floor((date + self.epoch) / self.resolution) * self.resolution - self.epoch

    def round_end(self, date: float) -> float:
        """Return the end of a reservation, rounded up to the grid. Slurm 22.05 rounds down."""
        if date == NEVER:
            return date
        if self.old:
            return self.down(date)
        return ceil((date + self.epoch) / self.resolution) * self.resolution - self.epoch

    def barrier(self, date: float, length: float) -> float:
        """Return the next multiple of a length (in seconds since 1970) after a date."""
        return (floor((date + self.epoch) / length) + 1.0) * length - self.epoch
