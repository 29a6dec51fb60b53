"""When to stop learning, as the command line says it."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pred_aware.errors import PredAwareError
from workload_tools.job import Workload


def cut_date(text: str, workload: Workload) -> float:
    """Return a date in seconds since a workload's first submission.

    Parameters
    ----------
    text
        A fraction between 0 and 1 of the jobs, by submission; a number of seconds, from 1; or a
        date such as ``2003-01-01`` or ``2003-01-01T12:00``, of the machine's time zone, or UTC.
    workload
        The jobs.

    Raises
    ------
    PredAwareError
        It is none of these, or the log does not tell its dates.

    Examples
    --------
    >>> cut_date("1970-01-03", Workload(jobs=[], start_time=86400.0))
    86400.0
    """
    try:
        number = float(text)
    except ValueError:
        return _calendar_date(text, workload)
    if 0.0 < number < 1.0 and workload.jobs:
        return workload.jobs[int(number * len(workload.jobs))].submit_time
    if not 1.0 <= number < float("inf"):
        raise PredAwareError(
            f"--train-until {text}: give a fraction between 0 and 1, seconds from 1, or a date"
        )
    return number


def _calendar_date(text: str, workload: Workload) -> float:
    try:
        date = datetime.fromisoformat(text)
    except ValueError as error:
        raise PredAwareError(
            f"--train-until {text}: give a date such as 2003-01-31, a fraction such as 0.8, or "
            "seconds since the first submission"
        ) from error
    if workload.start_time is None:
        raise PredAwareError(
            f"--train-until {text}: the log does not tell its dates; give a fraction such as 0.8, "
            "or seconds since the first submission"
        )
    if date.tzinfo is None:
        date = date.replace(tzinfo=_zone(workload.time_zone))
    return date.timestamp() - workload.start_time


def _zone(name: str | None) -> tzinfo:
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        # old logs have abbreviations that name no one zone
        return UTC
