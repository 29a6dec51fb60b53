"""PBS's queues: by priority, or taking turns."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from schedulers.site.site import Site


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue."""

    level: int
    """Its rank by priority, or 0 if queues are not sorted."""
    place: int
    """Its position among all queues."""
    priority: int


Waiting = TypeVar("Waiting")


def queues_of(site: Site, *, sort: bool) -> dict[str | None, Queue]:
    """Return the queues by name. ``None`` stands for jobs without a known queue."""
    ordered = [*site.partitions]
    if sort:
        ordered.sort(key=lambda one: -one.priority_tier)
    levels = {one.priority_tier: place for place, one in reversed([*enumerate(ordered)])}
    queues: dict[str | None, Queue] = {
        one.name: Queue(levels[one.priority_tier] if sort else 0, place, one.priority_tier)
        for place, one in enumerate(ordered)
    }
    return {**queues, None: Queue(len(ordered), len(ordered), 0)}


def taking_turns(ordered: Iterable[tuple[Queue, Waiting]]) -> Iterator[Waiting]:
    """Yield one job of each queue in turn, for the highest priority first, then for the next."""
    queues: dict[Queue, deque[Waiting]] = {}
    for queue, one in ordered:
        queues.setdefault(queue, deque()).append(one)
    for level in sorted({queue.level for queue in queues}):
        turn = deque(
            jobs
            for queue, jobs in sorted(queues.items(), key=lambda one: one[0].place)
            if queue.level == level
        )
        while turn:
            jobs = turn.popleft()
            yield jobs.popleft()
            if jobs:
                turn.append(jobs)
