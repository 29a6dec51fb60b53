"""The plan of backfill's last pass: what of it still holds in the next one."""

from typing import Any, NamedTuple

from schedulers.core.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.slurm.ends import End
from schedulers.slurm.table import Licences, Look, PlanTable

MARGIN = 1e-3
"""Seconds by which what is remembered is given up before it may change."""


class Looked(NamedTuple):
    """What a job was planned by, and how far it is planned so again."""

    job: Job
    choice: Choice
    limit: float
    keeps: bool
    before: PlanTable
    """The table when it was looked at; neither is to be changed."""
    after: PlanTable
    planned: Any
    """See `Planned`; ``None`` without a start."""
    look: Look
    """What it may have now."""
    sees: float
    """Until when it may have the same, in seconds."""
    ends_by: float
    """The greatest end of the table with which it is planned so, in seconds."""
    tested: bool
    is_full: bool

    def holds(self, now: float, until: float, *, nodes: int, licences: Licences | None) -> bool:
        """Say whether the job is planned so at another date, with another end of the table."""
        after = self.after
        if self.planned is not None and now > self.planned.start - MARGIN:
            return False
        if until > min(self.ends_by, after.beyond) or now > after.times[1] - MARGIN:
            return False
        if now < self.sees - MARGIN:
            return True
        return self.before.look(now, self.limit, nodes=nodes, licences=licences) == self.look


class Memory:
    """Jobs in the order in which a pass has planned them; see `Planner`.

    A pass whose running jobs are those of the last one makes the same plan as far as its jobs are
    the same, but for what depends on the date: where a job fits now, by what is planned for when it
    would end, and how far the table goes. Each of these is checked, or looked at again.
    """

    def __init__(self) -> None:
        self._running: list[End] = []
        self._free = -1
        self._before: list[Looked] = []
        self._jobs: list[Looked] = []
        self._goes_on = False

    def forget(self) -> None:
        """Forget the last pass, as something else than the running jobs has changed."""
        self._jobs = []

    def begin(self, running: list[End], *, free: int, soon: float) -> None:
        """Begin a pass.

        Parameters
        ----------
        running
            The running jobs' ends, ascending.
        free
            How much is free now.
        soon
            A job that ends by then, in seconds, has outlived its limit: its end goes by the clock.
        """
        same = (
            free == self._free
            and len(running) == len(self._running)
            and all(map(_same, running, self._running))
            and (not running or running[0].date > soon + MARGIN)
        )
        self._before, self._jobs = self._jobs if same else [], []
        self._running, self._free, self._goes_on = running, free, True

    def next(self, job: Job, choice: Choice, limit: float, *, keeps: bool) -> Looked | None:
        """Return what the last pass has made of the next job, if it is this one."""
        place = len(self._jobs)
        if place < len(self._before):
            known = self._before[place]
            same = known.job is job and known.choice is choice
            if same and known.limit == limit and known.keeps is keeps:
                return known
        return None

    def add(self, looked: Looked) -> None:
        """Remember the next job."""
        if self._goes_on:
            self._jobs.append(looked)

    def end(self) -> None:
        """Remember no more of this pass: what follows depends on its date."""
        self._goes_on = False

    @property
    def after(self) -> PlanTable | None:
        """The table as the last job has left it; ``None`` before the first."""
        return self._jobs[-1].after if self._jobs else None


def _same(one: End, other: End) -> bool:
    return (
        one.date == other.date and one.number == other.number and one.placement is other.placement
    )
