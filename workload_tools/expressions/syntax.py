"""The parts of a parsed expression."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

COMPARISONS = ("=", "==", "!=", "<", "<=", ">", ">=")


class ExpressionError(ValueError):
    """A text is not an expression; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a field of a job."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    value: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator with its arguments."""

    name: str
    arguments: tuple["Expression", ...]


Expression: TypeAlias = Column | Number | Text | Call


def columns_of(expression: Expression) -> Iterator[str]:
    """Yield the names of the columns in an expression."""
    if isinstance(expression, Column):
        yield expression.name
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from columns_of(argument)
