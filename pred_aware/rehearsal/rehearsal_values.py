"""The result of a rehearsal as data classes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pred_aware.comparison.comparison import Comparison
from pred_aware.errors import PredAwareError
from pred_aware.log.job_log import JobLog
from pred_aware.log.past_jobs import past_job
from pred_aware.prediction.evaluation import Evaluation
from pred_aware.prediction.protocol import date_of
from pred_aware.rehearsal.served_estimates import ServedEstimates
from pred_aware.report.clock import make_clock, plausible_start
from pred_aware.runs.run import Run
from pred_aware.site_configuration import site_in
from pred_aware.site_configuration.reading import slurm_version
from predictors.submission import PastJob
from workload_tools.files import written_whole
from workload_tools.job import Job, later

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from schedulers.site.site import Site


LEAD = 30 * 86400.0
"""Length of the warm-up before the period, in seconds, so that the machine is not empty."""


@dataclass(frozen=True, slots=True)
class Period:
    """The period whose jobs are rehearsed."""

    first: float
    last: float
    """Seconds since the log's first submission. The period has the jobs submitted at or after
    `first`, and before `last`.
    """
    places: tuple[int, ...]
    """Indices of these jobs in the log."""


def period_of(log: JobLog, begin: str | None, end: str | None) -> Period:
    """Return the jobs of a period.

    Parameters
    ----------
    log
        The log.
    begin, end
        Dates such as ``2017-11-01``, in the machine's time zone, or seconds since the first
        submission; `None` for no limit.

    Raises
    ------
    PredAwareError
        A date is invalid, or no job was submitted in the period.
    """
    first = 0.0 if begin is None else date_of(begin, log.machine, option="--start")
    last = float("inf") if end is None else date_of(end, log.machine, option="--end")
    places = tuple(
        place
        for place, job in enumerate(log.machine.jobs)
        if first <= job.submit_time < last and not job.warm_up
    )
    if not places:
        period = f"from {begin or 'the beginning'} to {end or 'the end'}"
        raise PredAwareError(f"{log.name}: no job was submitted {period}")
    return Period(first, last, places)


def simulated_part(log: JobLog, period: Period) -> tuple[JobLog, list[PastJob]]:
    """Return the part of a log to simulate, and the jobs that had ended before.

    Jobs submitted up to `LEAD` before the period are simulated too, as warm-up jobs. They fill the
    machine and the queue, but measures omit them.

    Parameters
    ----------
    log
        The log.
    period
        The period whose jobs are measured.

    Returns
    -------
    JobLog
        The jobs to simulate; the first is submitted at 0.
    list of PastJob
        The jobs that had ended before, in the order of their ends, with dates on the same clock.
    """
    jobs = log.machine.jobs
    begin = next(job.submit_time for job in jobs if job.submit_time >= period.first - LEAD)
    simulated = [
        replace(later(job, -begin), warm_up=job.warm_up or job.submit_time < period.first)
        for job in jobs
        if begin <= job.submit_time < period.last
    ]
    before = (later(job, -begin) for job in jobs if job.submit_time < begin)
    start = log.machine.start_time
    machine = replace(
        log.machine, jobs=simulated, start_time=None if start is None else start + begin
    )
    return JobLog(log.name, machine, log.report), _ended(before)


def _ended(jobs: Iterable[Job]) -> list[PastJob]:
    """Return the jobs that had ended by second 0, in the order of their ends."""
    dated = [(past.end, past) for past in map(past_job, jobs) if past.end is not None]
    return [past for end, past in sorted(dated, key=lambda dated_job: dated_job[0]) if end <= 0.0]


@dataclass(frozen=True, slots=True)
class RehearsedPredictor:
    """The results of one predictor in the service."""

    answers: ServedEstimates
    """The soft walltimes that would have been set."""
    evaluation: Evaluation
    """Errors of the predictions, also by queue, by user and by run time."""
    run: Run
    """The schedule with this predictor."""

    @property
    def label(self) -> str:
        """The predictor's label."""
        return self.evaluation.label

    @property
    def set(self) -> int:
        """Number of jobs that would have received a soft walltime."""
        return sum(soft is not None for soft in self.answers.soft_walltimes)

    @property
    def extended(self) -> int:
        """Number of jobs whose soft walltime was extended in the schedule."""
        return int((self.run.jobs["corrections"].loc[self.run.ids_in_workload] > 0).sum())


