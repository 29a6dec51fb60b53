"""Places that are moved to earlier dates when something has become free."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable

from schedulers.backfilling.availability import NEVER, Profile
from schedulers.job import Job


class Floors:
    """What has been learned about where there is no place, so that it is not searched again.

    A job for which the earliest place is at some date tells that no job of its size, and of its
    length or longer, has one before; until something is freed that begins before that date.

    Of each size the lengths are kept in ascending order with their dates, which ascend as well:
    what a shorter length tells of a later date is enough.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[float], list[float]]] = {}
        self._latest = -NEVER

    def of(self, size: int, duration: float) -> float:
        """Return a date, in seconds, before which such a job has no place."""
        known = self._known.get(size)
        if known is None:
            return -NEVER
        place = bisect_right(known[0], duration)
        return known[1][place - 1] if place else -NEVER

    def add(self, size: int, duration: float, date: float) -> None:
        """Note the earliest place of such a job, in seconds; it is later than `of` tells."""
        known = self._known.get(size)
        if known is None:
            self._known[size] = ([duration], [date])
        else:
            durations, dates = known
            first = bisect_left(durations, duration)
            last = bisect_right(dates, date, first)
            durations[first:last] = (duration,)
            dates[first:last] = (date,)
        if date > self._latest:
            self._latest = date

    def freed(self, start: float) -> None:
        """Forget what something that was freed from a date on, in seconds, may have changed."""
        if self._latest <= start:
            return
        self._latest = start
        for durations, dates in self._known.values():
            if dates and dates[-1] > start:
                kept = bisect_right(dates, start)
                del durations[kept:], dates[kept:]


def move_up(
    jobs: Iterable[Job],
    places: dict[int, float],
    profile: Profile,
    *,
    duration_of: Callable[[Job], float],
    floors: Floors,
) -> list[Job]:
    """Give each job that has a place the earliest one again, one after the other.

    Parameters
    ----------
    jobs
        The jobs.
    places
        When their places begin, by their numbers, in seconds; those that move are changed.
    profile
        The free processors, without those that the places take; changed with them.
    duration_of
        For how long a job takes its place, in seconds.
    floors
        What has been learned from this profile.

    Returns
    -------
    list of Job
        Those that have moved.
    """
    moved = []
    begin = profile.times[0]
    for job in jobs:
        place = places.get(job.number)
        if place is None or place <= begin:
            continue
        size, duration = job.processors, duration_of(job)
        floor = floors.of(size, duration)
        if place == floor:
            continue
        if place < floor:
            # what stands in the way there may be this very job
            earlier = profile.earliest(size, duration, before=place)
        else:
            # up to its place the profile is as if the job were not in it, and from there it fits
            earlier = profile.earliest(size, duration, after=floor, before=place)
            if earlier != floor:
                floors.add(size, duration, earlier)
        if earlier < place:
            profile.take(place, place + duration, -size)
            profile.take(earlier, earlier + duration, size)
            floors.freed(place)
            places[job.number] = earlier
            moved.append(job)
    return moved
