"""Running jobs of each user, queue or the like at any date."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule


@dataclass(frozen=True, slots=True)
class RunningJobs:
    """What happened to each one's jobs, and when somebody asks, in the order of the dates."""

    who: "NDArray[np.int64]"
    """Whose job ends or starts, or who asks: of all jobs, of all jobs again, of all who ask."""
    when: "NDArray[np.float64]"
    """At which date, of the same."""
    order: "NDArray[np.intp]"
    """One after the other, and within each by date."""
    asks: int
    """How many ask."""

    @classmethod
    def of(
        cls,
        schedule: "MachineSchedule",
        codes: "NDArray[np.int64]",
        *,
        whose: "NDArray[np.int64]",
        dates: "NDArray[np.float64]",
    ) -> Self:
        """Put the jobs of a schedule in turn.

        Parameters
        ----------
        schedule
            When jobs start and end.
        codes
            Whose each job is, shape (jobs,).
        whose, dates
            Who asks, and when, shape (asks,).
        """
        who = np.concatenate([codes, codes, whose])
        when = np.concatenate([schedule.end_time, schedule.start_time, dates])
        # of one date: who ends, who starts, who asks; the sort is stable
        by_date = np.argsort(when, kind="stable")
        order = by_date[np.argsort(who[by_date], kind="stable")]
        return cls(who, when, order, len(whose))

    @property
    def whose(self) -> "NDArray[np.int64]":
        """Who asks, shape (asks,)."""
        return self.who[len(self.who) - self.asks :]

    @property
    def dates(self) -> "NDArray[np.float64]":
        """When they ask, shape (asks,)."""
        return self.when[len(self.when) - self.asks :]

    def levels(self, each: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return what one has running after each thing that happened, in their order.

        Parameters
        ----------
        each
            What each job counts, such as its processors, shape (jobs,).
        """
        change = np.concatenate([-each, each, np.zeros(self.asks)])
        # what one had is given back before the next one's first, so one sum does for all
        return np.round(np.cumsum(change[self.order]), 6)

    def levels_at_asks(self, levels: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return what those who ask had running then, shape (asks,)."""
        had = np.empty(len(self.order))
        had[self.order] = levels
        return had[len(had) - self.asks :]

    def most(self, levels: "NDArray[np.float64]", *, of: int) -> "NDArray[np.float64]":
        """Return the most that each of so many ever had."""
        return _most(levels, self.who[self.order], of=of)

    def most_in(
        self, levels: "NDArray[np.float64]", edges: "NDArray[np.float64]", *, of: int
    ) -> "NDArray[np.float64]":
        """Return the most that each of so many had in each stretch, shape (of, stretches).

        Parameters
        ----------
        levels
            As `levels` gives them.
        edges
            Where the stretches begin, and the last one ends; what is beyond belongs to the last.
        """
        stretches = len(edges) - 1
        places = self.who[self.order] * stretches + stretch_of(self.when[self.order], edges)
        return _most(levels, places, of=of * stretches).reshape(of, stretches)


def _most(
    levels: "NDArray[np.float64]", places: "NDArray[np.int64]", *, of: int
) -> "NDArray[np.float64]":
    """Return the most above 0 at each of so many places, which ascend along the levels."""
    most = np.zeros(of)
    if len(places):
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        most[places[begins]] = np.maximum(np.maximum.reduceat(levels, begins), 0.0)
    return most


def stretch_of(dates: "NDArray[np.float64]", edges: "NDArray[np.float64]") -> "NDArray[np.intp]":
    """Return in which stretch each date lies; those outside belong to the first and the last."""
    places: NDArray[np.intp] = np.searchsorted(edges, dates, side="right") - 1
    return np.clip(places, 0, len(edges) - 2)
