"""Read specifications of requested and allocated resources of PBS and Torque."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from workload_tools.pbs.quantities import LARGEST_COUNT, count, gibibytes

UNLIKE = "chunks with different requests"
NAMED_NODES = "nodes requested by name"

_UNDERSTOOD = frozenset(
    ("ppn", "cpp", "ncpus", "mpiprocs", "ompthreads", "gpus", "ngpus", "mem", "vmem")
)
_NAMES_A_NODE = frozenset(("host", "vnode"))
_GPU_MODES = frozenset(
    ("default", "shared", "exclusive", "exclusive_thread", "exclusive_process", "reseterr")
)
_HOST_SLOTS = re.compile(r"([^/+,*]+)/(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)(?:\*(\d+))?")
_NCPUS = re.compile(r":ncpus=(\d{1,9})\b")


class Chunks(NamedTuple):
    """The total resources of all chunks in a specification."""

    nodes: int
    """Number of chunks; if the specification is ``nodes=``, the number of nodes."""
    processors: int
    """Processors of all chunks."""
    tasks: int
    """Number of lines in ``$PBS_NODEFILE``; ``mpirun`` starts one process for each line."""
    gpus: int | None
    """GPUs of all chunks; None if none were requested."""
    memory: float | None
    """Memory of all chunks, in GiB; None if none was requested."""
    tasks_per_node: int | None = None
    memory_per_node: float | None = None
    """Tasks and memory in GiB of each chunk, if all chunks are equal."""
    features: str | None = None
    """Features that all nodes must have, joined by ``&``."""
    exclusive: bool = False
    """True if the job requests whole nodes, without other jobs on them."""
    left_out: tuple[str, ...] = ()
    """Requests about the chunks that the reader cannot use."""


def read_nodes(text: str) -> Chunks | None:
    """Return the total resources of a specification by nodes (``nodes=``).

    A chunk is a number of nodes or a node's name, followed by properties of these nodes: ``ppn``
    processors (default 1), ``cpp`` as a factor on ``ppn``, ``gpus``, and features.

    Returns
    -------
    Chunks or None
        None if the text is invalid.

    Examples
    --------
    >>> chunks = read_nodes("2:ppn=8:dc2+fat1:ppn=4:gpus=2")
    >>> chunks[:5], chunks.left_out
    ((3, 20, 20, 2, None), ('chunks with different requests', 'nodes requested by name'))
    >>> chunks = read_nodes("2:ppn=8:x86_64:brno#excl")
    >>> chunks.tasks_per_node, chunks.features, chunks.exclusive
    (8, 'x86_64&brno', True)
    """
    specification, _, access = text.partition("#")
    chunks = _sum(specification, by_nodes=True)
    return chunks if chunks is None or access != "excl" else chunks._replace(exclusive=True)


def read_select(text: str) -> Chunks | None:
    """Return the total resources of a specification by chunks (``select=``, PBS Professional).

    Returns
    -------
    Chunks or None
        None if the text is invalid.

    Examples
    --------
    >>> read_select("2:ncpus=8:mpiprocs=4:mem=16gb+1:ncpus=1:ngpus=2")[:5]
    (3, 17, 9, 2, 32.0)
    """
    return _sum(text, by_nodes=False)


def _sum(text: str, *, by_nodes: bool) -> Chunks | None:
    nodes = processors = tasks = gpus = 0
    memory: float | None = None
    kinds: dict[Chunks, None] = {}
    left_out: set[str] = set()
    for chunk in text.split("+"):
        first, _, rest = chunk.partition(":")
        numbered = first.isdecimal()
        number = count(first) if numbered else 1
        if not number or not first or (not by_nodes and "=" not in first and not numbered):
            return None
        # many named nodes usually have equal properties, so the cache of _each saves time
        each = _each(chunk if "=" in first else rest, by_nodes)
        if each is None:
            return None
        kinds[each] = None
        left_out.update(each.left_out)
        if "=" not in first and not numbered:
            left_out.add(NAMED_NODES)
        nodes += number
        processors += number * each.processors
        tasks += number * each.tasks
        gpus += number * (each.gpus or 0)
        if each.memory is not None:
            memory = (memory or 0.0) + number * each.memory
    if not 0 < processors <= LARGEST_COUNT:
        return None
    sums = Chunks(nodes, processors, tasks, gpus or None, memory)
    if len(kinds) > 1:
        return sums._replace(left_out=(UNLIKE, *sorted(left_out)))
    (each,) = kinds
    return sums._replace(
        tasks_per_node=each.tasks or None,
        memory_per_node=each.memory,
        features=each.features,
        left_out=tuple(sorted(left_out)),
    )


@lru_cache(maxsize=1024)
def _each(text: str, by_nodes: bool) -> Chunks | None:  # noqa: FBT001 - a key of the cache
    """Return the resources of one node or chunk; None if the text is invalid."""
    values = dict(part.split("=", 1) for part in text.split(":") if "=" in part)
    numbers = {
        name: count(values[name]) if name in values else None
        for name in ("ppn", "cpp", "ncpus", "mpiprocs", "gpus", "ngpus")
    }
    if any(value is None and name in values for name, value in numbers.items()):
        return None
    if by_nodes:
        started = 1 if numbers["ppn"] is None else numbers["ppn"]
        processors = max(started * (numbers["cpp"] or 1), numbers["ncpus"] or 0)
    else:
        processors = 1 if numbers["ncpus"] is None else numbers["ncpus"]
        started = numbers["mpiprocs"] if numbers["mpiprocs"] is not None else min(processors, 1)
    memory = gibibytes(values["mem"]) if "mem" in values else None
    features, left_out = _others(text, values, by_nodes=by_nodes)
    return Chunks(
        1, processors, started, numbers["gpus"] or numbers["ngpus"], memory,
        features=features, left_out=left_out,
    )  # fmt: skip


def _others(
    text: str, values: Mapping[str, str], *, by_nodes: bool
) -> tuple[str | None, tuple[str, ...]]:
    """Return the requested features of a node, and requests that the reader cannot use."""
    features: dict[str, None] = {}
    left_out = []
    for part in text.split(":"):
        name, equals, value = part.partition("=")
        if name in _UNDERSTOOD or not name or (not by_nodes and name.isdecimal()):
            continue
        if name in _NAMES_A_NODE or name.startswith("^"):
            left_out.append(NAMED_NODES)
        elif not equals:
            # a word such as "shared" after gpus is the GPUs' sharing mode, not a feature
            if not ("gpus" in values and name in _GPU_MODES):
                features[name] = None
        elif value[:1].isdecimal():
            left_out.append(f"{name} of each node")
        elif value.lower() != "false":
            features[name if value.lower() == "true" else part] = None
    return "&".join(features) or None, tuple(left_out)


class Slots(NamedTuple):
    """The processors that a job used."""

    processors: int
    """Number of processors."""
    highest: dict[str, int]
    """For each host, its highest used slot plus 1: a lower bound of the host's processors.

    The value is 0 if the log has no slot numbers (PBS Professional).
    """


def read_exec_host(text: str) -> Slots | None:
    """Return the number of processors in ``exec_host``, and the highest slot of each host.

    Returns
    -------
    Slots or None
        None if the text is invalid.

    Examples
    --------
    >>> read_exec_host("c6/24-31+c7/0,2")
    Slots(processors=10, highest={'c6': 32, 'c7': 3})
    >>> read_exec_host("n1/1+n1/0").processors, read_exec_host("n1/0*8+n2/1*8")
    (2, Slots(processors=16, highest={'n1': 0, 'n2': 0}))
    """
    processors = 0
    highest: dict[str, int] = {}
    for part in text.split("+"):
        match = _HOST_SLOTS.fullmatch(part)
        if match is None:
            return None
        host, slots, times = match.groups()
        if times is not None:
            processors += count(times) or 0
            highest.setdefault(host, 0)
            continue
        for piece in slots.split(","):
            low, _, high = piece.partition("-")
            first, last = count(low), count(high or low)
            if first is None or last is None or last < first:
                return None
            processors += last - first + 1
            highest[host] = max(highest.get(host, 0), last + 1)
    return Slots(processors, highest) if 0 < processors <= LARGEST_COUNT else None


def read_exec_vnode(text: str) -> int | None:
    """Count the processors in ``exec_vnode`` of PBS Professional.

    Examples
    --------
    >>> read_exec_vnode("(n1:ncpus=8:mem=100kb)+(n2:ncpus=4)")
    12
    """
    total = sum(map(int, _NCPUS.findall(text)))
    return total if 0 < total <= LARGEST_COUNT else None
