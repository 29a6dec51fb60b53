"""The calendar of OpenPBS's scheduler."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from predictors.checks import require_count
from schedulers.backfilling.backfilling import Stateless, take_heads, take_out
from schedulers.backfilling.places import availability_beside
from schedulers.backfilling.plan import Plan
from schedulers.errors import OptionError
from schedulers.job import BACKFILLED, Job
from schedulers.machine.machine import NEVER, Availability

WINDOWS: Mapping[str, float] = MappingProxyType(
    {"off": 1.0, "low": 60.0, "medium": 600.0, "high": 3600.0}
)
"""Events of the calendar that are looked at together, in seconds, by `opt_backfill_fuzzy`."""


@dataclass(eq=False)
class OpenPbsCalendar(Stateless):
    """Backfilling as OpenPBS does with ``strict_ordering: true``.

    The queue is gone through in its order. A job starts if it fits now, for as long as it is
    estimated to run, beside the running jobs and the places of the top jobs before it. The first
    `backfill_depth` jobs that do not are the top jobs: each gets a place at the first event of the
    calendar (a planned end, a top job's start or end) after which it fits. Events of the same
    window are looked at together, once the last of them has happened. Nothing is remembered from
    one pass to the next.
    """

    plans = True

    backfill_depth: int = 1
    """The number of top jobs, as the server's ``backfill_depth``."""
    opt_backfill_fuzzy: str = "low"
    """The window: ``off`` (1 s), ``low`` (60 s), ``medium`` (600 s) or ``high`` (3600 s)."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_count("backfill_depth", self.backfill_depth)
        if self.opt_backfill_fuzzy not in WINDOWS:
            raise OptionError(
                f"opt_backfill_fuzzy is {self.opt_backfill_fuzzy!r}; it must be one of "
                f"{', '.join(WINDOWS)}"
            )
        self._window = WINDOWS[self.opt_backfill_fuzzy]

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        chosen = take_heads(queue, machine)
        if not queue:
            return chosen
        for job in chosen:
            job.planned_end = now + job.running
            plan.add(job)
        availability = availability_beside(plan, machine, now)
        events = {max(end, now) for end, _, _ in plan.ends}
        top_jobs, started = 0, []
        for job in queue:
            if top_jobs >= self.backfill_depth and not machine.free:
                break
            if _starts(job, availability, now, free=machine.free):
                job.started_as = BACKFILLED
                started.append(job)
                events.add(now + job.backfilling)
            elif top_jobs < self.backfill_depth:
                top_jobs += 1
                start = self._place(job, availability, events)
                events |= {start, start + job.backfilling}
                if start != job.last_promise:
                    job.promise(start)
        take_out(queue, started)
        return chosen + started

    def _place(self, job: Job, availability: Availability, events: set[float]) -> float:
        for date in looked_at(events, self._window):
            if availability.place_at(job, date, job.backfilling):
                return date
        # behind all that is known only what outlives its walltime can be in the way
        return availability.place(job, job.backfilling)


def looked_at(events: Iterable[float], window: float) -> Iterator[float]:
    """Yield the dates at which the calendar is looked at: the last event of each window.

    A window begins with the first event that is left, and ends at the next whole multiple of its
    length, that included. All in seconds; events that never come are left out.

    Examples
    --------
    >>> list(looked_at([65.0, 95.0, 119.0, 120.0, 121.0], 60.0))
    [120.0, 121.0]
    """
    last, until = NEVER, NEVER
    for event in sorted(events):
        if event == NEVER:
            break
        if event > until:
            yield last
        if last == NEVER or event > until:
            until = (math.floor(event / window) + 1.0) * window
        last = event
    if last != NEVER:
        yield last


def _starts(job: Job, availability: Availability, now: float, *, free: int) -> bool:
    """Start a job that fits now; say whether it did."""
    if job.processors > free or not availability.place_at(job, now, job.backfilling):
        return False
    if availability.start(job):
        return True
    availability.give_back(job, now, now + job.backfilling)
    return False
