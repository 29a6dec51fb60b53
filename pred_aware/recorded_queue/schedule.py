"""Recorded or simulated dates of the jobs of a log."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.timelines import in_use

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class MachineSchedule:
    """The recorded or simulated dates at which jobs were submitted, started and ended."""

    submit_time: "NDArray[np.float64]"
    start_time: "NDArray[np.float64]"
    end_time: "NDArray[np.float64]"
    """Dates of submissions, starts and ends in seconds, shape (jobs,)."""
    processors: "NDArray[np.float64]"
    """Processors of each job, shape (jobs,)."""
    walltime: "NDArray[np.float64]"
    """Walltimes in seconds, infinite for a job without a walltime, shape (jobs,)."""
    machine: int
    """Number of the machine's processors."""

    @cached_property
    def busy(self) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
        """The dates of starts and ends, and the number of busy processors from each date on."""
        return in_use(self.start_time, self.end_time, self.processors)

    @property
    def most_busy(self) -> float:
        """The highest number of busy processors."""
        return float(self.busy[1].max(initial=0.0))

    def beyond(self, factor: float = 1.0) -> tuple[float, float]:
        """Return how much of the schedule exceeds the machine's size.

        Parameters
        ----------
        factor
            The machine's size is multiplied by this factor.

        Returns
        -------
        The share of the time in which more processors were busy than exist, and the share of all
        processor-seconds above the machine's size.
        """
        dates, busy = self.busy
        lasted = np.diff(dates, append=dates[-1:])
        span, work = float(lasted.sum()), float((busy * lasted).sum())
        above = np.maximum(busy - factor * self.machine, 0.0)
        if not span or not work:
            return 0.0, 0.0
        return float(lasted[above > 0.0].sum()) / span, float((above * lasted).sum()) / work

    def busy_quantiles(self, shares: Sequence[float]) -> list[float]:
        """Return quantiles of the busy processors over time, for given shares of the time."""
        dates, busy = self.busy
        lasted = np.diff(dates, append=dates[-1:])
        order = np.argsort(busy)
        until = np.cumsum(lasted[order])
        if not until.size or not until[-1]:
            return [0.0] * len(shares)
        places = np.searchsorted(until, np.asarray(shares) * until[-1])
        found: list[float] = busy[order][places].tolist()
        return found
