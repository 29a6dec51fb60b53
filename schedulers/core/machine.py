"""The contract of a machine: the room that jobs have on it, when and where."""

from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from schedulers.core.constants import NEVER as NEVER
from schedulers.core.job import Job
from workload_tools.batsim.intervals import Intervals

Without: TypeAlias = tuple[AbstractSet[Any], AbstractSet[Any]]
"""Kinds of jobs that have no room: if they end by a reservation's date, and if they do not."""

ALL_MAY: Without = (frozenset(), frozenset())


class Reservation:
    """The date at which a waiting job is estimated to have room; where, the machine alone knows.

    The `date` is in seconds, infinite when no planned ends make room for the job. No job that ends
    later and asks for more processors than `extra` has room beside it.
    """

    date: float
    extra: int

    def __init__(self, date: float, extra: int) -> None:
        self.date = date
        self.extra = extra


class Availability:
    """The machine over time: what the running jobs hold, and the places that waiting jobs have.

    A place is from when to when a job is to run, and where. The where is the machine's own
    business, which it remembers by the job, for the next availability too: see `place_at`. This
    one begins as an idle machine, at a date.
    """

    def advance(self, now: float) -> None:
        """Forget what lies before now."""
        raise NotImplementedError

    def hold(self, job: Job, end: float) -> None:
        """Let a job for which the machine has taken room keep it from now to a date, in seconds."""
        raise NotImplementedError

    def may_hold(self, job: Job, end: float) -> bool:
        """Say whether a job for which the machine has taken room can keep it up to a date."""
        raise NotImplementedError

    def place(self, job: Job, duration: float) -> float:
        """Give a waiting job the earliest place, and return its begin, in seconds.

        With an infinite `duration` that may be infinite, too.
        """
        raise NotImplementedError

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job the place that begins at a date, unless there is none; say whether it has.

        Where it had its place in the availability before, it has it again, if that can be: so who
        gives those that have one the same places first, in any order, gives them all.
        """
        raise NotImplementedError

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Give a waiting job with a place the earliest one again, and return its begin, in seconds.

        Its place begins at `start`, after now; where there is none before, it stays.
        """
        raise NotImplementedError

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free a job's place, or what a running job holds, from a start to an end, in seconds."""
        raise NotImplementedError

    def start(self, job: Job) -> bool:
        """Take room on the machine for a job whose place has begun; say whether there was any.

        A job that runs for longer than planned may still be there. See `Machine.start`.
        """
        raise NotImplementedError


class Machine:
    """Knows which jobs have room beside each other. Whatever backfills counts nothing itself.

    Room is taken when a job is chosen to start, and given back when it has ended. A machine that
    gives more than was asked for, such as a block of nodes, keeps the rest with it. One that looks
    at more of a job than its size says so with an attribute ``needs_fields = True``.

    Attributes
    ----------
    free : int
        No job that asks for more processors has room now; one that asks for fewer may not either.
    by_size : bool
        Whether, of jobs that ask for as many processors, each has room where another has.
    """

    free: int
    by_size: bool

    @property
    def processors(self) -> int:
        """How many it has, also while some are away."""
        raise NotImplementedError

    def begin(self, processors: int) -> None:
        """Become an idle machine of this size; called once, before anything else.

        A machine of another size raises a `SchedulerError`.
        """
        raise NotImplementedError

    def refusal(self, job: Job) -> str | None:
        """Say why a job could not even run on the idle machine; ``None``, if it could.

        It is put behind the job's name, such as ``asks for 17 processors; the machine has 16``.
        """
        raise NotImplementedError

    def take(self, job: Job) -> bool:
        """Take room for a job that starts now, wherever it is best; say whether there was any."""
        raise NotImplementedError

    def reserve(self, job: Job, running: list[Job], now: float) -> Reservation:
        """Find when, and where, a job that has no room now is estimated to have it first.

        What is returned holds until the next call. The `running` jobs are all for which room is
        taken, by their planned ends (`Plan.jobs`); one that is past its own counts as ending now.
        """
        raise NotImplementedError

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        """Take room for a job that starts now, so that a reservation can be kept.

        Parameters
        ----------
        job
            A waiting job; not the one that has the reservation. Its `started_as` becomes ``queue``,
            if it got what the reservation leaves over, and ``backfilled``, if it ends by the
            reservation's date on what is reserved.
        reservation
            As `reserve` gave it last; what the job takes of its `extra` is taken off.
        end
            When the job is estimated to end, in seconds.

        Returns
        -------
        bool
            Whether there was room.
        """
        raise NotImplementedError

    # One that tells jobs apart by more than their size may have a method more, which saves asking
    # for each job:
    #
    # ``without(reservation)``: two sets of `kind`s that have no room, as far as it knows: of the
    # jobs that end by the reservation's date, and of others. It holds till room is taken.

    def start(self, job: Job, availability: Availability) -> bool:
        """Take room for a job whose place has begun; say whether there was any."""
        return availability.start(job)

    def give_back(self, job: Job) -> None:
        """Give back the room of a job that has ended, or that is not to start after all."""
        raise NotImplementedError

    def allocate(self, job: Job) -> Intervals:
        """Choose the processors of a job for which room is taken: as many as it asks for.

        Called once for each job that starts, in the order of the starts; they are its `intervals`
        from then on.
        """
        raise NotImplementedError

    def availability(self, now: float) -> Availability:
        """Return the machine over time from now on, as if nothing ran."""
        raise NotImplementedError
