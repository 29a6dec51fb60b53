"""Resources requested by a job, in all the forms of PBS and Torque."""

from typing import NamedTuple

from workload_tools.pbs.attributes import Attributes
from workload_tools.pbs.quantities import count, gibibytes
from workload_tools.pbs.specifications import read_nodes, read_select


class ResourceRequest(NamedTuple):
    """What a job asked for; None where it did not."""

    processors: int | None
    nodes: int | None
    tasks: int | None
    gpus: int | None
    """Numbers."""
    memory: float | None
    """Of the whole job, in GiB."""


def read_request(attributes: Attributes) -> ResourceRequest:
    """Return what was asked for.

    Parameters
    ----------
    attributes
        Those of the record of the job's end.

    Examples
    --------
    >>> from collections import Counter
    >>> read_request(Attributes({"Resource_List.select": "2:ncpus=4:mem=1gb"}, Counter()))
    ResourceRequest(processors=8, nodes=2, tasks=2, gpus=None, memory=2.0)
    """
    value = attributes.value
    chunks = value("Resource_List.select", read_select)
    if chunks is None:
        chunks = value("Resource_List.nodes", read_nodes)
    totals = [value(f"Resource_List.{name}", count) for name in ("ncpus", "procs", "mppwidth")]
    numbers = [number for number in totals if number]
    if chunks is not None:
        # `nodes=1` stands beside `procs=16` or `ncpus=8` where the user said nothing of nodes.
        numbers.append(chunks.processors)
    processors = max(numbers, default=None)
    nodes, tasks, gpus = (chunks.nodes, chunks.tasks, chunks.gpus) if chunks else (None, None, None)
    return ResourceRequest(
        processors=processors,
        nodes=value("Resource_List.nodect", count) or nodes,
        tasks=value("Resource_List.mpiprocs", count) or tasks,
        gpus=value("Resource_List.ngpus", count) or gpus,
        memory=_memory(attributes, chunks.memory if chunks else None, processors),
    )


def _memory(
    attributes: Attributes, of_chunks: float | None, processors: int | None
) -> float | None:
    """Return the job's memory: a limit on real memory if there is one, else one on virtual."""
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
