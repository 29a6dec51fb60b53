"""The rehearsed part of a log, and what is simulated of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from pred_aware.errors import PredAwareError
from pred_aware.log.job_log import JobLog
from pred_aware.log.past_jobs import past_job
from pred_aware.prediction.protocol import date_of
from predictors.past_jobs import PastJob
from workload_tools.job import Job, later

LEAD = 30 * 86400.0
"""Seconds before the period from which jobs are simulated, so that the machine is not empty."""


@dataclass(frozen=True, slots=True)
class Period:
    """The period whose jobs are rehearsed."""

    first: float
    last: float
    """Seconds since the log's first submission; jobs submitted from `first` up to, but not at,
    `last` count.
    """
    asked: tuple[int, ...]
    """Indices of these jobs in the log."""


def period_of(log: JobLog, begin: str | None, end: str | None) -> Period:
    """Return the jobs of a period.

    Parameters
    ----------
    log
        The log.
    begin, end
        Dates such as ``2017-11-01``, in the machine's time zone, or seconds since the first
        submission; `None` for the log's first submission, or after its last.

    Raises
    ------
    PredAwareError
        A date is invalid, or no job was submitted in the period.
    """
    first = 0.0 if begin is None else date_of(begin, log.machine, option="--start")
    last = float("inf") if end is None else date_of(end, log.machine, option="--end")
    asked = tuple(
        place
        for place, job in enumerate(log.machine.jobs)
        if first <= job.submit_time < last and not job.warm_up
    )
    if not asked:
        period = f"from {begin or 'the beginning'} to {end or 'the end'}"
        raise PredAwareError(f"{log.name}: no job was submitted {period}")
    return Period(first, last, asked)


def simulated_part(log: JobLog, period: Period) -> tuple[JobLog, list[PastJob]]:
    """Return the part of a log to simulate, and the jobs that had ended before.

    Jobs submitted up to `LEAD` before the period are simulated too, as warm-up jobs: they fill the
    machine and the queue, and figures leave them out.

    Parameters
    ----------
    log
        The log.
    period
        The period that counts.

    Returns
    -------
    JobLog
        The jobs to simulate; the first is submitted at 0.
    list of PastJob
        The jobs that had ended before, by their ends, on the same clock.
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
    """Return the jobs that had ended by second 0, by their ends."""
    dated = [(past.end, past) for past in map(past_job, jobs) if past.end is not None]
    return [past for end, past in sorted(dated, key=lambda one: one[0]) if end <= 0.0]
