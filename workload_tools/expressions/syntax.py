"""The parts of an expression."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

COMPARISONS = ("=", "==", "!=", "<", "<=", ">", ">=")


class ExpressionError(ValueError):
    """A text is no expression; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Column:
    """The cells of a column, or a field of a job."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number that stands in the expression."""

    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A text that stands in the expression."""

    value: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator, and what it is given."""

    name: str
    arguments: tuple["Expression", ...]


Expression: TypeAlias = Column | Number | Text | Call


def columns_of(expression: Expression) -> Iterator[str]:
    """Yield the names of the columns that an expression reads."""
    if isinstance(expression, Column):
        yield expression.name
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from columns_of(argument)
