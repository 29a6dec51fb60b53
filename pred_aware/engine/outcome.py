"""What became of the jobs of a simulation in arrays; text is made when it is read.

All of it is what `pred_aware.simulator` would have written, byte by byte.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.job_arrays import Floats, Integers, JobArrays
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.values import Jobs, Placed, Schedule
from pred_aware.engine.node_arrays import NodeArrays
from pred_aware.engine.site_arrays import SiteArrays
from pred_aware.simulator.ended_jobs import EndedJobs
from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob
from pred_aware.simulator.sources import JobSource
from pred_aware.simulator.tracing import ROWS_AT_ONCE, JobColumns, MachineStates
from schedulers.backfilling.trust_log import TrustLog
from schedulers.job import BACKFILLED, HEAD, QUEUE, Job
from schedulers.journal import Journal
from schedulers.machine.counting import Counting
from schedulers.machine.registry import ALLOCATIONS
from schedulers.site.stop_log import StopLog
from workload_tools.batsim.intervals import Intervals
from workload_tools.batsim.workload import WORKLOAD_PREFIX, RawWorkload

_HOW = (HEAD, QUEUE, BACKFILLED)
NO_ESTIMATE = "has neither a walltime nor an estimate"
NO_WALLTIME = "has no walltime"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of the jobs."""

    raw: RawWorkload
    jobs: JobArrays
    order: Integers
    """The place in the workload of each of the kernel's jobs, which it knows by number."""
    kept: Jobs
    schedule: Schedule
    machine: Counting
    trust: TrustLog | None
    """When estimates were used, where that is decided."""
    site: SiteArrays | None = None
    """The rules of a site, and whom they stopped, where there are any."""
    nodes: NodeArrays | None = None
    """Its nodes, and which of them jobs had, likewise."""
    placed: Placed | None = None
    """The processors of each job, where the policy itself says which, as batsched's do."""

    @cached_property
    def over(self) -> Integers:
        """The places in the workload of the jobs, in the order in which they were over."""
        return self.order[self.schedule.over]

    @cached_property
    def ran(self) -> NDArray[np.bool_]:
        """Which of them ran, in that order."""
        return self.schedule.start[self.schedule.over] >= 0.0

    @cached_property
    def start(self) -> Floats:
        """When they started, in seconds, in that order; -1 for those that were rejected."""
        return self.schedule.start[self.schedule.over]

    @cached_property
    def end(self) -> Floats:
        """When they ended, likewise."""
        return self.schedule.end[self.schedule.over]

    @cached_property
    def states(self) -> Integers:
        """What became of them, as numbers of `JobState`, in that order."""
        killed, failing = self.jobs.killed[self.over], self.jobs.failing[self.over]
        ended = np.where(failing, JobState.COMPLETED_FAILED, JobState.COMPLETED_SUCCESSFULLY)
        ended = np.where(killed, JobState.COMPLETED_WALLTIME_REACHED, ended)
        return np.where(self.ran, ended, REJECTED)

    @cached_property
    def rejections(self) -> Counter[str]:
        """How many jobs were rejected, by reason, in the order in which they came first."""
        found: Counter[str] = Counter()
        for number in self.schedule.over[~self.ran].tolist():
            found[self._reason(number)] += 1
        return found

    def _reason(self, number: int) -> str:
        why = int(self.kept.refused[number])
        if self.site is not None and why in (codes.NOWHERE, codes.ABOVE, codes.TOO_LATE):
            return self.site.reason(number, above=why == codes.ABOVE)
        if why == codes.NO_WALLTIME:
            return NO_WALLTIME
        if why != codes.TOO_LARGE:
            return NO_ESTIMATE
        if self.site is not None and self.nodes is not None:
            return self.site.said(self.site.refusal_on_nodes(number))
        job = Job("", 0.0, int(self.kept.processors[number]), None)
        refusal = str(self.machine.refusal(job))
        return refusal if self.site is None else self.site.said(refusal)

    @cached_property
    def intervals(self) -> list[Intervals]:
        """The processors of each of the kernel's jobs; none for one that was rejected."""
        if self.nodes is not None:
            return self.nodes.intervals(self.schedule.changes)
        if self.placed is not None or self.machine.allocation == "lowest":
            # compiled, and so imported where there is an outcome alone
            from pred_aware.engine.allocations import intervals_of, placed_in

            return intervals_of(placed_in(self))
        rule = ALLOCATIONS.maker(self.machine.allocation)(self.machine.processors)
        placed: list[Intervals] = [()] * len(self.order)
        sizes = self.kept.processors.tolist()
        for change in self.schedule.changes.tolist():
            if change >= 0:
                placed[change] = rule.allocate(sizes[change])
            else:
                rule.release(placed[~change])
        return placed

    @cached_property
    def past(self) -> EndedJobs:
        """Dates, sizes and processors of the jobs that ran."""
        past = EndedJobs()
        ran = self.schedule.over[self.ran]
        past.submit.frombytes(self.kept.submit[ran].tobytes())
        past.start.frombytes(self.schedule.start[ran].tobytes())
        past.end.frombytes(self.schedule.end[ran].tobytes())
        past.sizes.frombytes(self.kept.processors[ran].tobytes())
        past.intervals = [self.intervals[number] for number in ran.tolist()]
        past.rejected = len(self.ran) - len(ran)
        past.successful = int((self.states == JobState.COMPLETED_SUCCESSFULLY).sum())
        return past

    def columns(self) -> Iterator[JobColumns]:
        """Return what became of the jobs as the simulator keeps it."""
        source = JobSource(self.raw)
        numbers, states = self.schedule.over.tolist(), self.states.tolist()
        places, starts, ends = self.over.tolist(), self.start.tolist(), self.end.tolist()
        for first in range(0, len(numbers), ROWS_AT_ONCE):
            made: list[SimulatedJob] = []
            for row in range(first, min(first + ROWS_AT_ONCE, len(numbers))):
                job = source.make(places[row])
                job.state = JobState(states[row])
                if job.state is not REJECTED:
                    job.start, job.end = starts[row], ends[row]
                    job.intervals = self.intervals[numbers[row]]
                made.append(job)
            yield JobColumns(made)

    def machine_states(self) -> MachineStates:
        """Return the rows of the machine's states: a row for each start and each end."""
        changes = self.schedule.changes
        started = changes >= 0
        numbers = np.where(started, changes, ~changes)
        start = self.schedule.start[numbers]
        dates = np.where(started, start, start + self.kept.duration[numbers])
        sizes = self.kept.processors[numbers]
        busy = np.cumsum(np.where(started, sizes, -sizes))
        rows = zip(
            dates.tolist(), (self.machine.processors - busy).tolist(), busy.tolist(), strict=True
        )
        return MachineStates([value for row in rows for value in row])

    def stops(self) -> StopLog:
        """Return for how long which rules of the site kept each job from starting."""
        log = StopLog()
        if self.site is not None:
            source = JobSource(self.raw)
            for number, seconds in self.site.stops(self.schedule.over[self.ran].tolist()):
                name = source.full_id(int(self.order[number]))
                log.add(Job(name, 0.0, 1, None), seconds)
        return log

    @property
    def has_journal(self) -> bool:
        """Whether the policy notes how it plans."""
        return self.placed is None

    def journal(self) -> Journal:
        """Return how each job was planned."""
        schedule, ids = self.schedule, self.raw.ids
        ran = schedule.over[self.ran]
        first, last = schedule.first_promise[ran].tolist(), schedule.last_promise[ran].tolist()
        return Journal.of(
            (
                [WORKLOAD_PREFIX + ids[place] for place in self.order[ran].tolist()],
                schedule.first_estimate[ran].tolist(),
                self.kept.running[ran].tolist(),
                schedule.corrections[ran].tolist(),
                [_HOW[how] for how in schedule.started_as[ran].tolist()],
                [f"{date:f}" if date >= 0.0 else "" for date in first],
                [
                    f"{date:f}" if began >= 0.0 else ""
                    for began, date in zip(first, last, strict=True)
                ],
            )
        )
