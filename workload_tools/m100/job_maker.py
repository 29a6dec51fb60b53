"""The job of one row of the Marconi100 job table, and the steps of preparation that drop it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from workload_tools.job import Job
from workload_tools.m100.table import Cell, Row, limit, number, text, unix_time
from workload_tools.slurm.amounts import NO_TRES, Tres, read_tres
from workload_tools.slurm.asked import MET_REQUEUE, NOTHING, read_asked
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.states import ENDED, STATES

WindowPart = Literal["last", "before"]

REQUIRED = ("tres_req_str", "user_id", "qos", "time_limit", "run_time", "partition", "job_state")
COLUMNS = (
    *REQUIRED,
    "submit_time",
    "job_id",
    "start_time",
    "account",
    "group_id",
    "name",
    "num_cpus",
    "num_tasks",
    "ntasks_per_node",
    "eligible_time",
    "req_switch",
    "restart_cnt",
)
DAMAGED_TRES = "tres_req_str not understood"
NO_RUN_TIME = "no run time"
ZERO_RUN_TIME = "run time of 0 s"
NO_SUBMIT_TIME = "no submission time"
NO_SIZE = "no number of processors"
ALLOCATED_TAKEN = "no cpu in tres_req_str: num_cpus taken"
EARLY_START = "started before it was submitted: no wait time"

_SECONDS_PER_HOUR = 3600.0
_OVER = ENDED - {"REQUEUED", "RESIZING"}
_LARGEST_COUNT = 10**8
# beyond it Slurm says in 16 bits that there is no value
_LARGEST_OF_16_BITS = 0xFFFD
_NOT_CARRIED = {"req_switch": "topology: switches", "restart_cnt": MET_REQUEUE}
_COMPLETED, _FAILED, _CANCELLED = 1, 0, 5


@dataclass(frozen=True, slots=True)
class Window:
    """Some hours until the last submission, or all before them.

    Examples
    --------
    >>> window = Window(latest=90_000.0, hours=24.0)
    >>> window.why_not(3600.0), window.why_not(3599.0)
    (None, 'submitted before the last 24 h')
    """

    latest: float
    """The last submission, in Unix seconds."""
    hours: float
    """The window's length."""
    part: WindowPart = "last"
    """Which part to keep."""

    def why_not(self, submit_time: float) -> str | None:
        """Say why a job of that submission is not kept; None if it is.

        Parameters
        ----------
        submit_time
            In Unix seconds.
        """
        inside = submit_time >= self.latest - self.hours * _SECONDS_PER_HOUR
        if inside == (self.part == "last"):
            return None
        return f"submitted {'in' if inside else 'before'} the last {self.hours:g} h"


@dataclass(frozen=True, slots=True)
class PreparationSteps:
    """What of a table is kept (paper 001, "Dataset" and "Data preparation")."""

    states: frozenset[str] = frozenset()
    """The states to keep; none for all in which a job has ended."""
    partition: str | None = None
    """The partition to keep; None for all."""
    complete: bool = False
    """Whether to drop jobs of which cpu, mem, node, gres/gpu, user, qos or limit is missing."""
    largest: int | None = None
    """Most processors of a job; larger ones are cut to that. None for no limit."""
    window: Window | None = None
    """When a job has to be submitted; None for any time."""


