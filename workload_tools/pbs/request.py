"""Read the resources that a job requested, in all notations of PBS and Torque."""

from typing import NamedTuple

from workload_tools.pbs.quantities import Attributes, count, gibibytes
from workload_tools.pbs.specifications import UNLIKE, read_nodes, read_select

_PREFIX = "Resource_List."
_UNDERSTOOD = frozenset(
    (
        *("select", "nodes", "nodect", "neednodes", "place", "ncpus", "procs", "mppwidth"),
        *("mpiprocs", "ngpus", "mem", "pmem", "vmem", "pvmem", "walltime", "soft_walltime"),
        *("partition", "qos", "max_run_subjobs"),
        # attributes that do not affect where or when the job may run
        *("cput", "pcput", "nice", "file", "prologue", "epilogue", "ompthreads"),
    )
)
_WHOLE_NODES = frozenset(("excl", "exclhost"))
_SCATTERED = frozenset(("scatter", "vscatter"))


class ResourceRequest(NamedTuple):
    """The resources that a job requested. A resource that it did not request is None."""

    processors: int | None
    nodes: int | None
    tasks: int | None
    gpus: int | None
    """Requested numbers for the whole job."""
    memory: float | None
    """Memory of the whole job, in GiB."""
    tasks_per_node: int | None = None
    memory_per_node: float | None = None
    features: str | None = None
    exclusive: bool = False
    """These four fields mean the same as in :class:`~workload_tools.job.Job`."""
    left_out: tuple[str, ...] = ()
    """Other requests, which `Job` cannot contain."""


def read_request(attributes: Attributes) -> ResourceRequest:
    """Return the requested resources.

    Parameters
    ----------
    attributes
        The attributes of the record of the job's end.

    Examples
    --------
    >>> from collections import Counter
    >>> resources = {"Resource_List.select": "2:ncpus=4:mem=1gb", "Resource_List.place": "scatter"}
    >>> read_request(Attributes(resources, Counter()))  # doctest: +ELLIPSIS
    ResourceRequest(processors=8, nodes=2, tasks=2, gpus=None, memory=2.0, tasks_per_node=1, ...)
    """
    value = attributes.value
    of_select = value("Resource_List.select", read_select)
    chunks = of_select or value("Resource_List.nodes", read_nodes)
    totals = [value(f"Resource_List.{name}", count) for name in ("ncpus", "procs", "mppwidth")]
    numbers = [number for number in totals if number]
    select = (attributes.name("Resource_List.select") or "").split("+")
    # if a chunk states no processors, only the server knows the default, so use the server's total
    by_default = of_select is not None and any("ncpus=" not in chunk for chunk in select)
    if chunks is not None and not (by_default and totals[0]):
        # if a user requests `procs=16` or `ncpus=8` but no nodes, the record also has `nodes=1`
        numbers.append(chunks.processors)
    processors = max(numbers, default=None)
    request = ResourceRequest(
        processors=processors,
        nodes=value("Resource_List.nodect", count) or (chunks and chunks.nodes),
        tasks=value("Resource_List.mpiprocs", count) or (chunks and chunks.tasks),
        gpus=value("Resource_List.ngpus", count) or (chunks and chunks.gpus),
        memory=_memory(attributes, chunks.memory if chunks else None, processors),
        left_out=_others(attributes),
    )
    if chunks is not None:
        request = request._replace(
            tasks_per_node=chunks.tasks_per_node,
            memory_per_node=chunks.memory_per_node,
            features=chunks.features,
            exclusive=chunks.exclusive,
            left_out=chunks.left_out + request.left_out,
        )
    words = (attributes.name("Resource_List.place") or "").split(":")
    if of_select is not None and _SCATTERED.isdisjoint(words) and "pack" not in words:
        request = _free(request, of_select.nodes)
    return _placed(request, words)


def _free(request: ResourceRequest, chunks: int) -> ResourceRequest:
    """Return a request whose chunks may share nodes, so that chunks count as tasks, not nodes."""
    alike = UNLIKE not in request.left_out
    return request._replace(
        nodes=None,
        tasks=chunks if alike else request.tasks,
        tasks_per_node=None,
        memory_per_node=None,
    )


def _placed(request: ResourceRequest, words: list[str]) -> ResourceRequest:
    """Return a request after applying the words of PBS Professional's ``place``."""
    if not _WHOLE_NODES.isdisjoint(words):
        request = request._replace(exclusive=True)
    if any(word.startswith("group=") for word in words):
        request = request._replace(left_out=(*request.left_out, "topology: place=group"))
    if "pack" not in words or UNLIKE in request.left_out:
        return request
    # "pack" puts all chunks on one host
    return request._replace(
        nodes=1,
        tasks_per_node=request.tasks if request.tasks_per_node else None,
        memory_per_node=request.memory if request.memory_per_node is not None else None,
    )


def _others(attributes: Attributes) -> tuple[str, ...]:
    """Return the names of requested resources that this module does not read."""
    requested = (name for name in attributes.values if name.startswith(_PREFIX))
    return tuple(name for name in requested if name.removeprefix(_PREFIX) not in _UNDERSTOOD)


def _memory(
    attributes: Attributes, of_chunks: float | None, processors: int | None
) -> float | None:
    """Return the requested memory in GiB: the limit of real memory, or else of virtual memory."""
    memory = attributes.value("Resource_List.mem", gibibytes)
    if memory is not None:
        return memory
    if of_chunks is not None:
        return of_chunks
    for name, per_processor in (("pmem", True), ("vmem", False), ("pvmem", True)):
        memory = attributes.value(f"Resource_List.{name}", gibibytes)
        if memory is not None:
            return memory * (processors or 1) if per_processor else memory
    return None
