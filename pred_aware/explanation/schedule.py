"""A schedule as arrays, and the reasons for waits that follow from the schedule alone."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pred_aware.runs.run import Run


from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.runs.run import Run

    Array = NDArray[np.float64]
    Places = NDArray[np.intp]

JUST_NOW = 1.0
"""If a job starts at most this many seconds after another job's end, the end counts as the cause of
the start. Messages of the real Batsim take up to a second.
"""


@dataclass(frozen=True, eq=False)
class JobSchedule:
    """The jobs that ran in a run, including warm-up jobs, as arrays of shape (jobs,)."""

    names: tuple[str, ...]
    """Names of the jobs."""
    submission: "Array"
    start: "Array"
    end: "Array"
    """Dates of each job, in seconds."""
    sizes: "Array"
    """Processors of each job."""
    processors: int
    """Size of the machine, in processors."""

    @classmethod
    def of(cls, run: "Run") -> Self:
        """Return the schedule of a run; jobs have their full names, such as ``w1!15``."""
        ran = run.whole
        submission, start, end, sizes = (
            ran[column].to_numpy()
            for column in (
                "submission_time",
                "starting_time",
                "finish_time",
                "requested_number_of_resources",
            )
        )
        return cls(tuple(ran.index), submission, start, end, sizes, run.processors)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Index of each job in the arrays."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def by_start(self) -> "Places":
        """Indices of the jobs in order of their starts."""
        return np.argsort(self.start, kind="stable")

    @cached_property
    def by_end(self) -> "Places":
        """Indices of the jobs in order of their ends."""
        return np.argsort(self.end, kind="stable")

    def started_between(self, first: float, last: float) -> tuple[int, int]:
        """Return the range of `by_start` with starts between two dates, both inclusive."""
        starts = self._starts
        return int(starts.searchsorted(first, "left")), int(starts.searchsorted(last, "right"))

    def ended_between(self, first: float, last: float) -> tuple[int, int]:
        """Return the range of `by_end` with ends after the first date and up to the second date."""
        ends = self._ends
        return int(ends.searchsorted(first, "right")), int(ends.searchsorted(last, "right"))

    @cached_property
    def _starts(self) -> "Array":
        return self.start[self.by_start]

    @cached_property
    def _ends(self) -> "Array":
        return self.end[self.by_end]

    def running_at(self, date: float) -> "NDArray[np.bool_]":
        """Return a mask of the jobs that run just after a date."""
        return (self.start <= date) & (self.end > date)

    def waiting_at(self, date: float) -> "NDArray[np.bool_]":
        """Return a mask of the jobs that wait just after a date."""
        return (self.submission <= date) & (self.start > date)

    def overtook(self, place: int) -> "Places":
        """Return the jobs that were submitted later and started earlier, in order of their starts.

        As in `pred_aware.metrics.overtaking`, jobs with equal dates do not overtake.
        """
        found = np.flatnonzero(
            (self.submission > self.submission[place]) & (self.start < self.start[place])
        )
        return found[np.argsort(self.start[found], kind="stable")]

    def ended_before_start(self, place: int) -> "Places":
        """Return the jobs that ended last before a job's start, within `JUST_NOW` seconds."""
        start = self.start[place]
        near = np.flatnonzero((self.end <= start) & (self.end >= start - JUST_NOW))
        return near[self.end[near] == self.end[near].max()] if near.size else near

    def occupation(self, place: int) -> "Occupation":
        """Return which jobs held the processors while a job waited."""
        since, until = self.submission[place], self.start[place]
        holders = np.flatnonzero((self.start < until) & (self.end > since))
        begins = np.maximum(self.start[holders], since)
        ends = np.minimum(self.end[holders], until)
        dates = np.unique(np.concatenate([begins, ends, [since, until]]))
        steps = np.zeros(len(dates))
        np.add.at(steps, np.searchsorted(dates, begins), self.sizes[holders])
        np.add.at(steps, np.searchsorted(dates, ends), -self.sizes[holders])
        free = self.processors - np.cumsum(steps)[:-1]
        enough = free >= self.sizes[place]
        too_few = np.concatenate([[0.0], np.cumsum(np.where(enough, 0.0, np.diff(dates)))])
        lasted = too_few[np.searchsorted(dates, ends)] - too_few[np.searchsorted(dates, begins)]
        stretches = tuple(
            (float(first), float(last))
            for first, last, one in zip(dates[:-1], dates[1:], enough, strict=True)
            if one
        )
        return Occupation(holders, self.sizes[holders] * lasted, float(too_few[-1]), stretches)


@dataclass(frozen=True, eq=False)
class Occupation:
    """Which jobs held the processors while a job waited."""

    holders: "Places"
    """Indices of the jobs that ran during the wait."""
    areas: "Array"
    """Processor seconds of each of these jobs while too few processors were free."""
    too_few: float
    """Seconds with too few free processors for the waiting job."""
    enough: tuple[tuple[float, float], ...]
    """Start and end of each period with enough free processors, in seconds."""


def number(value: object) -> float | None:
    """Return a number from a data frame; ``None`` if it is missing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - true only for NaN
        return None
    return float(value)


def word(value: object) -> str | None:
    """Return a text from a data frame; ``None`` if it is missing."""
    return value if isinstance(value, str) else None
