"""The map of a table: the meaning of its columns."""

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
    """The state, as written to the job."""
    status: int | None
    """The SWF status; None if the state is unknown."""
    over: bool = True
    """True if the job has ended."""
    known: bool = True
    """True if the map, or Slurm, has this state."""


def outcome_of(value: str, states: Mapping[str, str]) -> Outcome:
    """Return the meaning of a value in the state's column.

    Parameters
    ----------
    states
        The meaning of values, from the map. If it is empty, Slurm's states and the outcome names
        count.

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
"""The possible fields of a column: those of a job, and dates from which times are computed.
"""

Size: TypeAlias = Literal["nodes", "cores", "gpus"]

SIZES: tuple[Size, ...] = ("nodes", "cores", "gpus")
"""The units that a machine can be counted in."""

OUTCOMES = ("completed", "failed", "cancelled", "timeout", "running", "waiting")
"""The possible outcomes of a state. Running and waiting jobs are left out."""

WHITESPACE = "whitespace"
"""The delimiter of cells that are separated by any number of spaces and tabs."""

SameJob: TypeAlias = Literal["id and submit_time", "id", "never"]
"""When a row is the same job as an earlier one."""


@dataclass(frozen=True, slots=True)
class FieldMap:
    """The origin of a job's field."""

    name: str
    """The field's name."""
    sources: tuple[str, ...]
    """Columns or expressions; the first one with a value counts."""
    unit: str | None = None
    """Unit of durations, memory and numeric dates."""
    format: str | None = None
    """Format of dates that are texts."""
    time_zone: str | None = None
    """Time zone of dates without an offset."""
    missing: tuple[str, ...] = ()
    """Further texts that stand for a missing value."""
    pattern: str | None = None
    """A pattern whose group in parentheses is the value."""
    per: str | None = None
    """``node`` or ``processor``, if memory is given for each of them."""
    optional: bool = False
    """True if a table may lack the columns."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A condition on rows to leave out, and the reason to count."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Join:
    """Another table. Each of its rows adds columns to one row of this table."""

    name: str
    """Its columns are called ``NAME.COLUMN``."""
    file: str
    """A file or glob pattern beside the log."""
    on: str
    to: str
    """The columns of this table and of the other one that must be equal."""
    required: bool = False
    """True if rows without a match are dropped."""


@dataclass(frozen=True, slots=True)
class TableMap:
    """The content of a map."""

    path: Path
    """The map's file, for error messages."""
    fields: Mapping[str, FieldMap]
    """By field name."""
    sizes: Mapping[str, FieldMap] = field(default_factory=dict)
    """A job's size, by the unit that it is counted in (`SIZES`)."""
    machine: Mapping[str, int] = field(default_factory=dict)
    """The machine's size by unit; ``processors`` for any unit."""
    states: Mapping[str, str] = field(default_factory=dict)
    """The outcome of each state; empty for Slurm's own states."""
    drops: tuple[Drop, ...] = ()
    left_out: tuple[Drop, ...] = ()
    """Conditions on rows whose jobs had requests or events that a workload does not contain.

    A condition whose columns are missing in a file is false for all rows.
    """
    joins: tuple[Join, ...] = ()
    recognise: tuple[str, ...] = ()
    """Columns that identify a table of this map."""
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
    """Return the meaning of a map's text in a table: the column of that name, or an expression.

    Raises
    ------
    ExpressionError
        The text is neither.
    """
    return Column(text) if text in set(names) else parse(text)
