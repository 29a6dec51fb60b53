"""Conditions on jobs, such as the archive's ``user=2 and (job>=274118 and job<=303564)``."""

import operator
import re
from collections.abc import Callable

from workload_tools.changes.cleaning import fields
from workload_tools.errors import InputError
from workload_tools.expressions.syntax import Call, Column, Expression, Text
from workload_tools.expressions.tokens import Tokens, TooDeepError
from workload_tools.hints import did_you_mean
from workload_tools.job import Job
from workload_tools.log import Machine


class RecipeError(InputError):
    """A cleaning recipe that is invalid, or that does not fit the log."""

    def __init__(self, recipe: str, message: str) -> None:
        super().__init__(f"--clean '{recipe}'", message)


Test = Callable[[Job], bool]

NONE = "none"
"""The value that matches jobs without the field."""

_OPERATORS: dict[str, Callable[[fields.Value, fields.Value], bool]] = {
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
        told = f"has more than {_DEEPEST} nested parentheses"
        raise RecipeError(text, told) from None
    except ValueError as error:
        raise RecipeError(text, str(error)) from error
    return condition


def job_test(condition: Expression, machine: Machine, first: Job) -> Test:
    """Return a function that tests whether a job matches a condition.

    A comparison is false for a job without the field.

    Parameters
    ----------
    condition
        The parsed condition.
    machine, first
        The log's machine and first job, to interpret dates.

    Raises
    ------
    ValueError
        A value does not fit the log.
    """
    assert isinstance(condition, Call)
    if condition.name in ("and", "or"):
        tests = [job_test(part, machine, first) for part in condition.arguments]
        which = all if condition.name == "and" else any
        return lambda job: which(test(job) for test in tests)
    field, text = _field_and_value(condition)
    get = fields.getter(field)
    if text == NONE:
        absent = condition.name != "!="
        return lambda job: (get(job) is None) == absent
    compare, value = _OPERATORS[condition.name], _value(field, text, machine, first)

    def test(job: Job) -> bool:
        has = get(job)
        return has is not None and compare(has, value)

    return test


def _value(field: str, text: str, machine: Machine, first: Job) -> fields.Value:
    if field in fields.TEXTS:
        return text
    if field == fields.SUBMIT:
        return fields.submit_value(text, machine, first)
    return fields.seconds(text) if field in fields.SECONDS else fields.number(text)


def _field_and_value(comparison: Call) -> tuple[str, str]:
    field, value = comparison.arguments
    assert isinstance(field, Column)
    assert isinstance(value, Text)
    return field.name, value.value


def _check(field: str, operator: str, value: str) -> None:
    """Raise an error if a comparison is invalid for any log."""
    is_text = field in fields.TEXTS
    if operator not in _EQUALITY and (is_text or value == NONE):
        what = f"'{field}' is a name" if is_text else f"'{NONE}' is not a number"
        raise ValueError(f"{what}: compare it with = or !=")
    if is_text or value == NONE:
        return
    if field == fields.SUBMIT and fields.is_date(value):
        fields.unix_date(value, None)
    elif field == fields.SUBMIT or field in fields.SECONDS:
        fields.seconds(value)
    else:
        fields.number(value)


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
    if field not in fields.FIELDS:
        raise ValueError(f"unknown field '{field}': {did_you_mean(field, fields.FIELDS)}")
    operator = tokens.next("operator", f"= or < after '{field}'")
    value = _written_value(tokens)
    _check(field, operator, value)
    return Call(operator, (Column(field), Text(value)))


def _written_value(tokens: Tokens) -> str:
    if tokens.coming[0] == "quoted":
        return tokens.next("quoted", "a value")
    value = tokens.next("word", "a value")
    kind, text = tokens.coming
    if fields.is_date(value) and kind == "word" and _TIME_OF_DAY.fullmatch(text):
        return f"{value} {tokens.next(kind, 'a time')}"
    return value
