"""Nodes at the dates of a site: outages, capacity in time, and reservations."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from schedulers.core.machine import NEVER
from schedulers.machine.placing import places
from schedulers.site.node_sets import node_set
from schedulers.site.site import Date, Site, texts


class Kept(NamedTuple):
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

        def nodes_of(told: tuple[str, ...] | str) -> int:
            return sum(1 << place for place in node_set(texts(told), site.nodes, "the site"))

        self._outages = [
            (seconds(one.begin), seconds(one.end), nodes_of(one.nodes)) for one in site.outages
        ]
        self.kept = {
            one.name: Kept(
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
        """Return how many processors are missing now, by the number of the node."""
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
        """Return the nodes, as a bit mask, that a job may not use between a start and an end.

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
        return f"asks for reservation '{reservation}', which is for others"
