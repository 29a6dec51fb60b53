"""The content of a column map: the meaning of a table's columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from workload_tools.expressions.over_columns import parse
from workload_tools.expressions.syntax import Column, Expression
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.states import ENDED, SWF_STATUS, UNFINISHED, read_state

STATUS = {"completed": 1, "failed": 0, "timeout": 0, "cancelled": 5}
"""The SWF status of each outcome."""

NOT_OVER = ("running", "waiting")


class Outcome(NamedTuple):
    """The meaning of a job's state."""

    state: str
    """The state as stored in the job."""
    status: int | None
    """The SWF status; None if the state is unknown."""
    over: bool = True
    """True if the job has ended."""
    known: bool = True
    """True if the map or Slurm defines this state."""


def outcome_of(value: str, states: Mapping[str, str]) -> Outcome:
    """Return the meaning of a value in the column of states.

    Parameters
    ----------
    states
        The outcome of each value, from the map. If it is empty, values are read as Slurm's states
        or as names in `OUTCOMES`.

    Examples
    --------
    >>> outcome_of("CANCELLED by 12", {}), outcome_of("running", {}).over
    (Outcome(state='CANCELLED', status=5, over=True, known=True), False)
    >>> outcome_of("Pass", {"Pass": "completed"}).status, outcome_of("Odd", {"Pass": "completed"})
    (1, Outcome(state='Odd', status=None, over=True, known=False))
    """
    meaning = states.get(value) if states else _own_word(value)
    if meaning is not None:
        return Outcome(value, STATUS.get(meaning), over=meaning not in NOT_OVER)
    if states:
        return Outcome(value, None, known=False)
    try:
        state = read_state(value.upper() if value.isalpha() else value)
    except UnreadableError:
        return Outcome(value, None, known=False)
    over = state not in UNFINISHED and state in ENDED
    return Outcome(state, SWF_STATUS.get(state, 0), over=over)


def _own_word(value: str) -> str | None:
    word = value.lower()
    return word if word in STATUS or word in NOT_OVER else None


DATES = ("submit_time", "eligible_time", "start_time", "end_time")
DURATIONS = ("run_time", "walltime", "wait_time", "soft_walltime", "think_time")
COUNTS = (
    *("processors", "nodes", "gpus", "tasks", "tasks_per_node", "gpus_per_node", "array_limit"),
    *("requested_processors", "allocated_processors", "status", "exclusive"),
)
MEMORY = ("memory", "memory_per_node", "used_memory")
NAMES = (
    *("id", "user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("array", "preceding_job", "features", "gpu_type", "reservation", "licences"),
)
STATE = "state"
FIELDS = (*NAMES, *DATES, *DURATIONS, *COUNTS, *MEMORY, STATE)
"""The fields that a column may provide: fields of a job, and dates to compute times from."""

Size: TypeAlias = Literal["nodes", "cores", "gpus"]

SIZES: tuple[Size, ...] = ("nodes", "cores", "gpus")
"""The units in which the sizes of jobs and machines can be given."""

OUTCOMES = ("completed", "failed", "cancelled", "timeout", "running", "waiting")
"""The possible outcomes of a state. Running and waiting jobs are dropped."""

WHITESPACE = "whitespace"
"""Name of the delimiter if any number of spaces and tabs separates cells."""

SameJob: TypeAlias = Literal["id and submit_time", "id", "never"]
"""The values that must be equal for a row to be the same job as an earlier row."""


@dataclass(frozen=True, slots=True)
class FieldMap:
    """The description of a job field in a map."""

    name: str
    """Name of the field."""
    sources: tuple[str, ...]
    """Columns or expressions. In each row, the first that has a value is used."""
    unit: str | None = None
    """Unit of durations, memory and numeric dates."""
    format: str | None = None
    """Format of dates that are texts."""
    time_zone: str | None = None
    """Time zone for dates without an offset from UTC."""
    missing: tuple[str, ...] = ()
    """Further texts that mean a missing value in this field."""
    pattern: str | None = None
    """Regular expression whose group in parentheses matches the value."""
    per: str | None = None
    """``node`` or ``processor`` if memory is given per node or per processor, else None."""
    optional: bool = False
    """True if a table may lack the field's columns."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A condition on rows, and the reason under which the report counts matching rows."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Join:
    """Another table, whose columns are added to the rows of the log's table."""

    name: str
    """Name of the other table in expressions, where its columns are ``NAME.COLUMN``."""
    file: str
    """A file or glob pattern in the log's folder."""
    on: str
    to: str
    """Rows match if column `on` of the log's table equals column `to` of the other table."""
    required: bool = False
    """True if rows without a match are dropped."""


@dataclass(frozen=True, slots=True)
class TableMap:
    """The content of a map."""

    path: Path
    """The map's file, for error messages."""
    fields: Mapping[str, FieldMap]
    """The description of each field, by field name."""
    sizes: Mapping[str, FieldMap] = field(default_factory=dict)
    """The description of a job's size, by unit (`SIZES`)."""
    machine: Mapping[str, int] = field(default_factory=dict)
    """The machine's size by unit. The key ``processors`` is used for all other units."""
    states: Mapping[str, str] = field(default_factory=dict)
    """The outcome of each state; empty if the table has Slurm's states."""
    drops: tuple[Drop, ...] = ()
    """Conditions on rows to drop."""
    left_out: tuple[Drop, ...] = ()
    """Conditions on rows whose jobs had requests or events that a workload cannot contain.

    If a file lacks the columns of a condition, the condition is false for all rows.
    """
    joins: tuple[Join, ...] = ()
    recognise: tuple[str, ...] = ()
    """Column names by which a table is recognised as a table of this map."""
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
    """Return a text of a map as the column with this name or, if none exists, as an expression.

    Raises
    ------
    ExpressionError
        The text is neither a column name nor an expression.
    """
    return Column(text) if text in set(names) else parse(text)
