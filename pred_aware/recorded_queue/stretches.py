"""Compare recorded and simulated machine use over time, and waits by queue."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.timelines import Timeline, bin_edges, timeline_of
from pred_aware.recorded_queue.recorded_jobs import Labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule

MOST_GROUPS = 12
"""Number of queues that have a row of their own; these are the queues with most jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StretchWaits:
    """Machine use and waits in a time interval, in pairs: recorded and simulated value."""

    begin: float
    end: float
    """Start and end of the interval, in seconds from the first submission."""
    jobs: int
    """Number of jobs submitted in the interval."""
    mean_wait: tuple[float, float] | None
    """Mean wait of these jobs in seconds; ``None`` without jobs."""
    utilisation: tuple[float, float]
    """Mean share of busy processors."""
    waiting: tuple[float, float]
    """Mean number of waiting jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueWaits:
    """The waits in a queue."""

    name: str | None
    """Name of the queue; empty for jobs without a queue, ``None`` for the sum of all queues without
    a row."""
    jobs: int
    """Number of jobs."""
    mean_wait: tuple[float, float]
    median_wait: tuple[float, float]
    """Means and medians of the recorded and the simulated waits, in seconds."""


def stretches(
    real: "MachineSchedule",
    simulated: "MachineSchedule",
    *,
    submitted: "NDArray[np.float64]",
    waits: tuple["NDArray[np.float64]", "NDArray[np.float64]"],
    last: float,
) -> tuple[StretchWaits, tuple[StretchWaits, ...]]:
    """Return machine use and waits for the whole time, and for at most 100 time steps.

    Parameters
    ----------
    real, simulated
        The recorded and the simulated dates of all jobs.
    submitted
        Submission dates of the compared jobs in seconds, shape (jobs,).
    waits
        Recorded and simulated waits of the compared jobs in seconds.
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


def _pair(recorded: float, simulated: float) -> tuple[float, float]:
    return float(recorded), float(simulated)


def by_group(
    labels: Labels,
    recorded_wait: "NDArray[np.float64]",
    simulated_wait: "NDArray[np.float64]",
) -> tuple[QueueWaits, ...]:
    """Return the waits of each queue, most jobs first; the last entry has all smallest queues.

    Parameters
    ----------
    labels
        The jobs' queues.
    recorded_wait, simulated_wait
        Waits in seconds, shape (jobs,).
    """
    codes, found = labels.numbers
    counts = np.bincount(codes, minlength=len(found))
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    largest = order if len(order) <= MOST_GROUPS + 1 else order[:MOST_GROUPS]
    sides = recorded_wait, simulated_wait

    def group(name: str | None, which: "NDArray[np.bool_]") -> QueueWaits:
        return QueueWaits(
            name=name,
            jobs=int(which.sum()),
            mean_wait=_pair(*(side[which].mean() for side in sides)),
            median_wait=_pair(*(np.median(side[which]) for side in sides)),
        )

    groups = [group(found[place], codes == place) for place in largest]
    if len(largest) < len(order):
        groups.append(group(None, ~np.isin(codes, largest)))
    return tuple(groups)
