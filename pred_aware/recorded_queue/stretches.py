"""Machine and queue over time, and waits by queue: recorded beside simulated."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.timelines import Timeline, bin_edges, timeline_of
from pred_aware.recorded_queue.recorded_jobs import Labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule

MOST_GROUPS = 12
"""So many queues are told one by one, those with most jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StretchWaits:
    """A stretch of time, recorded and simulated; each pair in that order."""

    begin: float
    end: float
    """Seconds from the first submission."""
    jobs: int
    """How many were submitted in it."""
    mean_wait: tuple[float, float] | None
    """Of these, in seconds; ``None`` without jobs."""
    utilisation: tuple[float, float]
    """Mean share of the processors that were busy."""
    waiting: tuple[float, float]
    """Mean number of jobs waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueWaits:
    """The jobs of a queue."""

    name: str | None
    """The queue's; empty for jobs without one, and ``None`` for all that are not told one by
    one."""
    jobs: int
    """How many."""
    mean_wait: tuple[float, float]
    median_wait: tuple[float, float]
    """In seconds, recorded and simulated."""


def stretches(
    real: "MachineSchedule",
    simulated: "MachineSchedule",
    *,
    submitted: "NDArray[np.float64]",
    waits: tuple["NDArray[np.float64]", "NDArray[np.float64]"],
    last: float,
) -> tuple[StretchWaits, tuple[StretchWaits, ...]]:
    """Return machine and queue as a whole, and in at most 100 steps.

    Parameters
    ----------
    real, simulated
        All jobs, by the recorded dates and the simulated ones.
    submitted
        Of the jobs that are compared, in seconds, shape (jobs,).
    waits
        Of these, recorded and simulated, in seconds.
    last
        Date of the last submission, in seconds.
    """
    end = max(last, 1.0)

    def cut(edges: "NDArray[np.float64]") -> tuple[StretchWaits, ...]:
        lines = tuple(_timeline(schedule, edges) for schedule in (real, simulated))
        which = np.clip(np.searchsorted(edges, submitted, side="right") - 1, 0, len(edges) - 2)
        jobs = np.bincount(which, minlength=len(edges) - 1)
        sums = [np.bincount(which, weights=side, minlength=len(edges) - 1) for side in waits]
        return tuple(
            StretchWaits(
                begin=float(edges[place]),
                end=float(edges[place + 1]),
                jobs=int(jobs[place]),
                mean_wait=_pair(*(float(each[place]) / jobs[place] for each in sums))
                if jobs[place]
                else None,
                utilisation=_pair(
                    *(float(line.processors_in_use[place]) / real.machine for line in lines)
                ),
                waiting=_pair(*(float(line.jobs_waiting[place]) for line in lines)),
            )
            for place in range(len(edges) - 1)
        )

    return cut(np.array([0.0, end]))[0], cut(bin_edges(end))


def _timeline(schedule: "MachineSchedule", edges: "NDArray[np.float64]") -> Timeline:
    return timeline_of(
        schedule.submit_time,
        schedule.start_time,
        schedule.end_time,
        sizes=schedule.processors,
        edges=edges,
    )


def _pair(one: float, other: float) -> tuple[float, float]:
    return float(one), float(other)


def by_group(
    labels: Labels,
    recorded_wait: "NDArray[np.float64]",
    simulated_wait: "NDArray[np.float64]",
) -> tuple[QueueWaits, ...]:
    """Return the waits by queue, the one with most jobs first, the smallest ones together.

    Parameters
    ----------
    labels
        The jobs' queues.
    recorded_wait, simulated_wait
        Seconds, shape (jobs,).
    """
    codes, found = labels.numbers
    counts = np.bincount(codes, minlength=len(found))
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    told = order if len(order) <= MOST_GROUPS + 1 else order[:MOST_GROUPS]
    sides = recorded_wait, simulated_wait

    def group(name: str | None, which: "NDArray[np.bool_]") -> QueueWaits:
        return QueueWaits(
            name=name,
            jobs=int(which.sum()),
            mean_wait=_pair(*(side[which].mean() for side in sides)),
            median_wait=_pair(*(np.median(side[which]) for side in sides)),
        )

    groups = [group(found[place], codes == place) for place in told]
    if len(told) < len(order):
        groups.append(group(None, ~np.isin(codes, told)))
    return tuple(groups)
