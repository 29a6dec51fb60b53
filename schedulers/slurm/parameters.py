"""What Slurm's schedulers are configured with, in seconds."""

import math
from dataclasses import dataclass, field
from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Of backfill's plan; the names, but for units, and the defaults are those of ``slurm.conf``."""

    resolution: float = 60.0
    """Of the grid, which counts from 1970."""
    window: float = 86400.0
    max_job_test: int = 500
    node_space_size: int | None = None
    running_job_reserve: bool = False
    licences: Mapping[str, float] = field(default_factory=dict)
    """How many there are of each name, where backfill plans with them."""
    old: bool = False
    """Whether it is a version such as 22.05."""
    kill_wait: float = 0.0
    """How long after its limit a job is killed."""
    epoch: float = 0.0
    """The Unix date of the workload's second 0."""

    def down(self, date: float) -> float:
        """Return the last date of the grid that is not after a date."""
        grid = self.resolution
        return math.floor((date + self.epoch) / grid) * grid - self.epoch

    def up(self, date: float) -> float:
        """Return the first date of the grid that is not before a date."""
        if date == math.inf:
            return date
        grid = self.resolution
        return math.ceil((date + self.epoch) / grid) * grid - self.epoch
