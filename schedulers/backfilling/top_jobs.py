"""EASY with reservations for several jobs, as PBS makes them for its top jobs."""

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
