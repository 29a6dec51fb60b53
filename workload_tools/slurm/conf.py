"""The nodes of a machine as slurm.conf describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.slurm.node_names import node_names

_OPTION = re.compile(r"(\w+)=(\"[^\"]*\"|\S*)")
_GPU = re.compile(r"gpu(?::[^,:()]+)?:([0-9]+)")


@dataclass(frozen=True, slots=True)
class Node:
    """A node."""

    cpus: int
    """How many CPUs Slurm schedules on it: its hardware threads, or its cores."""
    cores: int
    gpus: int
    """How many it has."""


@dataclass(frozen=True, slots=True)
class SlurmConf:
    """The nodes of a cluster."""

    nodes: dict[str, Node]
    """By name."""
    partitions: dict[str, tuple[str, ...]]
    """The names of the nodes of each partition."""
    oversubscribed: frozenset[str] = frozenset()
    """The partitions in which jobs share cores, whether they ask for it or not."""

    def nodes_of(self, partitions: tuple[str, ...]) -> dict[str, Node]:
        """Return the nodes of these partitions; of none, all nodes.

        Raises
        ------
        KeyError
            There is no partition of that name.
        """
        if not partitions:
            return self.nodes
        names = {name for partition in partitions for name in self.partitions[partition]}
        return {name: node for name, node in self.nodes.items() if name in names}


def read_slurm_conf(path: str | Path) -> SlurmConf:
    """Read the lines of slurm.conf that begin with ``NodeName`` and ``PartitionName``.

    Files that it includes are not read.

    Raises
    ------
    LogError
        It can't be read, names no node, or has a line that can't be understood.
    """
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LogError(path, f"can't be read: {error.strerror or error}") from error
    nodes: dict[str, Node] = {}
    partitions: dict[str, tuple[str, ...]] = {}
    oversubscribed: set[str] = set()
    defaults: dict[str, dict[str, str]] = {"nodename": {}, "partitionname": {}}
    for number, line in _lines(text):
        options = {name.lower(): value.strip('"') for name, value in _OPTION.findall(line)}
        kind = next(iter(options), "")
        if kind not in defaults:
            continue
        if options[kind].upper() == "DEFAULT":
            defaults[kind].update(options)
            continue
        options = {**defaults[kind], **options}
        try:
            if kind == "nodename":
                node = _node(options)
                nodes.update(dict.fromkeys(node_names(options[kind]), node))
            else:
                named = options.get("nodes", "")
                all_nodes = named.upper() == "ALL"
                partitions[options[kind]] = tuple(nodes if all_nodes else node_names(named))
                # called Shared in former versions
                sharing = options.get("oversubscribe", options.get("shared", "")).upper()
                if sharing.startswith("FORCE") and sharing != "FORCE:1":
                    oversubscribed.add(options[kind])
        except ValueError as error:
            raise LogError(path, str(error), number) from error
    if not nodes:
        raise LogError(path, "has no line that begins with NodeName; does it include another file?")
    return SlurmConf(nodes, partitions, frozenset(oversubscribed))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their number, without comments, put together where they go on."""
    begun = ""
    for number, line in enumerate(text.split("\n"), 1):
        begun += line.partition("#")[0].rstrip()
        if begun.endswith("\\"):
            begun = begun[:-1] + " "
            continue
        yield number, begun
        begun = ""
    yield 0, begun


def _node(options: dict[str, str]) -> Node:
    threads = int(options.get("threadspercore", 1))
    boards = int(options.get("boards", 1))
    cores_a_socket = int(options.get("corespersocket", 1))
    sockets = int(options.get("sockets", 0)) or boards * int(options.get("socketsperboard", 1))
    told = "corespersocket" in options or "sockets" in options or "socketsperboard" in options
    cpus = int(options.get("cpus", options.get("procs", 0))) or sockets * cores_a_socket * threads
    # With CPUs alone, Slurm takes each for a socket with a core.
    cores = sockets * cores_a_socket if told else max(1, cpus // threads)
    gpus = sum(map(int, _GPU.findall(options.get("gres", ""))))
    if cpus < 1 or cores < 1:
        raise ValueError("a node needs CPUs")
    return Node(cpus=cpus, cores=cores, gpus=gpus)
