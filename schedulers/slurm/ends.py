"""When the running jobs leave room for a waiting one, as Slurm's selection of nodes tells it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from schedulers.machine.node_room import Placement

GROUP = 30.0
"""Seconds; ends that are so close are looked at together."""


class End(NamedTuple):
    """A running job's end by its limit, in seconds, and what it gives back then."""

    date: float
    number: int
    """Of the job; of those that end together the first submitted is looked at first."""
    placement: Placement


def first_room(
    place: Callable[[Any], Placement | None],
    room: Any,  # noqa: ANN401 - the machine's own
    ends: list[End],
    *,
    start: float,
    usable: int,
    size: int,
    epoch: float,
) -> tuple[float, Placement] | None:
    """Return when there is room from a date on, in seconds, and where.

    Ends up to that date are gone. The others are taken in groups: the first goes to the next full 30 s since 1970 after its first end,
    and 30 s more, the following ones to twice as much each. One on none of the usable nodes never
    closes a group. The nodes are chosen as if the whole group had ended; the date is that of the
    last end on them.

    Parameters
    ----------
    place
        Chooses the nodes, of what is free.
    room
        What is free now, to be changed.
    ends
        Ascending.
    start
        The date, in seconds.
    usable
        The nodes that may be chosen, as a bit mask.
    size
        The processors that are asked for.
    epoch
        The Unix date of the workload's second 0.
    """
    gone = 0
    while gone < len(ends) and ends[gone].date <= start:
        room.give_back(ends[gone].placement)
        gone += 1
    found = place(room) if room.free >= size else None
    if found is not None:
        return start, found
    until, length = None, GROUP
    ends = ends[gone:]
    for number, (date, _, held) in enumerate(ends, 1):
        room.give_back(held)
        if until is None:
            until = (math.floor((date + epoch) / length) + 1) * length - epoch + length
        if number < len(ends) and (not held.mask & usable or ends[number].date <= until):
            continue
        until, length = None, 2 * length
        found = place(room) if room.free >= size else None
        if found is not None:
            on_them = (end.date for end in ends[:number] if end.placement.mask & found.mask)
            return max(on_them, default=date), found
    return None
