"""The nodes of a site: on which nodes a request may run, and outages and reservations over time."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from schedulers.core.machine import NEVER
from schedulers.machine.node_request import KIB, Request
from schedulers.machine.node_room import Room, Rows
from schedulers.machine.placing import places
from schedulers.site.node_sets import node_set
from schedulers.site.site import Date, Partition, Site, texts

UNLIMITED = 2**60
"""The memory in KiB that a node has if the site does not state the node's memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Nodes on which a job may run: the nodes of a partition with the requested features."""

    where: str
    nodes: int
    """The nodes, as a bit mask."""
    by_weight: tuple[int, ...]
    """The same nodes, one bit mask per weight, in ascending order of weights."""
    whole: bool
    """True if the partition gives jobs only whole nodes."""
    partition: str = ""
    """The name of the partition, or empty."""
    most_nodes: int = 0
    """The most nodes that a job of the partition may have; 0 for no limit."""


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
        """Return the choices of a request in the order of trial, or a reason if there are none."""
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
            limits = self._partitions[partition]
            where, whole, most = f"partition '{partition}'", limits.whole, limits.max_nodes or 0
        if features:
            where += f" with '{features}'"
        by_weight = (nodes & self._weights[weight] for weight in sorted(self._weights))
        return Choice(where, nodes, tuple(filter(None, by_weight)), whole, partition or "", most)


class SiteReservation(NamedTuple):
    """A reservation: the site keeps some nodes for some users and accounts.

    `nodes` is a bit mask. `begin` and `end` are in seconds of the workload.
    """

    name: str
    nodes: int
    begin: float
    end: float
    users: tuple[str, ...]
    accounts: tuple[str, ...]


class NodeDates:
    """The outages, steps of capacity and reservations of a site, in seconds of the workload.

    `cores` holds the number of processors of each node. `threads` holds the number of processors
    of each core of the node. `partitions` holds the nodes of each partition, as a bit mask.
    """

    def __init__(
        self,
        site: Site,
        seconds: Callable[[Date], float],
        *,
        cores: Sequence[int],
        threads: Sequence[int],
        partitions: Mapping[str, int],
    ) -> None:
        self._cores = cores
        self._threads = threads

        def nodes_of(names: tuple[str, ...] | str) -> int:
            return sum(1 << place for place in node_set(texts(names), site.nodes, "the site"))

        self._outages = [
            (seconds(one.begin), seconds(one.end), nodes_of(one.nodes)) for one in site.outages
        ]
        self.kept = {
            one.name: SiteReservation(
                one.name, nodes_of(one.nodes), seconds(one.begin), seconds(one.end),
                texts(one.users), texts(one.accounts),
            )
            for one in site.reservations
        }  # fmt: skip
        """The reservations, by name."""
        everything = (1 << len(cores)) - 1
        self._steps: dict[int, list[tuple[float, int]]] = {}
        for step in site.capacity:
            pool = everything if step.partition is None else partitions[step.partition]
            self._steps.setdefault(pool, []).append((seconds(step.begin), step.processors))
        dates = {date for begin, end, _ in self._outages for date in (begin, end)}
        dates |= {date for one in self.kept.values() for date in (one.begin, one.end)}
        for steps in self._steps.values():
            steps.sort(key=lambda step: step[0])
            dates |= {begin for begin, _ in steps}
        self.changes = sorted(date for date in dates if date < NEVER)
        """The dates at which an outage, a step of capacity or a reservation begins or ends."""

    def next_change(self, now: float) -> float:
        """Return the first of `changes` after now, in seconds, or `NEVER`."""
        place = bisect_right(self.changes, now)
        return self.changes[place] if place < len(self.changes) else NEVER

    def lost(self, now: float) -> dict[int, int]:
        """Return how many processors each node lacks now, by the node's number."""
        cores = self._cores
        lost: dict[int, int] = {}
        for begin, end, nodes in self._outages:
            if begin <= now < end:
                lost.update((place, cores[place]) for place in places(nodes))
        for pool, steps in self._steps.items():
            place = bisect_right(steps, now, key=lambda step: step[0])
            if not place:
                continue
            left = steps[place - 1][1]
            for node in places(pool):
                kept = min(left, cores[node])
                kept -= kept % self._threads[node]
                left -= kept
                if kept < cores[node]:
                    lost[node] = max(lost.get(node, 0), cores[node] - kept)
        return lost

    def closed(self, reservation: str, start: float, end: float) -> int:
        """Return the nodes, as a bit mask, that a job may not use from `start` to `end`.

        A job that names a reservation may use only the nodes of this reservation. It may start only
        between the begin and the end of the reservation.
        """
        closed = 0
        for one in self.kept.values():
            if one.name == reservation:
                closed |= ~one.nodes if one.begin <= start < one.end else -1
            elif start < one.end and one.begin < end:
                closed |= one.nodes
        return closed

    def openings(self, now: float) -> list[float]:
        """Return the dates after now at which a reservation begins or ends, in ascending order."""
        dates = {date for one in self.kept.values() for date in (one.begin, one.end)}
        return sorted(date for date in dates if now < date < NEVER)

    def refusal(self, reservation: str, user: str, account: str) -> str | None:
        """Return why a user may not use a reservation, or ``None`` if the user may."""
        one = self.kept.get(reservation)
        if one is None:
            return f"asks for reservation '{reservation}', which the site does not have"
        if user in one.users or account in one.accounts:
            return None
        return f"asks for reservation '{reservation}', which is for other users"
