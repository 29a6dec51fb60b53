"""Finds when running jobs leave enough nodes for a waiting job, as Slurm's node selection does."""

from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.nodeset import NodeSet
from schedulers.machine.node_layout import Choice
from schedulers.slurm.calendar import GROUP, Calendar
from schedulers.slurm.cluster import Cluster, Ending, insert


class Rooms:
    """The free resources now, and after the planned end of each running job.

    `first_room` stores the nodes that it chooses in the cluster's `found`.
    """

    ends: list[Ending]
    rooms: list[Any]
    free: int

    def __init__(self, cluster: Cluster, calendar: Calendar) -> None:
        self.cluster = cluster
        self.calendar = calendar
        self.forget()

    def forget(self) -> None:
        """Forget the free resources."""
        self.ends = []
        self.rooms = []
        self.free = -1

    def begin(self, ends: list[Ending]) -> bool:
        """Begin a pass with the ends of the running jobs, sorted by date and job number.

        Return ``True`` if the free resources and the ends have not changed since the last pass.
        Then the remembered free resources after each end are still right.
        """
        same = self.free == self.cluster.free() and self.has(ends)
        self.ends = ends
        if not same:
            self.reset()
        return same

    def has(self, ends: list[Ending]) -> bool:
        """Return True if these ends are equal to the remembered ends."""
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

    def reset(self) -> None:
        """Forget the free resources after each end, and read the resources that are free now."""
        self.free = self.cluster.free()
        self.rooms = [None] * (len(self.ends) + 1)
        self.rooms[0] = self.cluster.room

    def start(self, ending: Ending) -> None:
        """Add the end of a job that has just started on its nodes."""
        self.ends = self.ends[:]
        insert(self.ends, ending)
        self.reset()

    def after(self, count: int) -> Any:  # noqa: ANN401 - the machine's own
        """Return the free resources after the first `count` ends. Do not change the result."""
        rooms = self.rooms
        if rooms[count] is None:
            known = count - 1
            while rooms[known] is None:
                known -= 1
            rooms[count] = self.cluster.room_after(rooms[known], self.ends, known, count)
        return rooms[count]

    def by(self, date: float) -> int:
        """Return how many running jobs have planned ends up to a date."""
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
        """Return the first date at which a job has room on the usable nodes, in seconds.

        The search begins at `date`. It may end at `latest`, because the caller ignores later
        results. Return `NEVER` if the job has no room in this time.
        """
        if latest < NEVER and not self.cluster.may_place(job, self.after(self.by(latest)), usable):
            return NEVER
        if self.calendar.old:
            return self.first_room_before(job, choice, usable, date, latest)
        return self.first_room_since(job, choice, usable, date)

    def first_room_since(self, job: Job, choice: Choice, usable: NodeSet, date: float) -> float:
        """Return the first date with room, as Slurm 26.11 does; see `first_room`.

        Jobs that end by `date` count as ended. Slurm puts the later ends into groups. The first
        group lasts until 30 s after a multiple of 30 s (since 1970): the first multiple after the
        group's first end. For each further group, Slurm doubles both times of 30 s. A group never
        closes at an end that frees no usable node. Slurm chooses nodes as if all jobs of the group
        had ended. The result is the date of the last end on the chosen nodes.
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
        """Return the date of the last end on the chosen nodes, among the ends `first` to `last`.

        If none of these ends frees chosen nodes, return the date of the end `last`.
        """
        for number in range(last, first - 1, -1):
            ending = self.ends[number]
            if ending.held.overlaps(self.cluster.found):
                return ending.date
        ending = self.ends[last]
        return ending.date

    def first_room_before(
        self, job: Job, choice: Choice, usable: NodeSet, date: float, latest: float
    ) -> float:
        """Return the first date with room, as Slurm 22.05 does; see `first_room`.

        Slurm first tries the free nodes. Then it puts the ends on usable nodes into groups. All
        groups begin at one date: the first multiple of 30 s after the first end. The first group is
        30 s long. For each further group, Slurm doubles this length until the group contains the
        next end. The result is the date of the group's last end. The search stops at a group whose
        last end is after `latest`.
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
