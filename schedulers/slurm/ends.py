"""When the running jobs leave room for a waiting one, as Slurm's selection of nodes tells it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from schedulers.machine.node_room import Placement

GROUP = 30.0
"""Seconds; ends that are so close are looked at together."""

Place = Callable[[Any], Placement | None]
"""Chooses the nodes, of what is free."""

FreeNow = Any
"""What is free, of the machine's own kind; see `schedulers.slurm.cluster.FreeNow`."""

Found = tuple[float, Placement] | None
"""When there is room, in seconds, and where."""


class End(NamedTuple):
    """A running job's end by its limit, in seconds, and what it gives back then."""

    date: float
    number: int
    """Of the job; of those that end together the first submitted is looked at first."""
    placement: Placement


def first_room(
    place: Place,
    room: FreeNow,
    ends: list[End],
    *,
    start: float,
    usable: int,
    epoch: float,
) -> Found:
    """Return when there is room from a date on, in seconds, and where.

    Ends up to that date are gone. The others are taken in groups: the first goes to the next full
    30 s since 1970 after its first end, and 30 s more, the following ones to twice as much each.
    One on none of the usable nodes never closes a group. The nodes are chosen as if the whole group
    had ended; the date is that of the last end on them.

    Parameters
    ----------
    place
        See `Place`.
    room
        What is free now, to be changed.
    ends
        Ascending.
    start
        The date, in seconds.
    usable
        The nodes that may be chosen, as a bit mask.
    epoch
        The Unix date of the workload's second 0.
    """
    gone = 0
    while gone < len(ends) and ends[gone].date <= start:
        room.give_back(ends[gone].placement)
        gone += 1
    placement = place(room)
    if placement is not None:
        return start, placement
    until, length = None, GROUP
    ends = ends[gone:]
    for number, (date, _, held) in enumerate(ends, 1):
        room.give_back(held)
        if until is None:
            until = _barrier(date, length, epoch) + length
        if number < len(ends) and (not held.mask & usable or ends[number].date <= until):
            continue
        until, length = None, 2 * length
        placement = place(room)
        if placement is not None:
            on_them = (end.date for end in ends[:number] if end.placement.mask & placement.mask)
            return max(on_them, default=date), placement
    return None


def first_room_before(
    place: Place,
    room: FreeNow,
    ends: list[End],
    *,
    start: float,
    usable: int,
    epoch: float,
) -> Found:
    """Return the same as Slurm 22.05 tells it.

    What is free now is looked at first, and then all ends on usable nodes, from the next on. All
    groups are counted from the first end's next full 30 s: the first goes 30 s beyond, and each
    other so far that the next end is in it, in steps of twice the one before. The date is that of
    the group's last end.
    """
    placement = place(room)
    if placement is not None:
        return start, placement
    barrier, length, last = None, GROUP, None
    for number, (date, _, held) in enumerate(ends, 1):
        after = ends[number].date if number < len(ends) else None
        if held.mask & usable:
            room.give_back(held)
            if barrier is None:
                barrier = _barrier(date, GROUP, epoch)
            last = date
            if after is not None and after <= barrier + length:
                continue
        elif after is not None or last is None:
            continue
        assert barrier is not None
        length *= 2
        while after is not None and after > barrier + length:
            length *= 2
        placement = place(room)
        if placement is not None:
            assert last is not None
            return last, placement
        last = None
    return None


def _barrier(date: float, length: float, epoch: float) -> float:
    """Return the next full multiple of a length since 1970 after a date, in seconds."""
    return (math.floor((date + epoch) / length) + 1) * length - epoch
