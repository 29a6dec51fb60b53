"""The fields of a job in conditions, and the form of their values."""

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

# submission times beyond this, in 1985, are Unix dates, because no log spans 15 years
_UNIX_DATES = 500_000_000.0
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhdw]?)", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", re.ASCII)
_LEADING_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def getter(field: str) -> Callable[[Job], Value | None]:
    """Return a function from a job to the value of a field; ``None`` if the job lacks it."""
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
        The text is neither a number of seconds nor a number with the unit s, m, h, d or w.

    Examples
    --------
    >>> seconds("7d"), seconds("90")
    (604800.0, 90.0)
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(
            f"'{text}' is not a duration: give seconds, or a number with s, m, h, d or w"
        )
    return float(match[1]) * TIME[match[2] or "s"]


def number(text: str) -> float:
    """Return the finite number in a text.

    Raises
    ------
    ValueError
        The text is not such a number.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"'{text}' is not a number")
    return value


def is_date(text: str) -> bool:
    """Return True if a text has the form of a date."""
    return _DATE.fullmatch(text) is not None


def unix_date(text: str, time_zone: str | None) -> float:
    """Return a date in Unix seconds.

    Parameters
    ----------
    text
        For example ``2012-03-01``, ``2012-03-01 12:00:00`` or ``2012-03-01T12:00+01:00``.
    time_zone
        Time zone of dates without an offset; ``None`` for UTC.

    Raises
    ------
    ValueError
        The date or the time zone does not exist.

    Examples
    --------
    >>> unix_date("2012-03-01", None) - unix_date("2012-03-01", "Europe/Paris")
    3600.0
    """
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"'{text}' is not a date: give one such as 2012-03-01 or 2012-03-01 12:00:00"
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
            f"the log's time zone '{name}' is unknown here: give the date with its offset, "
            "such as 2012-03-01T00:00+01:00"
        ) from None


def submit_value(text: str, machine: Machine, first: Job) -> float:
    """Convert a date or a duration to the unit of the log's submission times.

    Parameters
    ----------
    text
        A date, or a duration since the log's second 0.
    machine
        The log's machine, with the date of second 0.

    Raises
    ------
    ValueError
        The text is neither, or it is a date but the log has no dates.
    """
    if not is_date(text):
        return seconds(text)
    start_time = machine.start_time
    if start_time is None:
        if first.submit_time < _UNIX_DATES:
            raise ValueError(
                f"the log does not contain its date (UnixStartTime), so '{text}' cannot be used; "
                "give seconds since its beginning instead"
            )
        start_time = 0.0
    return unix_date(text, machine.time_zone) - start_time
