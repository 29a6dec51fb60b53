"""The contract of a machine, which decides when and on which processors jobs have room."""

from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from schedulers.core.constants import NEVER as NEVER
from schedulers.core.job import Job
from workload_tools.batsim.intervals import Intervals

Without: TypeAlias = tuple[AbstractSet[Any], AbstractSet[Any]]
"""Kinds of jobs without room: among jobs that end by a reservation's date, and among others."""

ALL_MAY: Without = (frozenset(), frozenset())


class Reservation:
    """The date at which a waiting job is estimated to have room.

    `date` is in seconds. It is infinite if planned ends never make room for the waiting job.
    Another job that ends after `date` delays the waiting job if it takes more than `extra`
    processors. Only the machine knows which processors are reserved.
    """

    def __init__(self, date: float, extra: int) -> None:
        self.date = date
        self.extra = extra


class Availability:
    """The machine's plan: what running jobs hold over time, and the reservations of waiting jobs.

    A reservation is a planned start, a planned end and room on the machine for one waiting job.
    The machine remembers the room of each job's reservation, also for the next availability; see
    `place_at`. A new availability is a machine that is idle from a date on.
    """

    def advance(self, now: float) -> None:
        """Forget everything before `now` (a date in seconds)."""
        raise NotImplementedError

    def hold(self, job: Job, end: float) -> None:
        """Hold the room that the machine has taken for a job until `end`, a date in seconds."""
        raise NotImplementedError

    def may_hold(self, job: Job, end: float) -> bool:
        """Say whether a job can keep the room that the machine has taken for it until `end`."""
        raise NotImplementedError

    def place(self, job: Job, duration: float) -> float:
        """Give a waiting job the earliest reservation and return its start, in seconds.

        With an infinite `duration`, the start may be infinite.
        """
        raise NotImplementedError

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a reservation that begins at `start`, and return whether there was room.

        If possible, the job gets the room that it had in the previous availability. So a caller
        that first repeats all former reservations, in any order, gets each of them again.
        """
        raise NotImplementedError

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Move a waiting job's reservation to the earliest date and return its start, in seconds.

        The reservation begins at `start`, after now. If no earlier reservation is possible, it
        stays there.
        """
        raise NotImplementedError

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free the room of a waiting or running job from `start` to `end`, in seconds."""
        raise NotImplementedError

    def start(self, job: Job) -> bool:
        """Take room for a job whose reservation has begun; return whether there was any.

        A running job that outlives its estimate may still hold this room. See `Machine.start`.
        """
        raise NotImplementedError


class Machine:
    """The machine decides which jobs can run at the same time.

    A job has *room* if the machine has free processors that suit its request. The machine takes
    room when a rule chooses a job to start, and gets it back when the job has ended. A machine may
    take more than a job requests, such as a whole block of nodes. A machine that uses other fields
    of a job than its size has the attribute ``needs_fields = True``.

    - `free`: a number of processors. A job that requests more has no room now. A smaller job may
      also have no room.
    - `by_size`: whether jobs of equal size always have room at the same dates.
    """

    free: int
    by_size: bool

    @property
    def processors(self) -> int:
        """The number of processors, including unavailable ones."""
        raise NotImplementedError

    def begin(self, processors: int) -> None:
        """Become an idle machine with this many processors. This method is called first, and once.

        Raise a `SchedulerError` if the machine has another size.
        """
        raise NotImplementedError

    def refusal(self, job: Job) -> str | None:
        """Return why a job could not run even on the idle machine, or ``None`` if it could.

        The text follows the job's name, as in ``asks for 17 processors; the machine has 16``.
        """
        raise NotImplementedError

    def take(self, job: Job) -> bool:
        """Take the best room for a job that starts now; return whether there was any."""
        raise NotImplementedError

    def reserve(self, job: Job, running: list[Job], now: float) -> Reservation:
        """Find the earliest estimated room of a job that has no room now.

        The result is valid until the next call. `running` are all running jobs, sorted by planned
        end (`Plan.jobs`). A job that is past its planned end counts as ending now.
        """
        raise NotImplementedError

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        """Take room for a job that starts now, if it does not delay a reservation.

        The reservation is the last result of `reserve`, for another job. `end` is the estimated end
        of the starting job, in seconds. The method sets the job's `started_as`: ``queue`` if the
        job gets processors that are not reserved, or ``backfilled`` if it gets reserved processors
        and ends by the reservation's date. In the case ``queue``, the method subtracts the job's
        processors from the reservation's `extra`. Return whether there was room.
        """
        raise NotImplementedError

    # A machine that distinguishes jobs by more than their size may also have ``without``, which
    # saves a call of `take_beside` for each job. ``without(reservation)`` returns two sets of
    # `kind`s without room: for jobs that end by the reservation's date, and for other jobs. The
    # sets are valid until room is taken.

    def start(self, job: Job, availability: Availability) -> bool:
        """Take room for a job whose reservation has begun; return whether there was any."""
        return availability.start(job)

    def give_back(self, job: Job) -> None:
        """Give back the room of a job that has ended, or whose start was undone."""
        raise NotImplementedError

    def allocate(self, job: Job) -> Intervals:
        """Choose the processors of a job for which room is taken.

        This method is called once for each job that starts, in the order of the starts. The result
        becomes the job's `intervals`.
        """
        raise NotImplementedError

    def availability(self, now: float) -> Availability:
        """Return the machine over time from now on, as if nothing ran."""
        raise NotImplementedError
