"""The contract of a machine: it decides when and where jobs have room."""

from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from schedulers.core.constants import NEVER as NEVER
from schedulers.core.job import Job
from workload_tools.batsim.intervals import Intervals

Without: TypeAlias = tuple[AbstractSet[Any], AbstractSet[Any]]
"""Two sets of job kinds without room: ending by a reservation's date, and ending later."""

ALL_MAY: Without = (frozenset(), frozenset())


class Reservation:
    """The date at which a waiting job is estimated to have room.

    `date` is in seconds. It is infinite if planned ends never make room for the job. A job that
    ends after `date` has room beside the reservation only if it needs at most `extra` processors.
    Which processors are reserved is known only to the machine.
    """

    def __init__(self, date: float, extra: int) -> None:
        self.date = date
        self.extra = extra


class Availability:
    """The machine over time: what running jobs hold, and the places of waiting jobs.

    A place is a planned start, a planned end and room on the machine. The machine itself remembers
    which room a job's place has, also for the next availability; see `place_at`. A new
    availability is an idle machine from a date on.
    """

    def advance(self, now: float) -> None:
        """Forget everything before `now`."""
        raise NotImplementedError

    def hold(self, job: Job, end: float) -> None:
        """Mark the room that the machine has taken for a job as held until `end`, in seconds."""
        raise NotImplementedError

    def may_hold(self, job: Job, end: float) -> bool:
        """Say whether a job can keep the room that the machine has taken for it until `end`."""
        raise NotImplementedError

    def place(self, job: Job, duration: float) -> float:
        """Give a waiting job the earliest place and return its start, in seconds.

        With an infinite `duration`, the start may be infinite.
        """
        raise NotImplementedError

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job the place that begins at `start`, and return whether there was one.

        If possible, the job gets the room that it had in the previous availability. So a caller
        that first repeats all former places, in any order, can repeat every one.
        """
        raise NotImplementedError

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Move a waiting job's place to the earliest date and return its start, in seconds.

        Its place begins at `start`, after now. Without an earlier one, it stays.
        """
        raise NotImplementedError

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free the room of a waiting or running job from `start` to `end`, in seconds."""
        raise NotImplementedError

    def start(self, job: Job) -> bool:
        """Take room on the machine for a job whose place has begun; return whether there was any.

        A running job that exceeds its plan may still be there. See `Machine.start`.
        """
        raise NotImplementedError


class Machine:
    """The machine: it decides which jobs have room beside each other.

    Room is taken when a job is chosen to start, and given back when the job has ended. A machine
    may take more than a job requests, such as a whole block of nodes. A machine that uses more than
    a job's size has the attribute ``needs_fields = True``.

    - `free`: a job that requests more processors has no room now. A smaller job may have none
      either.
    - `by_size`: whether jobs of equal size always have room at the same places.
    """

    free: int
    by_size: bool

    @property
    def processors(self) -> int:
        """The number of processors, including unavailable ones."""
        raise NotImplementedError

    def begin(self, processors: int) -> None:
        """Become an idle machine with this many processors. Called once, before anything else.

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

        The result is valid until the next call. `running` are all jobs with room, sorted by planned
        end (`Plan.jobs`). A job that is past its planned end counts as ending now.
        """
        raise NotImplementedError

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        """Take room for a job that starts now without delaying a reservation.

        The job is another one than that with the reservation, which is the last result of
        `reserve`. `end` is the estimated end of the job, in seconds. Its `started_as` becomes
        ``queue`` if it gets processors that are not reserved. It becomes ``backfilled`` if it gets
        reserved processors and ends by the reservation's date. The method subtracts what the job
        takes from the reservation's `extra`. Return whether there was room.
        """
        raise NotImplementedError

    # A machine that distinguishes jobs by more than their size may have another method, to save
    # calls for each job: ``without(reservation)`` returns two sets of `kind`s without room, for
    # jobs that end by the reservation's date and for others. It is valid until room is taken.

    def start(self, job: Job, availability: Availability) -> bool:
        """Take room for a job whose place has begun; return whether there was any."""
        return availability.start(job)

    def give_back(self, job: Job) -> None:
        """Give back the room of a job that has ended, or whose start was undone."""
        raise NotImplementedError

    def allocate(self, job: Job) -> Intervals:
        """Choose the processors of a job for which room is taken.

        Called once for each job that starts, in the order of the starts. The result becomes the
        job's `intervals`.
        """
        raise NotImplementedError

    def availability(self, now: float) -> Availability:
        """Return the machine over time from now on, as if nothing ran."""
        raise NotImplementedError
