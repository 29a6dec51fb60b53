"""EASY on a site of processors in a few lines: each start begins a new pass."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tests.schedulers.site.rules_model import Asked, Ran, Rules

A_LITTLE = 1e-3
"""After processor minutes have run off, in seconds."""


def easy_on_site(
    content: Mapping[str, Any], jobs: Sequence[Asked], processors: int, until: float
) -> dict[int, float]:
    """Return the start of each job in seconds, without refused jobs."""
    rules = Rules(content)
    waiting = list(jobs)
    running: list[Ran] = []
    starts: dict[int, float] = {}
    fixed = {*rules.dates(until), *(float(one["subtime"]) for one in jobs)}
    fixed |= {rules.since(one) for one in jobs}
    now = -math.inf
    while now < until:
        dates = {*fixed, *(one.end for one in running), *_run_off(rules, waiting, running, now)}
        if rules.cycle:
            dates = {math.ceil(date / rules.cycle) * rules.cycle for date in dates}
        now = min((date for date in dates if date > now), default=math.inf)
        running = [one for one in running if one.end > now]
        waiting = [one for one in waiting if rules.last(one) > now]
        queue = [one for one in waiting if one["subtime"] <= now]
        while (job := _next(rules, queue, running, now=now, processors=processors)) is not None:
            queue.remove(job)
            waiting.remove(job)
            starts[job["id"]] = now
            length = min(float(job["profile"]), rules.walltime(job))
            running.append(Ran(job, now, now + length))
        if not waiting:
            break
    return starts


def _next(
    rules: Rules, queue: Sequence[Asked], running: Sequence[Ran], *, now: float, processors: int
) -> Asked | None:
    """Return the job that EASY starts first."""
    there = min(rules.capacity(now), processors)
    free = there - sum(one.job["res"] for one in running)
    reserved: tuple[float, float] | None = None
    for job in queue:
        if rules.stops(job, now, running) is not None:
            continue
        size = job["res"]
        if reserved is None and size > free:
            # the first that has no room gets the only reservation
            reserved = _reservation(rules, size, running, free=free)
        elif reserved is None:
            return job
        elif size <= free:
            date, extra = reserved
            if now + rules.walltime(job) <= date or size <= extra:
                return job
    return None


def _reservation(
    rules: Rules, size: int, running: Sequence[Ran], *, free: float
) -> tuple[float, float]:
    """Return when there is room for a size by the walltimes, and what is left over then."""
    ends = sorted((one.start + rules.walltime(one.job), one.job["res"]) for one in running)
    for date in sorted({date for date, _ in ends}):
        there = free + sum(freed for end, freed in ends if end <= date)
        if there >= size:
            return date, there - size
    return math.inf, 0


def _run_off(
    rules: Rules, waiting: Sequence[Asked], running: Sequence[Ran], now: float
) -> set[float]:
    """Return when enough processor minutes have run off for those that wait."""
    found = set()
    for limit in rules.of("limits"):
        if limit["of"] != "processor_minutes":
            continue
        for job in waiting:
            those = [one for one in running if rules.counted(limit, job, one.job)]
            rate = sum(one.job["res"] for one in those) / 60.0
            # at the date 0, as if all had run then
            left = sum(
                one.job["res"] * (one.start + rules.walltime(one.job)) / 60.0 for one in those
            )
            amount = rules.amount(limit, job, rules.walltime(job))
            if those and amount <= rules.most(limit, job) and rules.stopped_by(limit, job):
                date = (left + amount - rules.most(limit, job)) / rate + A_LITTLE
                found |= {date} if date > now else set()
    return found
