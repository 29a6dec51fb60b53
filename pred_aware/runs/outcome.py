"""The results of a simulation without delays, as arrays; text is created on demand.

The text is byte for byte what `pred_aware.simulator` would write.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pred_aware.log.job_arrays import Floats, Integers, JobArrays
from pred_aware.runs.rounding import rounded_as_in_csv
from pred_aware.simulator.job import NO_WALLTIME, REJECTED, EndedJobs, JobState
from pred_aware.simulator.tracing import ROWS_AT_ONCE, JobColumns, MachineStates
from schedulers.core.job import BACKFILLED, HEAD, QUEUE
from schedulers.core.loop import Schedule
from schedulers.journal import Journal, summed
from workload_tools.batsim.decisions import NO_REASON
from workload_tools.batsim.workload import WORKLOAD_PREFIX, RawWorkload

WORKLOAD = WORKLOAD_PREFIX.removesuffix("!")

_HOW = (HEAD, QUEUE, BACKFILLED)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The results of the jobs."""

    raw: RawWorkload
    jobs: JobArrays
    schedule: Schedule
    processors: int
    """Size of the machine."""

    @cached_property
    def over(self) -> Integers:
        """Positions in the workload of the finished and rejected jobs, in the order of ends."""
        return np.asarray(self.schedule.over)[: self.schedule.ended]

    @cached_property
    def ran(self) -> NDArray[np.bool_]:
        """True for each job that started, False for a rejected job; in the order of `over`."""
        return self.start >= 0.0

    @cached_property
    def start(self) -> Floats:
        """Start dates in seconds, in the order of `over`; -1 for rejected jobs."""
        return np.asarray(self.schedule.start)[self.over]

    @cached_property
    def end(self) -> Floats:
        """End dates in seconds, in the order of `over`."""
        return np.asarray(self.schedule.end)[self.over]

    @cached_property
    def states(self) -> Integers:
        """Final states as numbers of `JobState`, in the order of `over`."""
        killed, failing = self.jobs.killed[self.over], self.jobs.failing[self.over]
        ended = np.where(failing, JobState.COMPLETED_FAILED, JobState.COMPLETED_SUCCESSFULLY)
        ended = np.where(killed, JobState.COMPLETED_WALLTIME_REACHED, ended)
        return np.where(self.ran, ended, REJECTED)

    @cached_property
    def rejections(self) -> Counter[str]:
        """Numbers of rejected jobs by reason, in the order of first occurrence."""
        return Counter([why or NO_REASON for _, why in self.schedule.refused])

    @cached_property
    def past(self) -> EndedJobs:
        """Dates, sizes and processors of the jobs that ran."""
        past = EndedJobs()
        ran = self.over[self.ran]
        past.submit.frombytes(self.jobs.submit[ran].tobytes())
        past.start.frombytes(self.start[self.ran].tobytes())
        past.end.frombytes(self.end[self.ran].tobytes())
        past.sizes.frombytes(self.jobs.processors[ran].tobytes())
        past.intervals = [self.schedule.intervals[place] for place in ran.tolist()]
        past.rejected = len(self.ran) - len(ran)
        past.successful = int((self.states == JobState.COMPLETED_SUCCESSFULLY).sum())
        return past

    def columns(self) -> Iterator[JobColumns]:
        """Return the results of the jobs in the simulator's form."""
        jobs, raw = self.jobs, self.raw
        names, intervals = raw.ids, self.schedule.intervals
        walltimes = np.where(jobs.walltime < np.inf, jobs.walltime, NO_WALLTIME)
        for first in range(0, len(self.over), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            over = self.over[rows]
            places = over.tolist()
            yield JobColumns(
                [names[place] for place in places],
                [WORKLOAD] * len(places),
                [raw.jobs[place].profile for place in places],
                jobs.submit[over].tolist(),
                jobs.processors[over].tolist(),
                walltimes[over].tolist(),
                [*map(JobState, self.states[rows].tolist())],
                self.start[rows].tolist(),
                self.end[rows].tolist(),
                [intervals[place] for place in places],
                [""] * len(places),
            )

    def machine_states(self) -> MachineStates:
        """Return the rows of the machine's states, one for each start and end."""
        changes = np.asarray(self.schedule.changes)[: self.schedule.changed]
        started = changes >= 0
        places = np.where(started, changes, ~changes)
        start = np.asarray(self.schedule.start)[places]
        dates = np.where(started, start, start + self.jobs.duration[places])
        sizes = self.jobs.processors[places]
        busy = np.cumsum(np.where(started, sizes, -sizes))
        rows = zip(dates.tolist(), (self.processors - busy).tolist(), busy.tolist(), strict=True)
        return MachineStates([value for row in rows for value in row])

    def planned(self, column: str) -> Floats:
        """Return how the jobs were planned, in the order of `over`.

        Parameters
        ----------
        column
            ``first_promise`` for the first planned start in seconds, -1 if there is none; or
            ``started_as``: 0 for head, 1 for queue, 2 for backfilled.
        """
        if column == "started_as":
            numbers = {"": -1, **{how: number for number, how in enumerate(_HOW)}}
            found = np.array([numbers[how] for how in self.schedule.started_as], np.float64)
        else:
            found = np.asarray(self.schedule.first_promise)
        return found[self.over]

    def journal(self) -> Journal:
        """Return how each job was planned."""
        schedule, names = self.schedule, self.raw.ids
        ran = self.over[self.ran]
        places = ran.tolist()
        first, last = (
            np.asarray(dates)[ran].tolist()
            for dates in (schedule.first_promise, schedule.last_promise)
        )
        return Journal.of(
            (
                [WORKLOAD_PREFIX + names[place] for place in places],
                np.asarray(schedule.first_estimate)[ran].tolist(),
                np.asarray(schedule.last_estimate)[ran].tolist(),
                np.asarray(schedule.corrections)[ran].tolist(),
                [schedule.started_as[place] for place in places],
                [f"{date:f}" if date >= 0.0 else "" for date in first],
                [f"{date:f}" if date >= 0.0 else "" for date in last],
            )
        )

    def sums(self) -> dict[str, float | int]:
        """Return the sums of `journal`, without creating the journal."""
        schedule, ran = self.schedule, self.over[self.ran]
        first, last = (
            np.asarray(dates)[ran] for dates in (schedule.first_promise, schedule.last_promise)
        )
        promised = first >= 0.0
        moved = promised & (first != last)
        return summed(
            np.asarray(schedule.corrections)[ran].tolist(),
            schedule.started_as,
            promises=int(promised.sum()),
            dates=zip(
                rounded_as_in_csv(first[moved]).tolist(),
                rounded_as_in_csv(last[moved]).tolist(),
                strict=True,
            ),
        )
