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
"""The status that the Standard Workload Format has for what a state means."""

NOT_OVER = ("running", "waiting")


class Outcome(NamedTuple):
    """What a state says."""

    state: str
    """The state, as the job has it."""
    status: int | None
    """That of the Standard Workload Format; None where the state is not known."""
    over: bool = True
    """Whether the job has come to its end."""
    known: bool = True
    """Whether the map, or Slurm, has such a state."""


def outcome_of(value: str, states: Mapping[str, str]) -> Outcome:
    """Return what a value of the state's column says.

    Parameters
    ----------
    states
        What values mean, as the map has it; without any, Slurm's own and the words of a map count.

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


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Where a field of a job comes from."""

    name: str
    """The field."""
    sources: tuple[str, ...]
    """Columns or expressions; the first that has a value is taken."""
    unit: str | None = None
    """Of durations, memory, and dates that are numbers."""
    format: str | None = None
    """Of dates that are texts."""
    time_zone: str | None = None
    """Of dates without an offset."""
    missing: tuple[str, ...] = ()
    """What else stands for no value."""
    pattern: str | None = None
    """Of which the text in parentheses is the value."""
    per: str | None = None
    """``node`` or ``processor``, where memory is told for each."""
    optional: bool = False
    """Whether a table may lack the columns."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A condition on rows that are left out, and the reason that is counted."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Join:
    """Another table of which each row adds to a row of this one."""

    name: str
    """Its columns are called ``NAME.COLUMN``."""
    file: str
    """A file or glob beside the log."""
    on: str
    to: str
    """The columns of this table and of the other one that must agree."""
    required: bool = False
    """Whether rows without one in the other table are dropped."""


@dataclass(frozen=True, slots=True)
class TableMap:
    """What a map says."""

    path: Path
    """The map's file, which errors name."""
    fields: Mapping[str, FieldMap]
    """By name."""
    sizes: Mapping[str, FieldMap] = field(default_factory=dict)
    """What a job takes, by what it is counted in (`SIZES`)."""
    machine: Mapping[str, int] = field(default_factory=dict)
    """The machine's size by what it is counted in, and ``processors`` for any."""
    states: Mapping[str, str] = field(default_factory=dict)
    """What the values of the state mean, by the value; empty for Slurm's own."""
    drops: tuple[Drop, ...] = ()
    left_out: tuple[Drop, ...] = ()
    """Conditions on rows whose jobs asked for, or met, what a workload does not carry; one whose
    columns a file lacks holds for no row."""
    joins: tuple[Join, ...] = ()
    recognise: tuple[str, ...] = ()
    """Columns by which a table of this map is known."""
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
