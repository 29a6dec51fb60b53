"""Dates as Slurm's clock shows them, and as the grid of its plan has them, in seconds."""

from schedulers.core.constants import NEVER


def floor(number: float) -> float:
    """Return the greatest whole number that is not greater."""
    return number // 1.0


def ceil(number: float) -> float:
    """Return the least whole number that is not less."""
    return -(-number // 1.0)


class Calendar:
    """Slurm's clock shows whole seconds since 1970; the grid of backfill's plan counts from then.

    The `resolution` is that of the grid, in seconds, and `epoch` the Unix date of the workload's
    second 0. If it is `old`, ends are put on the grid as in Slurm 22.05, and not as in 26.11.

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
        """Return a date without parts of a second."""
        return floor(date + self.epoch) - self.epoch

    def whole_after(self, date: float) -> float:
        """Return the first whole second that is not before a date."""
        return ceil(date + self.epoch) - self.epoch

    def down(self, date: float) -> float:
        """Return the last date of the grid that is not after a date."""
        return floor((date + self.epoch) / self.resolution) * self.resolution - self.epoch

    def round_end(self, date: float) -> float:
        """Return an entry's end on the grid: not before its date, in 22.05 not after it."""
        if date == NEVER:
            return date
        if self.old:
            return self.down(date)
        return ceil((date + self.epoch) / self.resolution) * self.resolution - self.epoch

    def barrier(self, date: float, length: float) -> float:
        """Return the next full multiple of a length since 1970 after a date."""
        return (floor((date + self.epoch) / length) + 1.0) * length - self.epoch
