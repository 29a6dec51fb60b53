"""The fields of a job that a condition can name, and how their values are written."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.platform.quantities import TIME

Value = float | str

TEXTS = frozenset(
    ["user", "group", "project", "queue", "partition", "executable", "name", "qos", "state"]
)
NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "processors": "processors",
        "nodes": "nodes",
        "gpus": "gpus",
        "tasks": "tasks",
        "memory": "memory",
        "status": "status",
    }
)
SECONDS: Mapping[str, str] = MappingProxyType(
    {"run": "run_time", "walltime": "walltime", "wait": "wait_time"}
)
JOB = "job"
SUBMIT = "submit"
FIELDS = (JOB, SUBMIT, *SECONDS, *NUMBERS, *sorted(TEXTS))

# submission times beyond it, 1985, are Unix dates, for no log spans fifteen years
_UNIX_DATES = 500_000_000.0
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhdw]?)", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", re.ASCII)
_LEADING_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def getter(field: str) -> Callable[[Job], Value | None]:
    """Return what finds a field's value in a job; ``None`` where the log does not tell it."""
    if field == JOB:
        return _job_number
    if field == SUBMIT:
        return lambda job: job.submit_time
    name = NUMBERS.get(field) or SECONDS.get(field) or field
    return lambda job: getattr(job, name)


def _job_number(job: Job) -> float | None:
    match = _LEADING_NUMBER.match(job.id)
    return None if match is None else int(match[0])


def seconds(text: str) -> float:
    """Return a duration in seconds.

    Raises
    ------
    ValueError
        It is not a number of seconds or a number with one of the units s, m, h, d, w.

    Examples
    --------
    >>> seconds("7d"), seconds("90")
    (604800.0, 90.0)
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no duration: give seconds, or a number with s, m, h, d or w")
    return float(match[1]) * TIME[match[2] or "s"]


def number(text: str) -> float:
    """Return a number.

    Raises
    ------
    ValueError
        It is not one.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"'{text}' is not a number")
    return value


def is_date(text: str) -> bool:
    """Say whether a text is meant as a date."""
    return _DATE.fullmatch(text) is not None


def unix_date(text: str, time_zone: str | None) -> float:
    """Return a date in Unix seconds.

    Parameters
    ----------
    text
        Such as ``2012-03-01``, ``2012-03-01 12:00:00`` or ``2012-03-01T12:00+01:00``.
    time_zone
        Where a date without an offset counts; UTC if it is ``None``.

    Raises
    ------
    ValueError
        There is no such date or zone.

    Examples
    --------
    >>> unix_date("2012-03-01", None) - unix_date("2012-03-01", "Europe/Paris")
    3600.0
    """
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"'{text}' is no date: give one such as 2012-03-01 or 2012-03-01 12:00:00"
        ) from None
    if date.tzinfo is None:
        date = date.replace(tzinfo=_zone(time_zone))
    return date.timestamp()


def _zone(name: str | None) -> tzinfo:
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"the log's time zone '{name}' is not known here: give the date with its offset, "
            "such as 2012-03-01T00:00+01:00"
        ) from None


def submit_value(text: str, machine: Machine, first: Job) -> float:
    """Return a date, or seconds of the log, as the log's jobs have their submissions.

    Parameters
    ----------
    text
        A date, or a duration since the log's second 0.
    machine
        What the log tells.

    Raises
    ------
    ValueError
        The text is neither, or a date although the log does not tell its own.
    """
    if not is_date(text):
        return seconds(text)
    start_time = machine.start_time
    if start_time is None:
        if first.submit_time < _UNIX_DATES:
            raise ValueError(
                f"the log does not tell its date (UnixStartTime), so '{text}' means nothing; "
                "give seconds since its beginning instead"
            )
        start_time = 0.0
    return unix_date(text, machine.time_zone) - start_time
