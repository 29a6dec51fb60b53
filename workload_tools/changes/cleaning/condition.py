"""Conditions on jobs, such as the archive's ``user=2 and (job>=274118 and job<=303564)``."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from workload_tools.changes.cleaning import fields
from workload_tools.changes.cleaning.errors import RecipeError
from workload_tools.hints import did_you_mean
from workload_tools.job import Job
from workload_tools.log import Machine

Test = Callable[[Job], bool]

NONE = "none"
"""The value of a field that the log does not tell."""

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


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field against a value; false for a job that does not have the field."""

    field: str
    operator: str
    value: str

    def test(self, machine: Machine, first: Job) -> Test:
        """Return what says of a job whether it holds.

        Raises
        ------
        ValueError
            The value does not suit the field, or the log.
        """
        get = fields.getter(self.field)
        if self.value == NONE:
            absent = self.operator != "!="
            return lambda job: (get(job) is None) == absent
        compare = _OPERATORS[self.operator]
        value = self._value(machine, first)

        def test(job: Job) -> bool:
            has = get(job)
            return has is not None and compare(has, value)

        return test

    def _value(self, machine: Machine, first: Job) -> fields.Value:
        if self.field in fields.TEXTS:
            return self.value
        if self.field == fields.SUBMIT:
            return fields.submit_value(self.value, machine, first)
        if self.field in fields.SECONDS:
            return fields.seconds(self.value)
        return fields.number(self.value)

    def check(self) -> None:
        """Refuse what no log can suit, before one is read.

        Raises
        ------
        ValueError
            The value is not one of the field's kind.
        """
        is_text = self.field in fields.TEXTS
        if self.operator not in _EQUALITY and (is_text or self.value == NONE):
            what = f"'{self.field}' is a name" if is_text else f"'{NONE}' is no number"
            raise ValueError(f"{what}: it is compared with = or !=")
        if is_text or self.value == NONE:
            return
        if self.field == fields.SUBMIT and fields.is_date(self.value):
            fields.unix_date(self.value, None)
        elif self.field == fields.SUBMIT or self.field in fields.SECONDS:
            fields.seconds(self.value)
        else:
            fields.number(self.value)


@dataclass(frozen=True, slots=True)
class All:
    """Conditions of which all must hold."""

    parts: tuple["Condition", ...]

    def test(self, machine: Machine, first: Job) -> Test:
        """Return what says of a job whether it holds."""
        tests = [part.test(machine, first) for part in self.parts]
        return lambda job: all(test(job) for test in tests)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Conditions of which one must hold."""

    parts: tuple["Condition", ...]

    def test(self, machine: Machine, first: Job) -> Test:
        """Return what says of a job whether it holds."""
        tests = [part.test(machine, first) for part in self.parts]
        return lambda job: any(test(job) for test in tests)


Condition = Comparison | All | AnyOf


def parse(text: str) -> Condition:
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
    >>> parse("user=2 and run>7d")
    ... # doctest: +NORMALIZE_WHITESPACE
    All(parts=(Comparison(field='user', operator='=', value='2'),
               Comparison(field='run', operator='>', value='7d')))
    """
    try:
        parser = _Parser(text)
        condition = parser.any_of(0)
        parser.expect_end()
    except ValueError as error:
        raise RecipeError(text, str(error)) from error
    return condition


class _Parser:
    """The tokens of a text, of which some are used up."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"can't be understood from '{text[position:]}' on")
            kind = match.lastgroup
            assert kind is not None
            self.tokens.append((kind, match[kind]))
            position = match.end()
        self.index = 0

    def any_of(self, depth: int) -> Condition:
        parts = [self.all_of(depth)]
        while self.take("word", "or"):
            parts.append(self.all_of(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def all_of(self, depth: int) -> Condition:
        parts = [self.one(depth)]
        while self.take("word", "and"):
            parts.append(self.one(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def one(self, depth: int) -> Condition:
        if self.take("mark", "("):
            if depth == _DEEPEST:
                raise ValueError(f"has more than {_DEEPEST} parentheses in each other")
            inner = self.any_of(depth + 1)
            if not self.take("mark", ")"):
                raise ValueError("a parenthesis is not closed")
            return inner
        return self.comparison()

    def comparison(self) -> Comparison:
        field = self.next("word", "a field").lower()
        if field not in fields.FIELDS:
            raise ValueError(f"unknown field '{field}': {did_you_mean(field, fields.FIELDS)}")
        comparison = Comparison(
            field, self.next("operator", f"= or < after '{field}'"), self.value()
        )
        comparison.check()
        return comparison

    def value(self) -> str:
        if self.index < len(self.tokens) and self.tokens[self.index][0] == "quoted":
            self.index += 1
            return self.tokens[self.index - 1][1]
        value = self.next("word", "a value")
        if fields.is_date(value) and self.index < len(self.tokens):
            kind, text = self.tokens[self.index]
            if kind == "word" and _TIME_OF_DAY.fullmatch(text):
                self.index += 1
                return f"{value} {text}"
        return value

    def take(self, kind: str, text: str) -> bool:
        """Use the next token up if it is this one."""
        there = self.index < len(self.tokens) and self.tokens[self.index] == (kind, text)
        self.index += there
        return there

    def next(self, kind: str, what: str) -> str:
        if self.index == len(self.tokens):
            raise ValueError(f"ends where {what} is expected")
        found, text = self.tokens[self.index]
        if found != kind:
            raise ValueError(f"has '{text}' where {what} is expected")
        self.index += 1
        return text

    def expect_end(self) -> None:
        if self.index < len(self.tokens):
            raise ValueError(f"has '{self.tokens[self.index][1]}' where it should end")
