"""When the running jobs leave room for a waiting one, as Slurm's selection of nodes tells it."""

from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.nodeset import NodeSet
from schedulers.machine.node_layout import Choice
from schedulers.slurm.calendar import Calendar
from schedulers.slurm.cluster import Cluster, Ending, insert
from schedulers.slurm.constants import GROUP


class Rooms:
    """What is free now, and after each of the running jobs' ends.

    The nodes that `first_room` has chosen last are the cluster's `found`.
    """

    ends: list[Ending]
    rooms: list[Any]
    free: int

    def __init__(self, cluster: Cluster, calendar: Calendar) -> None:
        self.cluster = cluster
        self.calendar = calendar
        self.forget()

    def forget(self) -> None:
        """Forget what was free."""
        self.ends = []
        self.rooms = []
        self.free = -1

    def begin(self, ends: list[Ending]) -> bool:
        """Begin with what is free now and with the ends, by date and number.

        Say whether both are as they were. Then all that was known still holds.
        """
        same = self.free == self.cluster.free() and self.has(ends)
        self.ends = ends
        if not same:
            self.begin_anew()
        return same

    def has(self, ends: list[Ending]) -> bool:
        """Say whether some ends are those that are known."""
        known = self.ends
        if ends is known:
            return True
        if len(ends) != len(known):
            return False
        for place in range(len(ends)):
            ending, other = ends[place], known[place]
            if (
                ending.date != other.date
                or ending.number != other.number
                or ending.held is not other.held
            ):
                return False
        return True

    def begin_anew(self) -> None:
        """Know nothing but what is free now."""
        self.free = self.cluster.free()
        self.rooms = [None] * (len(self.ends) + 1)
        self.rooms[0] = self.cluster.room

    def start(self, ending: Ending) -> None:
        """Note a job that has started, and has its nodes."""
        self.ends = self.ends[:]
        insert(self.ends, ending)
        self.begin_anew()

    def after(self, count: int) -> Any:  # noqa: ANN401 - the machine's own
        """Return what is free after so many ends; not to be changed."""
        rooms = self.rooms
        if rooms[count] is None:
            known = count - 1
            while rooms[known] is None:
                known -= 1
            rooms[count] = self.cluster.room_after(rooms[known], self.ends, known, count)
        return rooms[count]

    def by(self, date: float) -> int:
        """Return how many jobs end by a date."""
        low, high = 0, len(self.ends)
        while low < high:
            middle = (low + high) >> 1
            ending = self.ends[middle]
            if ending.date <= date:
                low = middle + 1
            else:
                high = middle
        return low

    def first_room(
        self, job: Job, choice: Choice, usable: NodeSet, date: float, latest: float
    ) -> float:
        """Return from when on there is room on some nodes, from a date on; `NEVER` without any.

        What is found after the latest date is of no use.
        """
        if latest < NEVER and not self.cluster.may_place(job, self.after(self.by(latest)), usable):
            return NEVER
        if self.calendar.old:
            return self.first_room_before(job, choice, usable, date, latest)
        return self.first_room_since(job, choice, usable, date)

    def first_room_since(self, job: Job, choice: Choice, usable: NodeSet, date: float) -> float:
        """Return what `first_room` returns, as Slurm 26.11 tells it.

        Ends up to the date are gone. The others are taken in groups: the first goes to the next
        full 30 s since 1970 after its first end, and 30 s more, the following ones to twice as much
        each. An end on none of the usable nodes never closes a group. The nodes are chosen as if
        the whole group had ended; the date is that of the last end on them.
        """
        cluster, ends = self.cluster, self.ends
        gone, last = self.by(date), len(ends)
        if cluster.place(job, choice, self.after(gone), usable):
            return date
        until, length = NEVER, GROUP
        for number in range(gone, last):
            ending = ends[number]
            if until == NEVER:
                until = self.calendar.barrier(ending.date, length) + length
            if number + 1 < last:
                following = ends[number + 1]
                if following.date <= until or not ending.held.overlaps(usable):
                    continue
            until = NEVER
            length = 2.0 * length
            if cluster.place(job, choice, self.after(number + 1), usable):
                return self.last_end(gone, number)
        return NEVER

    def last_end(self, first: int, last: int) -> float:
        """Return when the last of some jobs ends on the chosen nodes; without any, the last end."""
        for number in range(last, first - 1, -1):
            ending = self.ends[number]
            if ending.held.overlaps(self.cluster.found):
                return ending.date
        ending = self.ends[last]
        return ending.date

    def first_room_before(
        self, job: Job, choice: Choice, usable: NodeSet, date: float, latest: float
    ) -> float:
        """Return what `first_room` returns, as Slurm 22.05 tells it.

        What is free now is looked at first, and then all ends on usable nodes, from the next on.
        All groups are counted from the first end's next full 30 s: the first goes 30 s beyond, and
        each other so far that the next end is in it, in steps of twice the one before. The date is
        that of the group's last end; where it is after the latest, nothing is looked for.
        """
        cluster, ends = self.cluster, self.ends
        if cluster.place(job, choice, self.after(0), usable):
            return date
        barrier, length, end = NEVER, GROUP, NEVER
        last = len(ends)
        for number in range(1, last + 1):
            ending = ends[number - 1]
            after = NEVER
            if number < last:
                following = ends[number]
                after = following.date
            if ending.held.overlaps(usable):
                if barrier == NEVER:
                    barrier = self.calendar.barrier(ending.date, GROUP)
                end = ending.date
                if number < last and after <= barrier + length:
                    continue
            elif number < last or end == NEVER:
                continue
            if end > latest:
                return NEVER
            length = 2.0 * length
            while number < last and after > barrier + length:
                length = 2.0 * length
            if cluster.place(job, choice, self.after(number), usable):
                return end
            end = NEVER
        return NEVER
