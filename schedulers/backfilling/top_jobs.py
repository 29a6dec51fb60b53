"""EASY with reservations for several jobs, as PBS makes them for its top jobs."""

from schedulers.backfilling.availability import Profile
from schedulers.backfilling.candidates import Candidates
from schedulers.backfilling.plan import Plan
from schedulers.job import BACKFILLED, Job


def running_profile(plan: Plan, processors: int, now: float) -> Profile:
    """Make the profile of the running jobs: one past its planned end counts as ending now."""
    profile = Profile(processors, now)
    for planned_end, _, job in plan.ends:
        if planned_end > now:
            profile.take(now, planned_end, job.processors)
    return profile


def backfill_around(
    queue: list[Job],
    plan: Plan,
    now: float,
    *,
    processors: int,
    top_jobs: int,
    candidates: Candidates,
) -> list[Job]:
    """Reserve for the first jobs of the queue, and start others that fit around them.

    Parameters
    ----------
    queue
        The waiting jobs in their order, of which the first does not fit now; those that start are
        removed.
    plan
        The running jobs.
    now
        The date in seconds.
    processors
        The machine's size.
    top_jobs
        How many jobs reserve.
    candidates
        In which order the others are tried.
    """
    profile = running_profile(plan, processors, now)
    really_free = processors - sum(job.processors for _, _, job in plan.ends)
    started = []
    for job in queue[:top_jobs]:
        start = profile.earliest(job.processors, job.backfilling)
        if start <= now and job.processors <= really_free:
            job.started_as = BACKFILLED
            started.append(job)
            really_free -= job.processors
        elif start != job.last_promise:
            job.promise(start)
        profile.take(start, start + job.backfilling, job.processors)
    for job in candidates.sorted(queue[top_jobs:]):
        size = job.processors
        if size <= really_free and profile.fits(size, job.backfilling):
            job.started_as = BACKFILLED
            profile.take(now, now + job.backfilling, size)
            really_free -= size
            started.append(job)
    for job in started:
        queue.remove(job)
    return started
