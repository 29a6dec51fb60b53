"""A run in arrays where the engine covers it; its files are made when they are read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.asking import job_at
from pred_aware.engine.coverage import arrangement_of
from pred_aware.engine.loading import ENGINE
from pred_aware.engine.outcome import Outcome
from pred_aware.engine.rows import JobRows, Later, ScheduleRow
from pred_aware.log.workload import Workload, arrays_of, requested_fields_of, users_of
from pred_aware.metrics.figures import with_figures
from pred_aware.simulator.outputs import Outputs
from pred_aware.simulator.simulation import summarize
from pred_aware.simulator.sources import JobSource
from pred_aware.simulator.tracing import JOB_COLUMNS, MACHINE_STATE_COLUMNS, in_text
from schedulers import Policy
from schedulers.journal import Journal, sums


class UnfinishedError(Exception):
    """A simulation in arrays can't finish."""


def simulated_in_arrays(
    workload: Workload,
    policy: Policy,
    *,
    processors: int,
    progress: Callable[[int], None] | None,
) -> "RunInArrays | None":
    """Simulate a policy that was just made, without delays, by the engine.

    Returns
    -------
    RunInArrays
        ``None`` where the engine does not cover the policy or the workload, or is not worth its
        start; then the policy is as it was.

    Raises
    ------
    UnfinishedError
        It can't finish, and the Python parts tell why: with a policy that is made anew, since its
        predictors have learned.
    """
    arrangement = arrangement_of(policy)
    if arrangement is None or not ENGINE.worth(
        len(workload), arrangement.compiled_apart, times=arrangement.takes
    ):
        return None
    gate = arrangement.gate
    if gate is not None and gate.site.size not in (None, processors):
        return None
    simulates = ENGINE.load(arrangement.compiled_apart)
    jobs = None if simulates is None else arrays_of(workload)
    if simulates is None or jobs is None:
        return None
    users = None
    if policy.needs_fields:
        # a job that can't be read is an error, also where nothing of it is wanted
        users = users_of(workload)
        if users is None:
            return None
    asked = None
    if arrangement.asks is not None:
        asked = asked_of_site(workload, arrangement.asks)
        if asked is None:
            return None
    began = perf_counter()
    outcome = simulates(
        workload.raw, jobs, arrangement,
        processors=processors, users=users, asked=asked, progress=progress,
    )  # fmt: skip
    if outcome is None:
        raise UnfinishedError
    return RunInArrays(outcome, processors, perf_counter() - began)


def asked_of_site(workload: Workload, fields: Sequence[str]) -> AskedOfSite | None:
    """Return what jobs ask for, in the order of the workload.

    Parameters
    ----------
    workload
        The jobs.
    fields
        Those that make a difference to the site, by Batsim's names.

    Returns
    -------
    AskedOfSite
        ``None`` where a field has what can't be compared.
    """
    found = requested_fields_of(workload, tuple(fields))
    if found is None:
        return None
    source = JobSource(workload.raw)
    return AskedOfSite(
        found.groups, found.limits, found.eligible, found.throttled,
        lambda place: job_at(source, place), tuple(fields), found.values,
    )  # fmt: skip


@dataclass(eq=False)
class RunInArrays:
    """A run of the engine, as its files are written."""

    outcome: Outcome
    processors: int
    seconds: float
    """What the simulation took."""

    def write(self, outputs: Outputs) -> None:
        """Write all files but the record of its making."""
        for kind, header, rows in (
            ("jobs", JOB_COLUMNS, JobRows(self.outcome)),
            ("machine_states", MACHINE_STATE_COLUMNS, Later(self._machine_states)),
        ):
            output = outputs.open(kind)
            output.write(",".join(header) + "\n")
            output.add(rows)
        outputs.open("schedule").add(ScheduleRow(self.processors, self._schedule))
        if self.outcome.has_journal:
            outputs.open("estimates").add(Later(self._estimates))
        if self.outcome.trust is not None:
            outputs.open("trust").add(self.outcome.trust)
        if self.outcome.site is not None:
            outputs.open("stops").add(Later(self._stops))

    @cached_property
    def _journal(self) -> Journal:
        return self.outcome.journal()

    def _estimates(self) -> Iterator[str]:
        return self._journal.text()

    def _stops(self) -> Iterator[str]:
        return self.outcome.stops().text()

    def _machine_states(self) -> Iterator[str]:
        return self.outcome.machine_states().text()

    @cached_property
    def _figures(self) -> dict[str, float | int | str]:
        """The columns of the schedule file. Nobody measured the scheduler apart."""
        summary = summarize(self.outcome.past, self.processors)
        summary["scheduling_time"] = 0.0
        summary["simulation_time"] = self.seconds
        return summary

    def _schedule(self) -> Iterator[str]:
        columns = in_text(self._figures)
        return iter((",".join(columns) + "\n" + ",".join(columns.values()) + "\n",))

    def summary(self) -> dict[str, Any]:
        """Return the figures of the whole."""
        summary = with_figures(self._figures, self.outcome.past)
        if not self.outcome.has_journal:
            return summary
        return {**summary, **sums(self._journal.rows())}
