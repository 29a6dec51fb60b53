"""Backfill's plan: one pass through the waiting jobs."""

from bisect import insort
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from schedulers.core.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.machine.node_room import Placement
from schedulers.slurm.cluster import Cluster
from schedulers.slurm.ends import End, Rooms, first_room, first_room_before
from schedulers.slurm.memory import Looked, Memory
from schedulers.slurm.parameters import Parameters
from schedulers.slurm.table import Licences, Look, PlanTable

SOON = 1.0
"""A job that outlives its limit is taken to end in so many seconds."""


class Planned(NamedTuple):
    """What backfill makes of a waiting job."""

    start: float
    """In seconds; now, if it can start."""
    placement: Placement | None
    """Where; ``None``, if nothing is kept for it."""


class EnoughTested(Exception):  # noqa: N818 - no error
    """Nodes were tried for as many jobs as a pass may."""


class Planner:
    """Makes the plan of one pass; each job has the earliest start that those before it leave.

    Nodes are planned as a whole. What is planned is on the grid of the resolution, though a start
    is the very end of what was in the way.

    Parameters
    ----------
    cluster
        The machine, now.
    running
        The running jobs' ends, ascending.
    parameters
        See `Parameters`.
    now
        In seconds.
    memory
        Of the last pass, and then of this one.
    is_limited
        Says whether a limit stops a job in a place; it keeps none then.
    """

    def __init__(
        self,
        cluster: Cluster,
        running: list[End],
        *,
        parameters: Parameters,
        now: float,
        memory: Memory,
        is_limited: Callable[[Job, Placement | None], bool],
    ) -> None:
        self._cluster = cluster
        self._parameters = parameters
        self._now = now
        self._ends = running[:]
        # made when it is needed, since most passes need none
        self._rooms: Rooms | None = None
        # most sites have none, and each job asks at many dates
        self._has_openings = bool(cluster.openings(now))
        self._begin = parameters.down(now)
        self._until = parameters.down(now + parameters.window)
        if self._until <= self._begin:
            self._until = self._begin + parameters.resolution
        self._table = PlanTable(
            self._begin,
            self._until,
            nodes=cluster.nodes,
            licences=parameters.licences,
            looks_beyond=not parameters.old,
        )
        self._full = parameters.node_space_size or parameters.max_job_test
        self._tested = 0
        self.is_full = False
        """Whether the last job has found the table full, and no other is looked at."""
        self._memory = memory
        self._is_limited = is_limited
        memory.begin(running, free=cluster.room.free, soon=now + SOON)
        # as long as each job is planned as it was, its table is the one that is remembered
        self._again = not self._has_openings

    def keep(self, end: float, *, nodes: int, licences: Licences | None = None) -> None:
        """Keep nodes, as a bit mask, and licences for a running job until it ends, in seconds."""
        end = self._parameters.round_end(end)
        # the one before is remembered
        self._table = self._table.copy()
        self._table.add(self._table.times[0], end, nodes=nodes, licences=licences)

    def start(
        self,
        job: Job,
        placement: Placement,
        end: float,
        *,
        whole: bool,
        licences: Licences | None = None,
    ) -> None:
        """Note a job that has started: where, and its end, in seconds."""
        insort(self._ends, End(end, job.number, placement))
        self._rooms = None
        if whole or licences:
            self.keep(end, nodes=placement.mask if whole else 0, licences=licences)

    def plan(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        *,
        licences: Licences | None = None,
        keeps: bool = True,
    ) -> Planned | None:
        """Plan a job in one of its partitions; ``None``, if no start is known.

        Parameters
        ----------
        job
            A waiting job.
        choice
            The partition.
        limit
            How long the job is planned, in seconds.
        licences
            That it asks for.
        keeps
            Whether the place is kept for it.

        Raises
        ------
        EnoughTested
            It has looked at as many jobs as it may.
        """
        nodes = self._cluster.of_partition(choice)
        known = self._memory.next(job, choice, limit, keeps=keeps) if self._again else None
        if known is not None and known.holds(
            self._now, self._until, nodes=nodes, licences=licences
        ):
            if known.tested:
                self._test()
            self.is_full = known.is_full
            self._memory.add(known)
            planned: Planned | None = known.planned
            return planned
        self._take_up()
        tested, self._ends_by = self._tested, inf
        before = self._table
        look = before.look(self._now, limit, nodes=nodes, licences=licences)
        planned = self._planned(job, choice, limit, look, licences=licences, keeps=keeps)
        if self._has_openings or (planned is not None and planned.start <= self._now):
            self._again = False
            self._memory.end()
            return planned
        looked = Looked(
            job, choice, limit, keeps, before, self._table, planned, look,
            before.sees_until(self._now, limit), self._ends_by, self._tested > tested, self.is_full,
        )  # fmt: skip
        self._again = known is not None and looked.after.goes_on_as(known.after)
        self._memory.add(looked)
        return planned

    def _take_up(self) -> None:
        """Take up the table as the jobs that are planned as they were have left it."""
        after = self._memory.after if self._again else None
        if after is not None:
            self._table = after.moved(self._begin, self._until)

    def _planned(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        look: Look,
        *,
        licences: Licences | None,
        keeps: bool,
    ) -> Planned | None:
        """Plan a job by what it may have now."""
        cluster, table, parameters = self._cluster, self._table, self._parameters
        least, able = cluster.least_nodes(job), cluster.able(job) & choice.nodes
        nodes = cluster.of_partition(choice)
        tested = False
        date = self._now
        while True:
            following = self._following(date, look.next)
            usable = look.nodes & able & ~cluster.closed(job, date)
            found = None
            if look.licences and usable.bit_count() >= least:
                if not tested:
                    self._test()
                    tested = True
                latest = inf if following is None else following
                found = self._first_room(job, choice, usable, date, latest)
            start, placement = (inf, None) if found is None else found
            if start < self._now:
                # a job has outlived its limit
                start = max(start + parameters.kill_wait, self._now + SOON)
            start = max(start, date)
            if placement is None or (following is not None and start > following):
                if following is None:
                    return None
                date = following
            elif start <= self._now:
                return Planned(start, placement)
            else:
                planned = self._kept(job, start, limit, placement, licences=licences, keeps=keeps)
                if planned is not None:
                    return planned
                date = start if start > date else start + parameters.resolution
            if date >= self._until:
                self._ends_by = min(self._ends_by, self._until)
            look = table.look(date, limit, nodes=nodes, licences=licences)

    def _kept(
        self,
        job: Job,
        start: float,
        limit: float,
        placement: Placement,
        *,
        licences: Licences | None,
        keeps: bool,
    ) -> Planned | None:
        """Keep nodes from a start to come on; ``None`` where something else is planned there."""
        table, parameters = self._table, self._parameters
        if start >= self._until:
            self._ends_by = min(self._ends_by, start)
            return Planned(start, None)
        begin, end = parameters.down(start), parameters.round_end(start + limit)
        nodes = placement.mask
        if self._cluster.closed(job, start) & nodes:
            return None
        if table.overlaps(begin, end, nodes=nodes, licences=licences):
            return None
        # what is had there depends on the running jobs alone, with which it is remembered
        keeps = keeps and not self._is_limited(job, placement)
        if keeps:
            self.is_full = table.entries >= self._full
        if not keeps or self.is_full:
            return Planned(start, None)
        # the one before is remembered
        self._table = table.copy()
        self._table.add(begin, end, nodes=nodes, licences=licences)
        return Planned(start, placement)

    def _following(self, date: float, end: float | None) -> float | None:
        if not self._has_openings:
            return end
        dates = [one for one in self._cluster.openings(date)[:1] if one < self._until]
        if end is not None:
            dates.append(end)
        return min(dates, default=None)

    def _test(self) -> None:
        if self._tested >= self._parameters.max_job_test:
            raise EnoughTested
        self._tested += 1

    def _first_room(
        self, job: Job, choice: Choice, usable: int, date: float, latest: float
    ) -> tuple[float, Placement] | None:
        """Return from when on there is room on some nodes beside the running jobs, and where.

        What is found after the latest date is of no use.
        """
        cluster = self._cluster

        def place(room: Any) -> Placement | None:  # noqa: ANN401 - the machine's own
            if room.free < job.processors:
                return None
            return cluster.place(job, choice, room, usable=usable)

        if self._rooms is None:
            self._rooms = Rooms(cluster.room, self._ends)
        rooms, epoch = self._rooms, self._parameters.epoch
        if latest < inf and not cluster.enough(job, rooms.by(latest), usable=usable):
            return None
        if self._parameters.old:
            return first_room_before(
                place, rooms, start=date, usable=usable, epoch=epoch, latest=latest
            )
        return first_room(place, rooms, start=date, usable=usable, epoch=epoch)
