"""The nodes of a site, and where on them a job that asks for something has room."""

from dataclasses import dataclass

from schedulers.machine.node_request import KIB, Request
from schedulers.machine.node_room import Room, Rows
from schedulers.site.node_sets import node_set
from schedulers.site.site import Partition, Site, texts

UNLIMITED = 2**60
"""The memory, in KiB, of nodes of which the site tells none."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Nodes among which a job may have some: those of a partition with the features it asks for."""

    where: str
    nodes: int
    """As a bit mask."""
    by_weight: tuple[int, ...]
    """The same, those of the least weight first."""
    whole: bool
    """Whether all that is asked for there is whole nodes."""
    partition: str = ""
    """Its name, if it is one."""
    most_nodes: int = 0
    """That a job may have there; 0: any number."""


class NodeLayout:
    """The nodes of a site in the order of its classes; see `Nodes`."""

    def __init__(self, site: Site) -> None:
        self.cores: list[int] = []
        """Processors on each."""
        self.threads: list[int] = []
        """Processors on each core of each."""
        self.threaded = 0
        """Nodes on which that is more than one, as a bit mask."""
        self.first: list[int] = []
        """The lowest of them."""
        self._weights: dict[int, int] = {}
        self._features: dict[str, int] = {}
        self.of_size: dict[int, int] = {}
        """The nodes, as bit masks, by how many processors they have."""
        self.whole = 0
        """Nodes that a job has as a whole, as a bit mask."""
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
        """The nodes of each, as a bit mask."""
        self._partitions: dict[str, Partition] = {}
        for partition in site.partitions:
            found = node_set(texts(partition.nodes), site.nodes, partition.name)
            self.partitions[partition.name] = sum(1 << place for place in found)
            self._partitions[partition.name] = partition
        self.types = sorted({name for one in site.nodes for name in one.gpus})
        """Of GPUs, in the order of the rows."""
        self.memory = any(one.memory is not None for one in site.nodes)
        """Whether that of any is told."""
        self.idle = Room(list(self.cores), self._rest_of(site), top=max(self.cores))
        """An idle machine; to be copied."""

    def _rest_of(self, site: Site) -> Rows | None:
        """Return the memory and the GPUs of each type, in rows, on each node."""
        if not self.types and not self.memory:
            return None
        nodes = [one for one in site.nodes for _ in range(one.count)]
        memory = [UNLIMITED if one.memory is None else round(one.memory * KIB) for one in nodes]
        return [memory, *([one.gpus.get(name, 0) for one in nodes] for name in self.types)]

    def choices(self, request: Request) -> list[Choice] | str:
        """Return where a job may run, in the order in which it is tried; or why nowhere."""
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
