"""Places that are moved to earlier dates when something has become free."""

from collections.abc import Callable, Iterable

from schedulers.job import Job
from schedulers.machine.machine import Availability


def move_up(
    jobs: Iterable[Job],
    places: dict[int, float],
    availability: Availability,
    *,
    now: float,
    duration_of: Callable[[Job], float],
) -> list[Job]:
    """Give each job that has a place the earliest one again, one after the other.

    Parameters
    ----------
    jobs
        The jobs.
    places
        When their places begin, by their numbers, in seconds; those that move are changed.
    availability
        The machine over time, with their places; changed with them.
    now
        The date in seconds.
    duration_of
        For how long a job takes its place, in seconds.

    Returns
    -------
    list of Job
        Those that have moved.
    """
    moved = []
    for job in jobs:
        place = places.get(job.number)
        if place is None or place <= now:
            continue
        earlier = availability.move_up(job, place, duration_of(job))
        if earlier < place:
            places[job.number] = earlier
            moved.append(job)
    return moved
