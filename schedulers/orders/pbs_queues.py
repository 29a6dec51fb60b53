"""PBS's queues in their order, and in turns."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from schedulers.site.site import Site


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue."""

    level: int
    """Its place among those of other priorities; 0 where they are not sorted."""
    place: int
    """Its place among all."""
    priority: int


class _InQueue(Protocol):
    @property
    def queue(self) -> Queue: ...


Waiting = TypeVar("Waiting", bound=_InQueue)


def queues_of(site: Site, *, sort: bool) -> dict[str | None, Queue]:
    """Return the queues by their names; ``None`` for jobs of no queue that the site knows."""
    ordered = [*site.partitions]
    if sort:
        ordered.sort(key=lambda one: -one.priority_tier)
    levels = {one.priority_tier: place for place, one in reversed([*enumerate(ordered)])}
    queues: dict[str | None, Queue] = {
        one.name: Queue(levels[one.priority_tier] if sort else 0, place, one.priority_tier)
        for place, one in enumerate(ordered)
    }
    return {**queues, None: Queue(len(ordered), len(ordered), 0)}


def taking_turns(ordered: list[Waiting]) -> Iterator[Waiting]:
    """Yield one job of each queue of the highest priority in turn, then of the next ones."""
    queues: dict[Queue, deque[Waiting]] = {}
    for one in ordered:
        queues.setdefault(one.queue, deque()).append(one)
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
