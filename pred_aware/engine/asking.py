"""Predictors that are asked while a simulation in arrays stands still."""

from collections.abc import Mapping
from functools import cached_property

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel.codes import (
    ASKS,
    CHANGES,
    ESTIMATED,
    FITS,
    NEVER,
    SUBMITTED,
)
from pred_aware.engine.kernel.values import Jobs, Schedule, State
from pred_aware.simulator.sources import JobSource
from schedulers.job import Job
from schedulers.policy.estimates import EstimateSource, Learning, predictors_of
from workload_tools.batsim.fields import forget_what_came
from workload_tools.batsim.workload import RawWorkload


class Asking:
    """The sources of estimates of a policy, which are told what became of the jobs.

    At each date of a submission the loops stand still. Then the sources are told of all that has
    started and ended since, one by one and with its date, and asked: as by
    `schedulers.policy.combined`.

    Parameters
    ----------
    raw, order
        The workload, and the place in it of each of the kernel's jobs.
    sources
        Those that are asked, by their role.
    plans
        Whether a job without an estimate is refused.
    """

    def __init__(
        self,
        raw: RawWorkload,
        order: Integers,
        sources: Mapping[str, EstimateSource],
        *,
        plans: bool,
    ) -> None:
        self._raw = raw
        self._order = order
        self._sources = sources
        self._learning = Learning(predictors_of(sources.values()))
        self._plans = plans
        self._told = 0
        # from the submission to the end
        self._jobs: dict[int, Job] = {}

    @cached_property
    def _source(self) -> JobSource:
        return JobSource(self._raw)

    @cached_property
    def _places(self) -> list[int]:
        places: list[int] = self._order.tolist()
        return places

    def answer(self, jobs: Jobs, state: State, schedule: Schedule) -> None:
        """Estimate the jobs of the next date of submission."""
        self.tell(state, schedule)
        counts = state.counts
        number = int(counts[SUBMITTED])
        now = float(jobs.submit[number])
        while number < len(self._places) and jobs.submit[number] == now:
            if jobs.refused[number] == FITS:
                self._estimate(jobs, number, now)
            number += 1
        counts[ESTIMATED], counts[ASKS] = number, 0

    def tell(self, state: State, schedule: Schedule) -> None:
        """Tell what has started and ended since the last time."""
        told, self._told = self._told, int(state.counts[CHANGES])
        for change in schedule.changes[told : self._told].tolist():
            if change >= 0:
                job = self._jobs[change]
                job.started = float(schedule.start[change])
                self._learning.started(job, job.started)
            else:
                self._learning.ended(self._jobs.pop(~change), float(state.ends_at[~change]))

    def _estimate(self, jobs: Jobs, number: int, now: float) -> None:
        made = self._source.make(self._places[number])
        job = self._jobs[number] = Job(
            made.id,
            made.submit_time,
            made.processors,
            None if made.walltime <= 0.0 else made.walltime,
            forget_what_came(made.fields()),
            made.delay,
        )
        # each source is asked once, however many roles it has
        answers: dict[EstimateSource, float] = {}
        for role, source in self._sources.items():
            if source not in answers:
                answers[source] = source.estimate(job, now)
            of_role = {"queueing": jobs.queueing, "backfilling": jobs.backfilling}
            of_role.get(role, jobs.running)[number] = answers[source]
        self._learning.submitted(job, now)
        if self._plans and NEVER in (jobs.running[number], jobs.backfilling[number]):
            self._learning.withdrawn(job, now)
            del self._jobs[number]
