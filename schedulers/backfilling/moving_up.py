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
    """Give each job that has a place the earliest one again; return those that have moved.

    Their `places` (begins in seconds, by number) and the availability are changed. Dates and the
    durations of places are in seconds.
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
