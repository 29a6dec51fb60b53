"""Explanations of the waits of a run's jobs."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.execution.rerun import RunOfOtherProgramError
from pred_aware.explanation.explanation import Explanation, Facts
from pred_aware.explanation.schedule import JobSchedule, number, word
from pred_aware.explanation.sentences import sentences
from pred_aware.explanation.values import ExplanationValues
from pred_aware.report.clock import LogClock, make_clock
from pred_aware.runs.waiting_by_rule import stops_by_job

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.explanation.decision_record import DecisionRecord
    from pred_aware.log.workload import Workload
    from pred_aware.runs.run import Run

_PLANNED = ("first_estimate", "started_as")

NOTICED = 0.01
"""A job that waited at most this many seconds counts as not waiting, because messages delay each
start."""

NOT_TOLD = "its planned starts, and the rules by which other jobs overtook it"
FROM_THE_SCHEDULE = f"{NOT_TOLD}, because only the schedule was used"
TELLS_NOTHING = f"{NOT_TOLD}, because the custom scheduler does not record its decisions"


def explain(
    run: "Run",
    job: str | int,
    *,
    platform: Path | None = None,
    own_parts: bool = False,
    schedule_only: bool = False,
) -> Explanation:
    """Explain why a job of a run waited; use `Explainer` for several jobs of one run.

    Examples
    --------
    >>> from pred_aware import Workload, simulate
    >>> jobs = [
    ...     {"id": 1, "subtime": 0, "res": 3, "walltime": 900, "profile": "long"},
    ...     {"id": 2, "subtime": 10, "res": 4, "walltime": 800, "profile": "long"},
    ...     {"id": 3, "subtime": 20, "res": 1, "walltime": 60, "profile": "short"},
    ... ]
    >>> lasting = {"long": 500, "short": 20}
    >>> profiles = {name: {"type": "delay", "delay": time} for name, time in lasting.items()}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> explanation = explain(simulate(workload, "easy"), 2)
    >>> explanation.reasons[0].kind, explanation.overtaken_by[0].rule
    ('running', 'ends_in_time')
    >>> [(promise.at, promise.start) for promise in explanation.promises]
    [(10.0, 900.0)]
    """
    explainer = Explainer(run, platform=platform, own_parts=own_parts, schedule_only=schedule_only)
    return explainer.explain(job)


class Explainer:
    """Explains why jobs of a run waited.

    A run's files contain neither planned starts nor the rules by which jobs overtook. So the first
    explanation simulates the run again, and checks that the schedule is the same. Each further
    explanation takes milliseconds.

    Parameters
    ----------
    run
        The run.
    platform
        The platform's file, if it has been moved.
    own_parts
        True to import the user's own classes that a file names as ``module:Class``; see `compare`.
    schedule_only
        True to explain from the run's schedule alone, without a simulation.
    progress
        Called at intervals during the simulation, with the numbers of ended jobs and of all jobs.
    """

    def __init__(
        self,
        run: "Run",
        *,
        platform: Path | None = None,
        own_parts: bool = False,
        schedule_only: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._run = run
        self._platform = platform
        self._own_parts = own_parts
        self._schedule_only = schedule_only
        self._progress = progress
        self._elsewhere = ""

    def explain(self, job: str | int) -> Explanation:
        """Explain why a job waited.

        Parameters
        ----------
        job
            Name of the job in the workload; in a run of several workloads the full name, such as
            ``w1!15``.

        Returns
        -------
        Explanation
            The explanation as values (`as_json` for JSON), and in words (`str`).

        Raises
        ------
        PredAwareError
            The run has no such job, or it cannot be simulated again.
        """
        name = self._full_name(str(job))
        if name not in self._schedule.places:
            return self._rejected(name)
        place = self._schedule.places[name]
        waited = float(self._schedule.start[place] - self._schedule.submission[place])
        recorded = self._recorded
        values = ExplanationValues(self._schedule, recorded, self._called, self._stops)
        found = Explanation(
            run=self._run.name,
            job=self._called(name),
            facts=self._facts(name, recorded),
            at_submission=values.at_submission(place),
            corrections=() if recorded is None else recorded.corrections(name),
            not_known=self._not_known,
        )
        if waited > NOTICED:
            found = replace(
                found,
                reasons=values.reasons(place),
                started_after=values.started_after(place),
                promises=values.promises(place),
                overtaken_by=values.overtakers(place),
            )
        return self._in_words(found)

    def _in_words(self, found: Explanation, rejected: str | None = None) -> Explanation:
        rules = None if self._recorded is None else self._recorded.rules
        in_words = sentences(
            found, clock=self._clock, rules=rules, size=self._run.processors, rejected=rejected
        )
        return replace(found, sentences=in_words)

    # data sources

    @cached_property
    def _schedule(self) -> JobSchedule:
        return JobSchedule.of(self._run)

    @cached_property
    def _one_workload(self) -> bool:
        return len({name.partition("!")[0] for name in self._known}) == 1

    @cached_property
    def _known(self) -> tuple[str, ...]:
        """Full names of all jobs, including those that never ran."""
        return (*self._schedule.names, *self._run.never_ran)

    def _called(self, name: str) -> str:
        return name.partition("!")[2] if self._one_workload else name

    def _full_name(self, job: str) -> str:
        known = self._known
        for name in (job, f"{known[0].partition('!')[0]}!{job}" if self._one_workload else job):
            if name in self._schedule.places or name in self._run.never_ran:
                return name
        called = [self._called(name) for name in known]
        close = difflib.get_close_matches(job, called, n=3, cutoff=0.0)
        raise PredAwareError(
            f"{self._run.name} has no job '{job}'; the nearest names are {', '.join(close)}"
        )

    @cached_property
    def _workload(self) -> "Workload | None":
        """The run's workload, which has users and dates; ``None`` if its file is missing."""
        if self._run.workload is not None or self._schedule_only:
            return self._run.workload
        from pred_aware.execution.rerun import workload_of

        try:
            return workload_of(self._run)
        except PredAwareError:
            if self._recorded is None:
                # an explanation from the schedule works without users and dates
                return None
            raise

    @cached_property
    def _recorded(self) -> "DecisionRecord | None":
        """The scheduler's decisions; ``None`` if only the schedule is available."""
        if self._schedule_only:
            return None
        from pred_aware.explanation.decision_record import record

        try:
            found = record(
                self._run, platform=self._platform, own_parts=self._own_parts,
                progress=self._progress,
            )  # fmt: skip
        except RunOfOtherProgramError as error:
            self._elsewhere = str(error)
            return None
        except PredAwareError as error:
            raise PredAwareError(
                f"{error}; to explain the wait from the schedule alone, give --schedule-only"
            ) from error
        return found

    @cached_property
    def _stops(self) -> Mapping[str, Mapping[str, float]]:
        return stops_by_job(self._run)

    @property
    def _not_known(self) -> tuple[str, ...]:
        recorded = self._recorded
        if self._schedule_only:
            return (FROM_THE_SCHEDULE,)
        if recorded is None:
            return (f"{NOT_TOLD}: {self._elsewhere}",)
        return () if recorded.has_records else (TELLS_NOTHING,)

    @cached_property
    def _clock(self) -> LogClock:
        from pred_aware.report.clock import plausible_start

        workload, submission = self._workload, self._schedule.submission
        if workload is None or not submission.size:
            return make_clock(None, None)
        second_0, zone = workload.dates
        first, last = float(submission.min()), float(self._schedule.end.max())
        return make_clock(plausible_start(second_0, first, last), zone)

    @cached_property
    def _frame(self) -> "pd.DataFrame":
        """Final state, walltime and estimate of the jobs that ran, by job name."""
        frame = self._run.jobs
        return frame[[name for name in ("final_state", "walltime", *_PLANNED) if name in frame]]

    def _of_workload(self, called: str, field: str) -> str | None:
        workload = self._workload
        if workload is None or not self._one_workload or field not in workload.jobs:
            return None
        value = workload.jobs[field].get(called)
        return None if value is None or value != value else str(value)  # noqa: PLR0124 - true only for NaN

    # content

    def _facts(self, name: str, recorded: "DecisionRecord | None") -> Facts:
        schedule = self._schedule
        place, called = schedule.places[name], self._called(name)
        row: Any = self._frame.loc[called].to_dict()
        submitted, started, ended = (
            float(dates[place]) for dates in (schedule.submission, schedule.start, schedule.end)
        )
        estimate = None if recorded is None else recorded.estimate(name)
        return Facts(
            processors=int(schedule.sizes[place]),
            walltime=number(row.get("walltime")),
            estimate=number(row.get("first_estimate")) if estimate is None else estimate,
            user=self._of_workload(called, "user"),
            queue=self._of_workload(called, "queue"),
            submitted=submitted,
            started=started,
            ended=ended,
            waited=started - submitted,
            ran=ended - started,
            state=str(row["final_state"]),
            started_as=word(row.get("started_as")),
        )

    def _rejected(self, name: str) -> Explanation:
        called = self._called(name)
        row: Any = self._run.rejected.loc[called].to_dict()
        reason = word(row.get("reason"))
        facts = Facts(
            processors=int(row["requested_number_of_resources"]),
            walltime=number(row.get("walltime")),
            estimate=None,
            user=self._of_workload(called, "user"),
            queue=self._of_workload(called, "queue"),
            submitted=number(row.get("submission_time")),
            started=None, ended=None, waited=None, ran=None,
            state="REJECTED", started_as=None,
        )  # fmt: skip
        found = Explanation(run=self._run.name, job=called, facts=facts)
        return self._in_words(found, reason)
