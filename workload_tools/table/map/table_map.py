"""What the columns of a table mean."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workload_tools.expressions.over_columns import parse
from workload_tools.expressions.syntax import Column, Expression

DATES = ("submit_time", "start_time", "end_time")
DURATIONS = ("run_time", "walltime", "wait_time", "soft_walltime", "think_time")
COUNTS = (
    *("processors", "nodes", "gpus", "tasks"),
    *("requested_processors", "allocated_processors", "status"),
)
MEMORY = ("memory", "used_memory")
NAMES = (
    *("id", "user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("array", "preceding_job"),
)
STATE = "state"
FIELDS = (*NAMES, *DATES, *DURATIONS, *COUNTS, *MEMORY, STATE)
"""What a column can be: the fields of a job, and the dates that its times follow from."""

Size: TypeAlias = Literal["nodes", "cores", "gpus"]

SIZES: tuple[Size, ...] = ("nodes", "cores", "gpus")
"""What a machine can be counted in."""

OUTCOMES = ("completed", "failed", "cancelled", "timeout", "running", "waiting")
"""What a state can mean; jobs that run or wait are left out."""

WHITESPACE = "whitespace"
"""The delimiter of cells with any number of spaces and tabs between them."""

SameJob: TypeAlias = Literal["id and submit_time", "id", "never"]
"""When a row is the same job as one above it."""


class UnknownZoneError(ValueError):
    """There is no time zone of that name."""


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Where a field of a job comes from.

    Parameters
    ----------
    name
        The field.
    sources
        Columns or expressions; the first that has a value is taken.
    unit
        Of durations, memory, and dates that are numbers.
    format
        Of dates that are texts.
    time_zone
        Of dates without an offset.
    missing
        What else stands for no value.
    pattern
        Of which the text in parentheses is the value.
    per
        ``node`` or ``processor``, where memory is told for each.
    optional
        Whether a table may lack the columns.
    """

    name: str
    sources: tuple[str, ...]
    unit: str | None = None
    format: str | None = None
    time_zone: str | None = None
    missing: tuple[str, ...] = ()
    pattern: str | None = None
    per: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Drop:
    """A condition on rows that are left out, and the reason that is counted."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Join:
    """Another table of which each row adds to a row of this one.

    Parameters
    ----------
    name
        Its columns are called ``NAME.COLUMN``.
    file
        A file or glob beside the log.
    on, to
        The columns of this table and of the other one that must agree.
    required
        Whether rows without one in the other table are dropped.
    """

    name: str
    file: str
    on: str
    to: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class TableMap:
    """What a map says.

    Parameters
    ----------
    path
        The map's file, which errors name.
    fields
        By name.
    sizes
        What a job takes, by what it is counted in (`SIZES`).
    machine
        The machine's size by what it is counted in, and ``processors`` for any.
    states
        What the values of the state mean, by the value; empty for Slurm's own.
    recognise
        Columns by which a table of this map is known.
    """

    path: Path
    fields: Mapping[str, FieldMap]
    sizes: Mapping[str, FieldMap] = field(default_factory=dict)
    machine: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    drops: tuple[Drop, ...] = ()
    joins: tuple[Join, ...] = ()
    recognise: tuple[str, ...] = ()
    title: str = ""
    origin: tuple[str, ...] = ()
    same_job: SameJob = "id and submit_time"
    time_zone: str | None = None
    delimiter: str | None = None
    decimal: str = "."
    header: tuple[str, ...] = ()
    comment: str | None = None
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    quotes: bool = True


def expression_of(text: str, names: Iterable[str]) -> Expression:
    """Return what a text of a map means in a table: a column of that name, or an expression.

    Raises
    ------
    ExpressionError
        It is neither.
    """
    return Column(text) if text in set(names) else parse(text)


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises
    ------
    UnknownZoneError
        There is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZoneError(
            f"unknown time zone '{name}'; it must be an IANA name such as Europe/Paris"
        ) from None
