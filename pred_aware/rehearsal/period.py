"""The part of a log that is rehearsed, and what is simulated of it."""

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
"""For how long before the period jobs are simulated, so that the machine is not empty, in s."""


@dataclass(frozen=True, slots=True)
class Period:
    """From when to when jobs are asked about."""

    first: float
    last: float
    """In seconds since the log's first submission; a job counts that is submitted from `first` on
    and before `last`."""
    asked: tuple[int, ...]
    """The places of these jobs in the log."""


def period_of(log: JobLog, begin: str | None, end: str | None) -> Period:
    """Find the jobs of a period.

    Parameters
    ----------
    log
        The log.
    begin, end
        Dates such as ``2017-11-01``, in the machine's time zone, or seconds since the first
        submission; `None` is the log's first submission, or behind its last.

    Raises
    ------
    PredAwareError
        These are no dates, or no job was submitted between them.
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
    """Cut out of a log what is simulated, and what had ended before that.

    Jobs of up to `LEAD` before the period are simulated with it, marked as a warm-up: they fill the
    machine and the queue, and figures leave them out.

    Parameters
    ----------
    log
        The log.
    period
        What counts.

    Returns
    -------
    JobLog
        The jobs that are simulated; the first is submitted at 0.
    list of PastJob
        Those that had ended before, by their ends, on the same clock.
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
