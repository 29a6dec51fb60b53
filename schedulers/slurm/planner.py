"""Backfill's plan: one pass through the waiting jobs."""

from bisect import insort
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from schedulers.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.machine.node_room import Placement
from schedulers.slurm.cluster import Cluster
from schedulers.slurm.ends import End, first_room, first_room_before
from schedulers.slurm.parameters import Parameters
from schedulers.slurm.table import Licences, Table

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
    """

    def __init__(
        self,
        cluster: Cluster,
        running: Iterable[End],
        *,
        parameters: Parameters,
        now: float,
    ) -> None:
        self._cluster = cluster
        self._parameters = parameters
        self._now = now
        self._ends = list(running)
        # most sites have none, and each job asks at many dates
        self._has_openings = bool(cluster.openings(now))
        begin = parameters.down(now)
        self._until = parameters.down(now + parameters.window)
        if self._until <= begin:
            self._until = begin + parameters.resolution
        self._table = Table(
            begin,
            self._until,
            nodes=cluster.nodes,
            licences=parameters.licences,
            looks_beyond=not parameters.old,
        )
        self._full = parameters.node_space_size or parameters.max_job_test
        self._tested = 0
        self.is_full = False
        """Whether the last job has found the table full, and no other is looked at."""

    def keep(self, end: float, *, nodes: int, licences: Licences | None = None) -> None:
        """Keep nodes, as a bit mask, and licences for a running job until it ends, in seconds."""
        end = self._parameters.round_end(end)
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
        if whole or licences:
            self.keep(end, nodes=placement.mask if whole else 0, licences=licences)

    def plan(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        *,
        licences: Licences | None = None,
        keeps: Callable[[Placement], bool] | None = None,
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
            Says whether a place is kept for it; ``None``: any.

        Raises
        ------
        EnoughTested
            It has looked at as many jobs as it may.
        """
        cluster, table, parameters = self._cluster, self._table, self._parameters
        least, able = cluster.least_nodes(job), cluster.able(job) & choice.nodes
        nodes = cluster.of_partition(choice)
        tested = False
        date: float | None = self._now
        while date is not None:
            look = table.look(date, limit, nodes=nodes, licences=licences)
            following = self._following(date, look.next)
            usable = look.nodes & able & ~cluster.closed(job, date)
            found = None
            if look.licences and usable.bit_count() >= least:
                if not tested:
                    self._test()
                    tested = True
                found = self._first_room(job, choice, usable, date)
            if found is None:
                date = following
                continue
            start, placement = found
            if start < self._now:
                # a job has outlived its limit
                start = max(start + parameters.kill_wait, self._now + SOON)
            start = max(start, date)
            if following is not None and start > following:
                date = following
                continue
            if start <= self._now:
                return Planned(start, placement)
            if start >= self._until:
                return Planned(start, None)
            begin, end = parameters.down(start), parameters.round_end(start + limit)
            closed = cluster.closed(job, start) & placement.mask
            if closed or table.overlaps(begin, end, nodes=placement.mask, licences=licences):
                date = start if start > date else start + parameters.resolution
                continue
            if keeps is not None and not keeps(placement):
                return Planned(start, None)
            self.is_full = table.entries >= self._full
            if self.is_full:
                return Planned(start, None)
            table.add(begin, end, nodes=placement.mask, licences=licences)
            return Planned(start, placement)
        return None

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
        self, job: Job, choice: Choice, usable: int, date: float
    ) -> tuple[float, Placement] | None:
        """Return from when on there is room on some nodes beside the running jobs, and where."""
        cluster = self._cluster

        def place(room: Any) -> Placement | None:  # noqa: ANN401 - the machine's own
            if room.free < job.processors:
                return None
            return cluster.place(job, choice, room, usable=usable)

        search = first_room_before if self._parameters.old else first_room
        room, epoch = cluster.room.copy(), self._parameters.epoch
        return search(place, room, self._ends, start=date, usable=usable, epoch=epoch)
