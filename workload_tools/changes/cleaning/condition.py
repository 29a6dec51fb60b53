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

# larger submission times (after 1985) are Unix dates, because no log spans 15 years
_UNIX_DATES = 500_000_000.0
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhdw]?)", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", re.ASCII)
_LEADING_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def getter(field: str) -> Callable[[Job], Value | None]:
    """Return a function that returns a job's value of a field; ``None`` if the job lacks it."""
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
    """Return a text as a finite number.

    Raises
    ------
    ValueError
        The text is not a finite number.
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
        Time zone for dates without an offset from UTC; ``None`` means UTC.

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
    zone = known_zone(name)
    if zone is None:
        raise ValueError(
            f"the log's time zone '{name}' is unknown here: give the date with its offset, "
            "such as 2012-03-01T00:00+01:00"
        )
    return zone


def submit_value(text: str, machine: Machine, first: Job) -> float:
    """Convert a date or a duration to seconds after the log's second 0.

    Parameters
    ----------
    text
        A date, or a duration since the log's second 0.
    machine
        The log's machine, with the date of second 0.

    Raises
    ------
    ValueError
        The text is neither a date nor a duration, or it is a date but the log has no dates.
    """
    if not is_date(text):
        return seconds(text)
    start_time = machine.start_time
    if start_time is None:
        if first.submit_time < _UNIX_DATES:
            raise ValueError(
                f"the log does not contain its start date (UnixStartTime), so '{text}' cannot be "
                "used; give seconds since the start of the log instead"
            )
        start_time = 0.0
    return unix_date(text, machine.time_zone) - start_time


class RecipeError(InputError):
    """A cleaning recipe is invalid, or needs a value that the log lacks."""

    def __init__(self, recipe: str, message: str) -> None:
        super().__init__(f"--clean '{recipe}'", message)


Test = Callable[[Job], bool]

NONE = "none"
"""The value in a condition that matches jobs without the field."""

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
    """Parse a condition.

    Parameters
    ----------
    text
        Comparisons ``FIELD OPERATOR VALUE`` with ``and``, ``or`` and parentheses. A value with
        spaces is in double quotes. ``none`` matches jobs without the field.

    Raises
    ------
    RecipeError
        The text is not a condition.

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
        problem = f"has more than {_DEEPEST} nested parentheses"
        raise RecipeError(text, problem) from None
    except ValueError as error:
        raise RecipeError(text, str(error)) from error
    return condition


def job_test(condition: Expression, machine: Machine, first: Job) -> Test:
    """Return a function that tests whether a job matches a condition.

    If a job lacks a field, a comparison with this field is false.

    Parameters
    ----------
    condition
        The parsed condition.
    machine, first
        The log's machine and first job, to interpret dates.

    Raises
    ------
    ValueError
        A value cannot be used with this log, such as a date if the log has no dates.
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
    """Raise a ValueError if a comparison is invalid for every log."""
    is_text = field in TEXTS
    if operator not in _EQUALITY and (is_text or value == NONE):
        what = f"'{field}' is a name" if is_text else f"'{NONE}' is not a number"
        raise ValueError(f"{what}: compare it with = or !=")
    if is_text or value == NONE:
        return
    if field == SUBMIT and is_date(value):
        unix_date(value, None)
    elif field == SUBMIT or field in SECONDS:
        seconds(value)
    else:
        number(value)


def _conditions(tokens: Tokens) -> Expression:
    def part() -> Expression:
        if not tokens.take("("):
            return _comparison(tokens)
        inner = _conditions(tokens)
        if not tokens.take(")"):
            raise ValueError("a parenthesis is not closed")
        return inner

    return tokens.conditions(part, deepest=_DEEPEST + 1)


def _comparison(tokens: Tokens) -> Call:
    field = tokens.next("word", "a field").lower()
    if field not in FIELDS:
        raise ValueError(f"unknown field '{field}': {did_you_mean(field, FIELDS)}")
    operator = tokens.next("operator", f"an operator such as = or < after '{field}'")
    value = _written_value(tokens)
    _check(field, operator, value)
    return Call(operator, (Column(field), Text(value)))


def _written_value(tokens: Tokens) -> str:
    if tokens.next_token[0] == "quoted":
        return tokens.next("quoted", "a value")
    value = tokens.next("word", "a value")
    kind, text = tokens.next_token
    if is_date(value) and kind == "word" and _TIME_OF_DAY.fullmatch(text):
        return f"{value} {tokens.next(kind, 'a time')}"
    return value