@dataclass(frozen=True, slots=True, repr=False)
class RehearsalValues:
    """What the service would have done on a log, and the effects on the schedule."""

    log: JobLog
    period: Period
    """The period whose jobs are measured."""
    options: Mapping[str, Any]
    """The scheduler's options."""
    by_predictor: tuple[RehearsedPredictor, ...]
    """The predictors, in the given order."""
    baseline: Run
    """The schedule with walltimes."""
    comparison: Comparison
    """The comparison of the schedules."""

    @property
    def site(self) -> "Site | None":
        """The site whose rules the schedules apply."""
        found = self.options.get("site")
        return None if found is None else site_in(found)

    @property
    def slurm(self) -> str | None:
        """The simulated version of Slurm, empty if unknown; None for other schedulers."""
        backfilling = self.options["backfilling"]
        name = backfilling.get("name") if isinstance(backfilling, Mapping) else backfilling
        return slurm_version(self.site) if name == "slurm" else None

    @property
    def warm_up(self) -> int:
        """Number of warm-up jobs, which only fill the machine."""
        return self.comparison.runs[0].warm_up

    @property
    def dates(self) -> str:
        """The period, its number of jobs, and the size of the machine."""
        machine = self.log.machine
        submitted = [machine.jobs[place].submit_time for place in self.period.places]
        start = plausible_start(machine.start_time, submitted[0], submitted[-1])
        period = make_clock(start, machine.time_zone).period(
            submitted[0], submitted[-1], jobs=len(submitted)
        )
        return f"{period}, on {self.baseline.processors:,} processors"


COLUMNS = (
    "predictor", "job_id", "submit_time", "user", "queue", "processors", "walltime",
    "soft_walltime", "run_time", "wait_without", "wait_with", "extended",
)  # fmt: skip
"""The columns of `frame`. Times are in seconds, dates in seconds since the first submission.

`soft_walltime` is empty if none is set; `extended` is true if the job ran longer than its soft
walltime in the schedule.
"""


def frame(rehearsal: RehearsalValues) -> "pd.DataFrame":
    """Return a row for each predictor and job of the period, with `COLUMNS`."""
    import pandas as pd

    waits = _waits(rehearsal.baseline)
    frames = [_of(rehearsal, one, waits) for one in rehearsal.by_predictor]
    return pd.concat(frames, ignore_index=True)


def write_rows(rehearsal: RehearsalValues, path: "Path") -> None:
    """Write the rows of `frame` as CSV, completely or not at all.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    with written_whole(path) as file:
        file.write(frame(rehearsal).to_csv(index=False, lineterminator="\n").encode())


def _waits(run: "Run") -> "pd.Series[float]":
    return run.jobs["waiting_time"]


def _of(
    rehearsal: RehearsalValues, rehearsed: RehearsedPredictor, waits: "pd.Series[float]"
) -> "pd.DataFrame":
    import pandas as pd

    jobs = rehearsal.log.machine.jobs
    period_jobs = [jobs[place] for place in rehearsal.period.places]
    ids = pd.Index([job.id for job in period_jobs])
    with_it = rehearsed.run.jobs
    columns = {
        "predictor": rehearsed.label,
        "job_id": ids,
        **{
            name: [getattr(job, name) for job in period_jobs]
            for name in ("submit_time", "user", "queue", "processors", "walltime")
        },
        "soft_walltime": pd.array(rehearsed.answers.soft_walltimes, "Float64"),
        "run_time": [job.run_time for job in period_jobs],
        "wait_without": waits.reindex(ids).to_numpy(),
        "wait_with": with_it["waiting_time"].reindex(ids).to_numpy(),
        "extended": with_it["corrections"].reindex(ids).gt(0).to_numpy(),
    }
    return pd.DataFrame(columns)[list(COLUMNS)]
