"""Nodes at the dates of a site: outages, capacity in time, and reservations."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from schedulers.core.machine import NEVER
from schedulers.machine.placing import places
from schedulers.site.node_sets import node_set
from schedulers.site.site import Date, Site, texts


class Kept(NamedTuple):
    """Nodes, as a bit mask, that are kept for some from a date to another, in seconds."""

    name: str
    nodes: int
    begin: float
    end: float
    users: tuple[str, ...]
    accounts: tuple[str, ...]


class NodeDates:
    """The outages, steps of capacity and reservations of a site, in seconds of the workload.

    `cores` are the processors on each node, `threads` those on each of its cores, and `partitions`
    the nodes of each as a bit mask.
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
        """The reservations by their names."""
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
        """When something begins or ends, in seconds."""

    def next_change(self, now: float) -> float:
        """Return the next date after now at which something begins or ends; `NEVER` without."""
        place = bisect_right(self.changes, now)
        return self.changes[place] if place < len(self.changes) else NEVER

    def lost(self, now: float) -> dict[int, int]:
        """Return how many processors are not to be had now, by the numbers of their nodes."""
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
        """Return the nodes, as a bit mask, that a job cannot have from a start to an end.

        One that asks for a reservation has none but its nodes, and starts only while it holds.
        """
        closed = 0
        for one in self.kept.values():
            if one.name == reservation:
                closed |= ~one.nodes if one.begin <= start < one.end else -1
            elif start < one.end and one.begin < end:
                closed |= one.nodes
        return closed

    def openings(self, now: float) -> list[float]:
        """Return the dates after now at which a reservation begins or ends, ascending."""
        dates = {date for one in self.kept.values() for date in (one.begin, one.end)}
        return sorted(date for date in dates if now < date < NEVER)

    def refusal(self, reservation: str, user: str, account: str) -> str | None:
        """Say why somebody may not use a reservation; ``None``, if they may."""
        one = self.kept.get(reservation)
        if one is None:
            return f"asks for reservation '{reservation}', which the site does not have"
        if user in one.users or account in one.accounts:
            return None
        return f"asks for reservation '{reservation}', which is for others"
