"""Conditions on jobs, such as the archive's ``user=2 and (job>=274118 and job<=303564)``."""

import math
import operator
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from types import MappingProxyType

from workload_tools.errors import InputError
from workload_tools.expressions.syntax import Call, Column, Expression, Text, Tokens, TooDeepError
from workload_tools.hints import did_you_mean
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.platform.quantities import TIME
from workload_tools.time_zone import known_zone

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
    zone = known_zone(name)
    if zone is None:
        raise ValueError(
            f"the log's time zone '{name}' is not known here: give the date with its offset, "
            "such as 2012-03-01T00:00+01:00"
        )
    return zone


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


class RecipeError(InputError):
    """A recipe that can't be understood, or that does not suit the log."""

    def __init__(self, recipe: str, message: str) -> None:
        super().__init__(f"--clean '{recipe}'", message)


Test = Callable[[Job], bool]

NONE = "none"
"""The value of a field that the log does not tell."""

_OPERATORS: dict[str, Callable[[Value, Value], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUALITY = ("=", "==", "!=")
_TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[()])|(?P<operator><=|>=|!=|==|=|<|>)|"(?P<quoted>[^"]*)"
    |(?P<word>[^\s()<>=!"]+))""",
    re.VERBOSE,
)
_TIME_OF_DAY = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?([+-][0-9]{2}:?[0-9]{2}|Z)?", re.ASCII)
_DEEPEST = 50


def parse(text: str) -> Expression:
    """Read a condition.

    Parameters
    ----------
    text
        Comparisons ``FIELD OPERATOR VALUE`` with ``and``, ``or`` and parentheses; a value with
        spaces stands in double quotes, and ``none`` means that the log does not tell it.

    Raises
    ------
    RecipeError
        It is not a condition.

    Examples
    --------
    >>> parse("run>7d")
    Call(name='>', arguments=(Column(name='run'), Text(value='7d')))
    """
    try:
        tokens = Tokens(text, _TOKEN)
        condition = _conditions(tokens)
        tokens.expect_end()
    except TooDeepError:
        told = f"has more than {_DEEPEST} parentheses in each other"
        raise RecipeError(text, told) from None
    except ValueError as error:
        raise RecipeError(text, str(error)) from error
    return condition


def job_test(condition: Expression, machine: Machine, first: Job) -> Test:
    """Return what says of a job whether a condition holds.

    A comparison is false for a job that does not have the field.

    Parameters
    ----------
    condition
        What `parse` gave.
    machine, first
        What the log tells, and its first job, for the dates of the condition.

    Raises
    ------
    ValueError
        A value does not suit the log.
    """
    assert isinstance(condition, Call)
    if condition.name in ("and", "or"):
        tests = [job_test(part, machine, first) for part in condition.arguments]
        which = all if condition.name == "and" else any
        return lambda job: which(test(job) for test in tests)
    field, text = _field_and_value(condition)
    get = getter(field)
    if text == NONE:
        absent = condition.name != "!="
        return lambda job: (get(job) is None) == absent
    compare, value = _OPERATORS[condition.name], _value(field, text, machine, first)

    def test(job: Job) -> bool:
        has = get(job)
        return has is not None and compare(has, value)

    return test


def _value(field: str, text: str, machine: Machine, first: Job) -> Value:
    if field in TEXTS:
        return text
    if field == SUBMIT:
        return submit_value(text, machine, first)
    return seconds(text) if field in SECONDS else number(text)


def _field_and_value(comparison: Call) -> tuple[str, str]:
    field, value = comparison.arguments
    assert isinstance(field, Column)
    assert isinstance(value, Text)
    return field.name, value.value


def _check(field: str, operator: str, value: str) -> None:
    """Refuse what no log can suit, before one is read."""
    is_text = field in TEXTS
    if operator not in _EQUALITY and (is_text or value == NONE):
        what = f"'{field}' is a name" if is_text else f"'{NONE}' is no number"
        raise ValueError(f"{what}: it is compared with = or !=")
    if is_text or value == NONE:
        return
    if field == SUBMIT and is_date(value):
        unix_date(value, None)
    elif field == SUBMIT or field in SECONDS:
        seconds(value)
    else:
        number(value)


def _conditions(tokens: Tokens) -> Expression:
    def one() -> Expression:
        if not tokens.take("("):
            return _comparison(tokens)
        inner = _conditions(tokens)
        if not tokens.take(")"):
            raise ValueError("a parenthesis is not closed")
        return inner

    return tokens.conditions(one, deepest=_DEEPEST + 1)


def _comparison(tokens: Tokens) -> Call:
    field = tokens.next("word", "a field").lower()
    if field not in FIELDS:
        raise ValueError(f"unknown field '{field}': {did_you_mean(field, FIELDS)}")
    operator = tokens.next("operator", f"= or < after '{field}'")
    value = _written_value(tokens)
    _check(field, operator, value)
    return Call(operator, (Column(field), Text(value)))


def _written_value(tokens: Tokens) -> str:
    if tokens.coming[0] == "quoted":
        return tokens.next("quoted", "a value")
    value = tokens.next("word", "a value")
    kind, text = tokens.coming
    if is_date(value) and kind == "word" and _TIME_OF_DAY.fullmatch(text):
        return f"{value} {tokens.next(kind, 'a time')}"
    return value
