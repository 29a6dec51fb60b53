"""What Slurm's schedulers are configured with, in seconds."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Those of backfill's plan; the defaults are those of ``slurm.conf``."""

    resolution: float = 60.0
    """Of the grid, which counts from 1970."""
    window: float = 86400.0
    max_job_test: int = 500
    node_space_size: int | None = None
    running_job_reserve: bool = False
    licences: Mapping[str, float] = field(default_factory=dict)
    """How many there are of each name, where backfill plans with them."""
    old: bool = False
    """Whether it plans as 22.05 does, and not as 26.11."""
    kill_wait: float = 0.0
    """How long a job outlives its limit."""
    epoch: float = 0.0
    """The Unix date of the workload's second 0."""

    def whole(self, date: float) -> float:
        """Return a date as Slurm's clock shows it, without parts of a second."""
        return math.floor(date + self.epoch) - self.epoch

    def whole_after(self, date: float) -> float:
        """Return the first whole second that is not before a date."""
        return math.ceil(date + self.epoch) - self.epoch

    def down(self, date: float) -> float:
        """Return the last date of the grid that is not after a date."""
        grid = self.resolution
        return math.floor((date + self.epoch) / grid) * grid - self.epoch

    def round_end(self, date: float) -> float:
        """Return an entry's end on the grid: not before its date, in 22.05 not after it."""
        if date == math.inf:
            return date
        if self.old:
            return self.down(date)
        grid = self.resolution
        return math.ceil((date + self.epoch) / grid) * grid - self.epoch
