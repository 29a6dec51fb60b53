"""The running jobs' ends by their limits."""

from typing import Any

from schedulers.core.nodeset import NodeSet


class Ending:
    """A running job's end by its limit, in seconds, and what it gives back then."""

    __slots__ = ("date", "held", "number", "placement")

    date: float
    number: int
    """Of the job; of those that end together the first submitted is looked at first."""
    held: NodeSet
    placement: Any
    """The machine's own; ``None`` if the nodes say all."""


def ending_of(date: float, number: int, held: NodeSet, placement: Any) -> Ending:  # noqa: ANN401
    """Return an end; compiled, that is faster than an ``__init__`` with arguments."""
    ending = Ending.__new__(Ending)
    ending.date = date
    ending.number = number
    ending.held = held
    ending.placement = placement
    return ending


def insert(ends: list[Ending], ending: Ending) -> None:
    """Put an end in its place, by date and number: most often the last one."""
    place = len(ends)
    while place:
        other = ends[place - 1]
        if other.date < ending.date or (other.date == ending.date and other.number < ending.number):
            break
        place -= 1
    ends.insert(place, ending)
