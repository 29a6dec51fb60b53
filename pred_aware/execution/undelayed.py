"""A simulation without message delays in the core's own loop; files are created when read."""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from time import perf_counter
from typing import Any

from pred_aware.log.job_arrays import JobArrays
from pred_aware.log.workload import Workload, arrays_of, known_columns_of
from pred_aware.metrics.figures import with_figures
from pred_aware.runs.outcome import Outcome
from pred_aware.runs.rows import JobRows, LazyRows, ScheduleRow
from pred_aware.simulator.no_delays import deadlock_of
from pred_aware.simulator.outputs import Outputs
from pred_aware.simulator.simulation import rare_collections, summarize
from pred_aware.simulator.sources import JobSource
from pred_aware.simulator.tracing import JOB_COLUMNS, MACHINE_STATE_COLUMNS, in_text
from schedulers import Policy
from schedulers.core.loop import Loop, Submissions
from schedulers.core.scheduler import Scheduler
from schedulers.decisions import notes_of
from workload_tools.batsim.fields import forget_what_came


def simulated_undelayed(
    workload: Workload,
    policy: Policy,
    *,
    processors: int,
    progress: Callable[[int], None] | None,
) -> "UndelayedRun | None":
    """Simulate a newly created scheduler.

    Returns
    -------
    UndelayedRun
        ``None`` if the policy is not a `Scheduler`, or if the run time of a job depends on the
        speed of its processors. The policy is then unchanged.

    Raises
    ------
    DeadlockError
        Jobs wait, but no more events can happen.
    """
    if not isinstance(policy, Scheduler):
        return None
    jobs = arrays_of(workload)
    if jobs is None:
        return None
    began = perf_counter()
    policy.begin(processors)
    submissions = _submissions(workload, jobs)
    with rare_collections():
        schedule = Loop(policy, submissions, progress).run()
    if schedule.ended < len(workload):
        over = {*schedule.over[: schedule.ended]}
        waiting = [
            (submissions.ids[place], submissions.processors[place])
            for place in submissions.by_date
            if place not in over
        ]
        raise deadlock_of(waiting, now=schedule.last_date)
    outcome = Outcome(workload.raw, jobs, schedule, processors)
    return UndelayedRun(outcome, policy, perf_counter() - began)


def _submissions(workload: Workload, jobs: JobArrays) -> Submissions:
    """Return the jobs in the form that the core's loop needs."""
    # the source is created when the fields of a job are first read
    source = cache(partial(JobSource, workload.raw))
    return Submissions(
        jobs.full_names,
        array("d", jobs.submit.tobytes()), array("q", jobs.processors.tobytes()),
        array("d", jobs.walltime.tobytes()), array("d", jobs.delay.tobytes()),
        array("d", jobs.duration.tobytes()),
        fields=lambda place: forget_what_came(source().make(place).fields()),
        known=partial(known_columns_of, workload),
    )  # fmt: skip


@dataclass(eq=False)
class UndelayedRun:
    """A run, with methods for its files."""

    outcome: Outcome
    policy: Scheduler
    seconds: float
    """Seconds of the simulation."""

    def write(self, outputs: Outputs) -> None:
        """Write all files except ``PREFIX_run.json``."""
        for kind, header, rows in (
            ("jobs", JOB_COLUMNS, JobRows(self.outcome)),
            ("machine_states", MACHINE_STATE_COLUMNS, LazyRows(self._machine_states)),
        ):
            output = outputs.open(kind)
            output.write(",".join(header) + "\n")
            output.add(rows)
        outputs.open("schedule").add(ScheduleRow(self.outcome.processors, self._schedule))
        notes = notes_of(self.policy)
        for kind, noted in notes.items():
            outputs.open(kind).add(LazyRows(self._estimates) if kind == "estimates" else noted)

    def _estimates(self) -> Iterator[str]:
        return self.outcome.journal().text()

    def _machine_states(self) -> Iterator[str]:
        return self.outcome.machine_states().text()

    @cached_property
    def _figures(self) -> dict[str, float | int | str]:
        """The columns of the schedule file, without the scheduler's own time."""
        summary = summarize(self.outcome.past, self.outcome.processors)
        summary["scheduling_time"] = 0.0
        summary["simulation_time"] = self.seconds
        return summary

    def _schedule(self) -> Iterator[str]:
        columns = in_text(self._figures)
        return iter((",".join(columns) + "\n" + ",".join(columns.values()) + "\n",))

    def summary(self) -> dict[str, Any]:
        """Return the values of the run by name."""
        return {**with_figures(self._figures, self.outcome.past), **self.outcome.sums()}
