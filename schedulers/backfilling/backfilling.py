"""The contract of a backfilling."""

from bisect import bisect_left
from operator import attrgetter
from typing import Protocol

from schedulers.backfilling.plan import Plan
from schedulers.job import Job
from schedulers.machine.machine import NEVER, Machine

LONG = 100
"""From so many waiting jobs on it pays not to go through all of them."""

_number = attrgetter("number")


class Backfilling(Protocol):
    """Chooses among the waiting jobs those that start now.

    What has room, when and where, it asks the machine; it counts nothing itself.
    """

    plans: bool
    """Whether it uses planned ends: then running jobs are kept in a plan, their estimates are
    corrected, and a job without any estimate is rejected. Only then are `ended` and `corrected`
    called, and needed."""
    remembers: bool
    """Whether it keeps anything from one pass to the next, such as places. A bound on waiting goes
    around those that do not; one without this attribute is taken to."""

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine."""
        ...

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start: take room for them on the machine, and them out of the queue.

        Parameters
        ----------
        queue
            The waiting jobs in their order; those that are chosen are removed.
        plan
            The running jobs. The caller adds those that are chosen, but for those that are in it
            already, with a `planned_end`.
        now
            The date in seconds.

        Returns
        -------
        list of Job
            In the order of their starts, with `started_as` if that is not the head.
        """
        ...

    def ended(self, job: Job, now: float) -> None:
        """Note that a running job has ended; it is out of the plan."""
        ...

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Note that a running job has a new `planned_end`; the one before is in seconds."""
        ...

    # One that remembers needs two methods more to be used on a site:
    #
    # ``withdrawn(job, now)``: a waiting job is not in the queue any more, since a rule stops it;
    # it may come back.
    # ``changed(plan, now)``: the machine has more or fewer processors than a moment ago.
    #
    # One that goes through the queue at dates of its own, too, has ``next_pass(waiting, now,
    # order_changes=...)``: the next such date in seconds, infinite without one, told how many jobs
    # wait and whether their order changes by itself. One with parameters of a site's has
    # ``on_site(site)``, called before `begin`.


class Stateless:
    """A backfilling that remembers nothing from one pass to the next."""

    remembers = False
    only_fitting = False
    """Whether, of the jobs that ask for more than is free, the first of the queue is enough."""

    def begin(self, machine: Machine) -> None:
        """Remember the machine."""
        self.machine = machine

    def ended(self, job: Job, now: float) -> None:
        """Do nothing."""

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Do nothing."""


def take_heads(queue: list[Job], machine: Machine) -> list[Job]:
    """Take the jobs at the head of the queue, and room for them, while there is any."""
    fitting = 0
    for job in queue:
        if not machine.take(job):
            break
        fitting += 1
    heads = queue[:fitting]
    del queue[:fitting]
    return heads


def place_of(queue: list[Job], job: Job) -> int:
    """Return a waiting job's place in the queue."""
    if len(queue) >= LONG:
        # where jobs wait as they were submitted, it is found by halves
        place = bisect_left(queue, job.number, key=_number)
        if place < len(queue) and queue[place] is job:
            return place
    return queue.index(job)


def take_out(queue: list[Job], jobs: list[Job]) -> None:
    """Remove jobs from the queue."""
    for job in jobs:
        del queue[place_of(queue, job)]


def at_worst(job: Job) -> float:
    """Return how long a job can run at most, in seconds: its walltime; `NEVER` without one."""
    return NEVER if job.walltime is None else job.walltime
