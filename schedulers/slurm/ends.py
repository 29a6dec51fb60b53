"""When the running jobs leave room for a waiting one, as Slurm's selection of nodes tells it."""

import math
from bisect import bisect_right, insort
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


class Rooms:
    """What is free once the first of some jobs have ended.

    Parameters
    ----------
    room
        What is free now; not to be changed meanwhile.
    ends
        Ascending.
    """

    def __init__(self, room: FreeNow, ends: list[End]) -> None:
        self.ends = ends
        self.dates = [end.date for end in ends]
        self._known = {0: room}
        self._counts = [0]

    def by(self, date: float) -> FreeNow:
        """Return what is free after all ends up to a date, in seconds; not to be changed."""
        return self.after(bisect_right(self.dates, date))

    def after(self, count: int) -> FreeNow:
        """Return what is free after so many ends; not to be changed."""
        room = self._known.get(count)
        if room is None:
            fewer = self._counts[bisect_right(self._counts, count) - 1]
            room = self._known[fewer].copy()
            for end in self.ends[fewer:count]:
                room.give_back(end.placement)
            self._known[count] = room
            insort(self._counts, count)
        return room


def first_room(
    place: Place,
    rooms: Rooms,
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
    rooms
        What is free now, and after the running jobs' ends.
    start
        The date, in seconds.
    usable
        The nodes that may be chosen, as a bit mask.
    epoch
        The Unix date of the workload's second 0.
    """
    ends = rooms.ends
    gone = bisect_right(rooms.dates, start)
    placement = place(rooms.after(gone))
    if placement is not None:
        return start, placement
    until, length = None, GROUP
    last = len(ends)
    for number in range(gone, last):
        date, _, held = ends[number]
        if until is None:
            until = _barrier(date, length, epoch) + length
        if number + 1 < last and (not held.mask & usable or ends[number + 1].date <= until):
            continue
        until, length = None, 2 * length
        placement = place(rooms.after(number + 1))
        if placement is not None:
            mask = placement.mask
            on_them = (end.date for end in ends[gone : number + 1] if end.placement.mask & mask)
            return max(on_them, default=date), placement
    return None


def first_room_before(
    place: Place,
    rooms: Rooms,
    *,
    start: float,
    usable: int,
    epoch: float,
    latest: float,
) -> Found:
    """Return the same as Slurm 22.05 tells it.

    What is free now is looked at first, and then all ends on usable nodes, from the next on. All
    groups are counted from the first end's next full 30 s: the first goes 30 s beyond, and each
    other so far that the next end is in it, in steps of twice the one before. The date is that of
    the group's last end; where it is after the `latest`, a date in seconds, nothing is looked for.
    """
    placement = place(rooms.after(0))
    if placement is not None:
        return start, placement
    ends = rooms.ends
    barrier, length, last = None, GROUP, None
    for number, (date, _, held) in enumerate(ends, 1):
        after = ends[number].date if number < len(ends) else None
        if held.mask & usable:
            if barrier is None:
                barrier = _barrier(date, GROUP, epoch)
            last = date
            if after is not None and after <= barrier + length:
                continue
        elif after is not None or last is None:
            continue
        assert barrier is not None
        assert last is not None
        if last > latest:
            return None
        length *= 2
        while after is not None and after > barrier + length:
            length *= 2
        placement = place(rooms.after(number))
        if placement is not None:
            return last, placement
        last = None
    return None


def _barrier(date: float, length: float, epoch: float) -> float:
    """Return the next full multiple of a length since 1970 after a date, in seconds."""
    return (math.floor((date + epoch) / length) + 1) * length - epoch
