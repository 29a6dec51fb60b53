"""The nodes of a site, and the sets of nodes on which a request may run."""

from dataclasses import dataclass

from schedulers.machine.node_request import KIB, Request
from schedulers.machine.node_room import Room, Rows
from schedulers.site.node_sets import node_set
from schedulers.site.site import Partition, Site, texts

UNLIMITED = 2**60
"""The memory, in KiB, of nodes whose memory the site does not state."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Nodes on which a job may run: the nodes of a partition with the requested features."""

    where: str
    nodes: int
    """The nodes, as a bit mask."""
    by_weight: tuple[int, ...]
    """The same nodes, one bit mask per weight, in ascending order of weights."""
    whole: bool
    """True if jobs get only whole nodes there."""
    partition: str = ""
    """The name of the partition, or empty."""
    most_nodes: int = 0
    """The most nodes that a job may have there; 0 for no limit."""


class NodeLayout:
    """The nodes of a site in the order of its classes; see `Nodes`."""

    def __init__(self, site: Site) -> None:
        self.cores: list[int] = []
        """The number of processors of each node."""
        self.threads: list[int] = []
        """The number of processors of each core, by node."""
        self.threaded = 0
        """Nodes with several processors per core, as a bit mask."""
        self.first: list[int] = []
        """The lowest processor of each node."""
        self._weights: dict[int, int] = {}
        self._features: dict[str, int] = {}
        self.of_size: dict[int, int] = {}
        """The nodes, as bit masks, by their number of processors."""
        self.whole = 0
        """Nodes that jobs get only as a whole, as a bit mask."""
        self.processors = 0
        for one in site.nodes:
            start = len(self.cores)
            on_each = one.processors
            self.cores += [on_each] * one.count
            self.threads += [one.threads] * one.count
            mask = ((1 << one.count) - 1) << start
            self.first += range(self.processors, self.processors + one.count * on_each, on_each)
            self.processors += one.count * on_each
            self._weights[one.weight] = self._weights.get(one.weight, 0) | mask
            self.of_size[on_each] = self.of_size.get(on_each, 0) | mask
            if one.threads > 1:
                self.threaded |= mask
            for feature in one.features:
                self._features[feature] = self._features.get(feature, 0) | mask
            if one.whole:
                self.whole |= mask
        self.all = (1 << len(self.cores)) - 1
        self.partitions: dict[str, int] = {}
        """The nodes of each partition, as a bit mask."""
        self._partitions: dict[str, Partition] = {}
        for partition in site.partitions:
            found = node_set(texts(partition.nodes), site.nodes, partition.name)
            self.partitions[partition.name] = sum(1 << place for place in found)
            self._partitions[partition.name] = partition
        self.types = sorted({name for one in site.nodes for name in one.gpus})
        """The types of GPUs, in the order of the rows."""
        self.memory = any(one.memory is not None for one in site.nodes)
        """True if the site states the memory of a class of nodes."""
        self.idle = Room(list(self.cores), self._rest_of(site), top=max(self.cores))
        """The room of the idle machine. Copy it before a change."""

    def _rest_of(self, site: Site) -> Rows | None:
        """Return the memory and the GPUs of each type on each node, as rows."""
        if not self.types and not self.memory:
            return None
        nodes = [one for one in site.nodes for _ in range(one.count)]
        memory = [UNLIMITED if one.memory is None else round(one.memory * KIB) for one in nodes]
        return [memory, *([one.gpus.get(name, 0) for one in nodes] for name in self.types)]

    def choices(self, request: Request) -> list[Choice] | str:
        """Return the choices of a request in the order of trial, or why there is none."""
        with_features = self.all
        if request.features:
            with_features = 0
            for alternative in request.features.split("|"):
                having = self.all
                for feature in alternative.split("&"):
                    having &= self._features.get(feature.strip(), 0)
                with_features |= having
        if request.gpu_type and request.gpu_type not in self.types:
            return f"asks for GPUs of type '{request.gpu_type}', which no node has"
        partitions = request.partitions or (None,)
        return [self._choice(name, with_features, request.features) for name in partitions]

    def _choice(self, partition: str | None, with_features: int, features: str) -> Choice:
        nodes, where, whole, most = with_features, "the machine", False, 0
        if partition is not None:
            nodes &= self.partitions[partition]
            told = self._partitions[partition]
            where, whole, most = f"partition '{partition}'", told.whole, told.max_nodes or 0
        if features:
            where += f" with '{features}'"
        by_weight = (nodes & self._weights[weight] for weight in sorted(self._weights))
        return Choice(where, nodes, tuple(filter(None, by_weight)), whole, partition or "", most)
