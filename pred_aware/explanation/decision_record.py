"""A repeated simulation of a run that records planned starts and corrected estimates."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError
from pred_aware.execution.in_process import PolicyInProcess
from pred_aware.execution.rerun import recipe_of, workload_of
from pred_aware.execution.simulate import options_for
from pred_aware.execution.undelayed import simulated_undelayed
from pred_aware.explanation.explanation import Cause, CorrectedEstimate, Promise
from pred_aware.explanation.rules import FILLER, SchedulingRules
from pred_aware.simulator.outputs import RunInMemory
from pred_aware.simulator.simulation import simulate_jobs
from schedulers import make_policy
from schedulers.core.machine import NEVER
from schedulers.recording import Corrected, Promised, Recording
from schedulers.specification import specify

if TYPE_CHECKING:
    from pred_aware.explanation.schedule import JobSchedule
    from pred_aware.runs.run import Run

EARLY = 1e-3
"""A job counts as early if it ends more than this many seconds before its planned end. Smaller
differences come from rounding, because times in files have six decimals.
"""

_at = attrgetter("at")


def record(
    run: "Run",
    *,
    platform: Path | None = None,
    own_parts: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> "DecisionRecord":
    """Simulate a run again, and record the scheduler's decisions.

    Parameters
    ----------
    run
        The run.
    platform, own_parts
        As in `pred_aware.execution.rerun.recipe_of`.
    progress
        As in `pred_aware.simulate`.

    Raises
    ------
    RunOfOtherProgramError
        The run was made by another program.
    PredAwareError
        The run's origin is unknown, an input is missing, or the repeated run differs.
    """
    recipe = recipe_of(run, platform, own_parts=own_parts)
    workload = workload_of(run)
    options = options_for(recipe.policy, recipe.options, delays=recipe.delays)
    recording = Recording()
    policy = make_policy(recipe.policy, options, recording=recording)
    outputs = RunInMemory()
    total = len(workload)
    say = None if progress is None else lambda ended: progress(ended, total)
    undelayed = None
    if recipe.delays == "none":
        size = recipe.platform.processors
        undelayed = simulated_undelayed(workload, policy, processors=size, progress=say)
    if undelayed is not None:
        undelayed.write(outputs)
    else:
        simulate_jobs(
            recipe.platform, workload.raw, PolicyInProcess(policy), outputs=outputs,
            delays=recipe.delays, progress=say,
        )  # fmt: skip
    if recipe.jobs_sha256 and outputs.digest("jobs")() != recipe.jobs_sha256:
        raise PredAwareError(
            f"{run.name} gives a different schedule when it is repeated. It was made with another "
            "version of pred-aware or a library, or with other past jobs: run it again"
        )
    specification = specify(recipe.policy, options)
    return DecisionRecord(
        recording, SchedulingRules(specification.name, specification.options, recording)
    )


class DecisionRecord:
    """The recorded decisions of a run's scheduler.

    Parameters
    ----------
    recording
        Reservations, corrected estimates and started jobs, as the scheduler recorded them.
    rules
        The scheduler's rules, which find the rule by which a job overtook another.
    """

    def __init__(self, recording: Recording, rules: SchedulingRules) -> None:
        self.rules = rules
        self._recording = recording

    @property
    def has_records(self) -> bool:
        """True if the scheduler recorded its decisions; a user's own policy may record nothing."""
        return bool(self._recording.jobs)

    def estimate(self, job: str) -> float | None:
        """Return a job's estimate when the scheduler considered starting it, in seconds."""
        found = self._recording.jobs.get(job)
        if found is None:
            return None
        # the schedulers copied from batsched plan with walltimes
        estimate = found.backfilling or found.walltime
        return estimate if estimate is not None and estimate < NEVER else None

    def corrections(self, job: str) -> tuple[CorrectedEstimate, ...]:
        """Return the new estimates that a job got because it ran longer than its estimate."""
        found = self._corrections_of.get(job, ())
        if not found:
            return ()
        known = self._recording.jobs[job]
        # the first recorded corrections replaced an outdated estimate when the job started
        return tuple(
            CorrectedEstimate(one.at, one.before - known.started, one.after - known.started)
            for one in found[len(found) - known.corrections :]
        )

    @cached_property
    def _corrections_of(self) -> dict[str, list[Corrected]]:
        found: dict[str, list[Corrected]] = {}
        for one in self._recording.corrections:
            found.setdefault(one.job, []).append(one)
        return found

    def jobs_reserved_for(
        self, job: str, stretches: Sequence[tuple[float, float]], schedule: "JobSchedule"
    ) -> list[tuple[str, float]]:
        """Return the jobs for which processors were reserved during some periods, in seconds each.

        If the scheduler reserves for the first job of the queue, the result has the jobs that were
        first. Otherwise, the result has the jobs with a reservation from `max_wait`. The job with
        the longest time comes first.

        Parameters
        ----------
        job
            The waiting job.
        stretches
            Start and end of each period, in seconds.
        schedule
            The schedule of the run.
        """
        found = (
            self._of_bound(job, stretches, schedule)
            if self.rules.backfilling == FILLER and self.rules.bound is not None
            else self._first(stretches)
        )
        return sorted(found.items(), key=itemgetter(1), reverse=True)

    def _of_bound(
        self, job: str, stretches: Sequence[tuple[float, float]], schedule: "JobSchedule"
    ) -> dict[str, float]:
        found: dict[str, float] = {}
        if not stretches:
            return found
        for name, promises in self._recording.promises.items():
            since, until = promises[0].at, schedule.start[schedule.places[name]]
            if name == job or since >= stretches[-1][1] or until <= stretches[0][0]:
                continue
            found[name] = sum(
                max(min(until, last) - max(since, first), 0.0) for first, last in stretches
            )
        return {name: lasted for name, lasted in found.items() if lasted > 0.0}

    def _first(self, stretches: Iterable[tuple[float, float]]) -> dict[str, float]:
        """Return the first jobs of the queue during some periods, with the seconds of each."""
        heads = self._recording.heads
        found: dict[str, float] = {}
        for first, last in stretches:
            place = max(bisect_right(heads, first, key=_at) - 1, 0)
            while place < len(heads) and heads[place].at < last:
                until = heads[place + 1].at if place + 1 < len(heads) else last
                lasted = min(until, last) - max(heads[place].at, first)
                if lasted > 0.0:
                    job = heads[place].job
                    found[job] = found.get(job, 0.0) + lasted
                place += 1
        found.pop("", None)
        return found

    def promises(self, job: str, schedule: "JobSchedule") -> tuple[Promise, ...]:
        """Return a job's planned starts while it waited, with the causes of changes."""
        known: Sequence[Promised] = self._recording.promises.get(job, ())
        started = schedule.start[schedule.places[job]]
        promises: list[Promise] = []
        previous: Promised | None = None
        for one in known:
            if one.at >= started and previous is not None:
                # the pass that made this plan also started the job
                break
            start = one.start if one.start < NEVER else None
            if previous is None:
                promises.append(Promise(one.at, start, None, ()))
            else:
                causes = self._causes(job, previous, one, schedule)
                promises.append(Promise(one.at, start, one.start - previous.start, causes))
            previous = one
        return tuple(promises)

    def _causes(
        self, job: str, before: Promised, after: Promised, schedule: "JobSchedule"
    ) -> tuple[Cause, ...]:
        """Find the events since the previous planned start that can have changed it."""
        later = after.start > before.start
        for since in dict.fromkeys((max(after.before, before.at), before.at)):
            window = (since, after.at)
            if later:
                found = (
                    self._corrected(window, before.start, after.start)
                    or self._overdue(after.at, before.start, schedule)
                    or self._started(window, before.start, schedule)
                )
            else:
                found = self._ended(window, after.start, schedule)
            found = [cause for cause in found if cause.job != job]
            if later:
                # a job that has ended by now cannot delay the planned start
                ends = schedule.end
                found = [event for event in found if ends[schedule.places[event.job]] > after.at]
            if found:
                break
        sizes = schedule.sizes
        found.sort(
            key=lambda event: -abs(event.now - event.planned) * sizes[schedule.places[event.job]]
        )
        return tuple(found)

    def _corrected(self, window: tuple[float, float], before: float, after: float) -> list[Cause]:
        corrections = self._recording.corrections
        first, last = (bisect_right(corrections, date, key=_at) for date in window)
        found: dict[str, Cause] = {}
        for one in corrections[first:last]:
            # a job may exceed several estimates between two plans
            planned = found[one.job].planned if one.job in found else one.before
            found[one.job] = Cause("corrected", one.job, one.at, planned, one.after)
        longer = [cause for cause in found.values() if cause.now > cause.planned]
        in_its_way = [one for one in longer if one.planned <= after and one.now > before]
        return in_its_way or longer

    def _overdue(self, at: float, before: float, schedule: "JobSchedule") -> list[Cause]:
        found = []
        for place in schedule.running_at(at).nonzero()[0]:
            name = schedule.names[place]
            planned = self.rules.planned_end(name, schedule.start[place])
            if planned < at and planned <= before:
                found.append(Cause("overdue", name, at, planned, at))
        return found

    def _started(
        self, window: tuple[float, float], before: float, schedule: "JobSchedule"
    ) -> list[Cause]:
        first, last = schedule.started_between(*window)
        found = []
        for place in schedule.by_start[first:last]:
            name, start = schedule.names[place], float(schedule.start[place])
            planned = self.rules.planned_end(name, start, at_start=True)
            if planned > before:
                found.append(Cause("started", name, start, start, planned))
        return found

    def _ended(
        self, window: tuple[float, float], after: float, schedule: "JobSchedule"
    ) -> list[Cause]:
        first, last = schedule.ended_between(*window)
        found = []
        for place in schedule.by_end[first:last]:
            name, end = schedule.names[place], float(schedule.end[place])
            planned = self.rules.planned_end(name, float(schedule.start[place]))
            if planned > end + EARLY:
                found.append(Cause("ended", name, end, planned, end))
        in_its_way = [one for one in found if one.planned > after]
        return in_its_way or found