def read_job(
    row_number: int,
    row: Row,
    *,
    steps: PreparationSteps,
    repaired: Counter[str],
    left_out: list[str],
) -> tuple[Job | None, str]:
    """Make a job of a row, the cells in the order of `COLUMNS`.

    Parameters
    ----------
    row_number
        The row's, the job's name where the table has no ids.
    row
        The cells.
    steps
        What to keep.
    repaired
        Where repairs are counted.
    left_out
        Where it stands what of the job is not carried.

    Returns
    -------
    tuple
        The job, or None and the reason.
    """
    cells = dict(zip(COLUMNS, row, strict=True))
    state = _state(text(cells["job_state"]))
    tres, damaged = _tres(text(cells["tres_req_str"]))
    reason = (
        _out_of_place(steps, state=state, partition=text(cells["partition"]))
        or (_incomplete(tres, cells, damaged=damaged) if steps.complete else None)
        or _without_time(steps, cells)
    )
    if reason is not None:
        return None, reason
    allocated = _count(cells["num_cpus"])
    size = tres.cpus or allocated
    if size is None or size > _LARGEST_COUNT:
        return None, DAMAGED_TRES if damaged else NO_SIZE
    if not tres.cpus:
        repaired[ALLOCATED_TAKEN] += 1
    if steps.largest is not None and size > steps.largest:
        repaired[f"more than {steps.largest} processors: {steps.largest} taken"] += 1
    submit_time = unix_time(cells["submit_time"]) or 0.0
    eligible_time = unix_time(cells["eligible_time"])
    asked = read_asked(NOTHING, tres=tres)
    left_out += asked.left_out
    left_out += [told for name, told in _NOT_CARRIED.items() if number(cells[name])]
    job = Job(
        id=text(cells["job_id"]) or str(row_number),
        submit_time=submit_time,
        processors=min(size, steps.largest or size),
        run_time=number(cells["run_time"]) or 0.0,
        walltime=limit(cells["time_limit"])[0],
        user=text(cells["user_id"]),
        group=text(cells["group_id"]),
        project=text(cells["account"]),
        partition=text(cells["partition"]),
        qos=text(cells["qos"]),
        name=text(cells["name"]),
        nodes=tres.nodes,
        gpus=tres.gpus,
        memory=tres.memory,
        requested_processors=tres.cpus,
        allocated_processors=allocated,
        wait_time=_wait_time(submit_time, unix_time(cells["start_time"]), repaired),
        status=_status(state),
        state=state,
        tasks=_count(cells["num_tasks"]),
        tasks_per_node=_count(cells["ntasks_per_node"], largest=_LARGEST_OF_16_BITS),
        gpu_type=asked.gpu_type,
        licences=asked.licences,
        eligible_time=eligible_time if (eligible_time or 0.0) > submit_time else None,
    )
    return job, ""


def _out_of_place(steps: PreparationSteps, *, state: str, partition: str | None) -> str | None:
    """Say why a job is not among those that are wanted."""
    if state not in _OVER:
        return f"not ended: {state}"
    if steps.states and state not in steps.states:
        return f"job_state is not {' or '.join(sorted(steps.states))}: {state}"
    if steps.partition is not None and partition != steps.partition:
        return f"partition is not {steps.partition}"
    return None


def _incomplete(tres: Tres, cells: Mapping[str, Cell], *, damaged: bool) -> str | None:
    """Say which of the columns that paper 001 uses has no value."""
    if damaged:
        return DAMAGED_TRES
    if tres is NO_TRES:
        return "no tres_req_str"
    values = {
        "cpu in tres_req_str": tres.cpus,
        "mem in tres_req_str": tres.memory,
        "node in tres_req_str": tres.nodes,
        "gres/gpu in tres_req_str": tres.gpus,
        "user_id": text(cells["user_id"]),
        "qos": text(cells["qos"]),
        "time_limit": limit(cells["time_limit"])[1] or None,
    }
    return next((f"no {name}" for name, value in values.items() if value is None), None)


def _without_time(steps: PreparationSteps, cells: Mapping[str, Cell]) -> str | None:
    """Say what of its times is missing, or out of the window."""
    run_time = number(cells["run_time"])
    if not run_time:
        return NO_RUN_TIME if run_time is None else ZERO_RUN_TIME
    submit_time = unix_time(cells["submit_time"])
    if submit_time is None:
        return NO_SUBMIT_TIME
    return steps.window.why_not(submit_time) if steps.window is not None else None


def _wait_time(
    submit_time: float, start_time: float | None, repaired: Counter[str]
) -> float | None:
    if start_time is not None and start_time < submit_time:
        repaired[EARLY_START] += 1
        return None
    return None if start_time is None else start_time - submit_time


def _state(cell: str | None) -> str:
    """Return a state's name alone, ``CANCELLED`` of ``CANCELLED by 12``."""
    if cell is None:
        return "no job_state"
    state = cell.split()[0].rstrip("+").upper()
    return state if state in STATES else "unknown job_state"


def _tres(cell: str | None) -> tuple[Tres, bool]:
    """Return the resources, and whether the text was damaged."""
    if cell is None:
        return NO_TRES, False
    try:
        return read_tres(cell, "tres_req_str"), False
    except UnreadableError:
        return NO_TRES, True


def _count(cell: Cell, *, largest: int = _LARGEST_COUNT) -> int | None:
    value = number(cell)
    return int(value) if value and value <= largest else None


def _status(state: str) -> int:
    """Return the status of the Standard Workload Format."""
    if state == "COMPLETED":
        return _COMPLETED
    return _CANCELLED if state == "CANCELLED" else _FAILED
