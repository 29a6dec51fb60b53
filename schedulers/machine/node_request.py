"""The nodes, tasks, memory and GPUs that jobs request, read from the jobs' fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schedulers.core.job import Job
from workload_tools.batsim.fields import text_of

KIB = 2**20
"""KiB in a GiB."""

FIELDS = (
    "node", "gpu", "mem", "tasks", "tasks_per_node", "memory_per_node", "gpus_per_node",
    "exclusive", "features", "gpu_type", "reservation",
)  # fmt: skip
"""The job fields of a request in addition to the processors, under Batsim's names."""
_ASKERS = ("user_id", "project")


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A job's request for nodes. Memory is in KiB. 0 or empty means no request."""

    processors: int
    unit: int
    """The processors of a task. They must be on one node."""
    nodes: int = 0
    """The exact number of nodes."""
    most_units: int = 0
    """The most units on each node."""
    memory_on_node: int = 0
    memory_of_unit: int = 0
    gpus_on_node: int = 0
    gpus: int = 0
    """The GPUs on all nodes together."""
    gpu_type: str = ""
    whole: bool = False
    features: str = ""
    partitions: tuple[str, ...] = ()
    """The partitions that accept the job, in the order of trial. Empty: all nodes."""
    reservation: str = ""
    user: str = ""
    account: str = ""
    """The job's account. Account and user are read only if the job names a reservation."""

    plain: bool = field(init=False)
    """True if the job can use any processors on any nodes."""
    of_rest: bool = field(init=False)
    """True if the job also requests memory or GPUs."""

    def __post_init__(self) -> None:
        """Set `plain` and `of_rest`."""
        of_rest = bool(self.memory_on_node or self.memory_of_unit or self.gpus_on_node or self.gpus)
        plain = self.unit == 1 and not (self.nodes or self.most_units or of_rest or self.whole)
        object.__setattr__(self, "of_rest", of_rest)
        object.__setattr__(self, "plain", plain)


def key_of(job: Job) -> tuple[object, ...]:
    """Return a key that is equal for jobs with equal requests."""
    fields = job.fields
    if not fields:
        return (job.processors, job.partitions)
    get = fields.get
    key = (job.processors, job.partitions, *map(get, FIELDS))
    return key if key[-1] is None else (*key, *map(get, _ASKERS))


def request_of(job: Job, *, memory: bool = True) -> Request:
    """Return a job's request for nodes from its fields in a Batsim workload.

    If `memory` is False, the request for memory is ignored.

    Examples
    --------
    >>> fields = {"node": 2, "tasks_per_node": 8, "mem": 32}
    >>> request = request_of(Job("w0!1", 0.0, 16, 60.0, fields=fields))
    >>> request.nodes, request.most_units, request.memory_of_unit
    (2, 8, 2097152)
    """
    processors, fields = job.processors, job.fields or {}
    nodes, gpus, each = (count_in(fields, name) for name in ("node", "gpu", "gpus_per_node"))
    tasks = count_in(fields, "tasks")
    # ignore numbers of tasks that contradict the rest of the request
    unit = processors // tasks if tasks >= max(1, nodes) and processors % tasks == 0 else 1
    most = count_in(fields, "tasks_per_node")
    if nodes and nodes * most * unit < processors:
        most = 0
    # whole KiB, because sums of whole numbers are exact
    on_node, together = (round(gib * KIB) for gib in memory_in(fields)) if memory else (0, 0)
    reservation = _text(fields, "reservation")
    return Request(
        processors=processors,
        unit=unit,
        nodes=nodes,
        most_units=most,
        memory_on_node=on_node,
        memory_of_unit=together * unit // processors,
        gpus_on_node=each or (-(-gpus // nodes) if nodes else 0),
        gpus=0 if nodes or each else gpus,
        gpu_type=_text(fields, "gpu_type") if gpus or each else "",
        whole=fields.get("exclusive") is True,
        features=_text(fields, "features"),
        partitions=job.partitions,
        reservation=reservation,
        user=_text(fields, "user_id") if reservation else "",
        account=_text(fields, "project") if reservation else "",
    )


def count_in(fields: Mapping[str, Any], name: str) -> int:
    """Return a requested number of nodes, tasks or GPUs; 0 if the job does not state it."""
    value = fields.get(name)
    return int(value) if isinstance(value, int | float) and 0 < value < 2**53 else 0


def memory_in(fields: Mapping[str, Any]) -> tuple[float, float]:
    """Return the requested memory per node and in total, in GiB. One of the two is 0."""
    on_node = _gib(fields, "memory_per_node")
    return on_node, 0.0 if on_node else _gib(fields, "mem")


def _gib(fields: Mapping[str, Any], name: str) -> float:
    value = fields.get(name)
    return float(value) if isinstance(value, int | float) and 0 < value < 2**40 else 0.0


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return "" if value is None else text_of(value)
