"""Places of waiting jobs beside the running ones: given to PBS's top jobs, and moved up."""

from collections.abc import Callable, Iterable

from schedulers.backfilling.candidates import Candidates
from schedulers.backfilling.plan import Plan
from schedulers.job import BACKFILLED, Job
from schedulers.machine.machine import Availability, Machine


def availability_beside(plan: Plan, machine: Machine, now: float) -> Availability:
    """Return the machine over time, beside the running jobs, which hold it as planned."""
    availability = machine.availability(now)
    for planned_end, _, job in plan.ends:
        availability.hold(job, planned_end)
    return availability


def backfill_around(
    queue: list[Job],
    plan: Plan,
    now: float,
    *,
    machine: Machine,
    top_jobs: int,
    candidates: Candidates,
) -> list[Job]:
    """Reserve for the first `top_jobs` of the queue, and start others that fit around them.

    The first of the queue does not fit now. Those that start are returned, and removed from it.
    """
    availability = availability_beside(plan, machine, now)
    started = []
    for job in queue[:top_jobs]:
        start = availability.place(job, job.backfilling)
        if start <= now and availability.start(job):
            job.started_as = BACKFILLED
            started.append(job)
        elif start != job.last_promise:
            job.promise(start)
    for job in candidates.sorted(queue[top_jobs:]):
        if job.processors > machine.free:
            continue
        if not availability.place_at(job, now, job.backfilling):
            continue
        if availability.start(job):
            job.started_as = BACKFILLED
            started.append(job)
        else:
            availability.give_back(job, now, now + job.backfilling)
    for job in started:
        queue.remove(job)
    return started


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
