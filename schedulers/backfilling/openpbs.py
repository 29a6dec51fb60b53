"""OpenPBS's scheduling with a calendar."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec

from predictors.checks import require_choice, require_count
from schedulers.core.backfilling import Backfilling, Filler, NoBackfilling, beside, take_heads
from schedulers.core.job import BACKFILLED, Job, Plan, take_out
from schedulers.core.machine import NEVER, Availability, Machine
from schedulers.errors import OptionError
from schedulers.site.batch_system import OpenPbs
from schedulers.site.gated_machine import LimitsOverTime, StoppedJobs
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site

WINDOWS: Mapping[str, float] = MappingProxyType(
    {"off": 1.0, "low": 60.0, "medium": 600.0, "high": 3600.0}
)
"""The lengths of calendar windows in seconds, by `opt_backfill_fuzzy`."""


@dataclass(eq=False)
class OpenPbsCalendar(Backfilling):
    """Schedules as OpenPBS does, in the given order of the queue.

    With ``strict_ordering: true`` the rule plans with a calendar and goes through the queue in
    order. A job starts if it fits now for its estimated run time, without delaying the top jobs.
    The first `backfill_depth` jobs that do not fit are the top jobs. Each top job gets a
    reservation at the first event of the calendar from which it fits. Events are planned ends of
    running jobs, and planned starts and ends of top jobs. Of several events in one window, only the
    last is tried. With a `backfill_depth` of 0, the first job that does not fit stops all jobs
    behind it.

    With ``strict_ordering: false`` every job that fits starts, and the rule plans nothing. If
    `help_starving_jobs` is set as well, starving jobs are top jobs of a calendar.

    An option that is ``None`` takes the value of the site's table ``openpbs``, else OpenPBS's
    default. The rule keeps no state between passes.
    """

    strict_ordering: bool | None = True
    backfill_depth: int | None = None
    """The number of top jobs, as the server's ``backfill_depth`` (1)."""
    opt_backfill_fuzzy: str | None = None
    """The window's length: ``off`` (1 s), ``low`` (60 s, the default), ``medium`` (600 s) or
    ``high`` (3600 s). If the site says when the workload begins, windows count from 1970."""
    scheduler_iteration: int | None = 0
    """The seconds after a pass until the next pass, if no event comes before. 0: no such passes."""
    help_starving_jobs: bool | None = None
    """Whether jobs that have waited for the site's ``max_starve`` become top jobs. Off by default.
    OpenPBS removed this option in version 22.05."""

    _site: Site = field(default_factory=Site, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the options."""
        super().__init__()
        self.asks = True
        for option, least in (("backfill_depth", 0), ("scheduler_iteration", 0)):
            if getattr(self, option) is not None:
                require_count(option, getattr(self, option), least=least)
        for option in ("strict_ordering", "help_starving_jobs"):
            if not isinstance(getattr(self, option), bool | None):
                raise OptionError(
                    f"{option} is {getattr(self, option)!r}; it must be true or false"
                )
        if self.opt_backfill_fuzzy is not None:
            require_choice("opt_backfill_fuzzy", self.opt_backfill_fuzzy, tuple(WINDOWS))
        self._settle()

    def on_site(self, site: Site) -> None:
        """Set options that are ``None`` from the site's table. Call this before `begin`."""
        self._site = site
        self._settle()

    def _settle(self) -> None:
        settings = self._site.openpbs or OpenPbs()
        given = {
            name: getattr(self, name)
            for name in settings.__struct_fields__
            if getattr(self, name, None) is not None
        }
        self.settings = settings = msgspec.structs.replace(settings, **given)
        """The site's OpenPBS settings, with the given options replacing their values."""
        self.window = WINDOWS[settings.opt_backfill_fuzzy]
        """The window's length, in seconds."""
        self.plain: Filler | NoBackfilling | None = None
        """The rule that chooses jobs without a calendar; ``None`` if there is a calendar."""
        if not (settings.strict_ordering or settings.help_starving_jobs):
            self.plain = Filler()
        elif settings.strict_ordering and not settings.backfill_depth:
            self.plain = NoBackfilling()
        self.plans = self.plain is None
        self._last_pass = 0.0
        self._stopped: StoppedJobs | None = None
        start = calendar_of(self._site).unix_start
        self.epoch = 0.0 if start is None else start
        """The Unix date of second 0."""

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine; see `Backfilling`."""
        super().begin(machine)
        if self.plain is not None:
            self.plain.begin(machine)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return the date of the next pass; see `Backfilling`."""
        del now, order_changes
        # `Filler` immediately starts each job that fits, so a pass without an event starts none
        if not (waiting and self.settings.scheduler_iteration) or isinstance(self.plain, Filler):
            return NEVER
        return self._last_pass + self.settings.scheduler_iteration

    def set_stopped(self, stopped: StoppedJobs) -> None:
        """Receive the waiting jobs that limits stop; see `SiteScheduler`."""
        self._stopped = stopped

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        self._last_pass = now
        if self.plain is not None:
            return self.plain.choose(queue, plan, now)
        whole = queue if self._stopped is None else self._stopped.beside(queue, now)
        stopped = set[int]()
        if whole is not queue:
            stopped = {job.number for job in whole} - {job.number for job in queue}
        chosen = [] if stopped else take_heads(queue, self.machine)
        if not queue:
            return chosen
        for job in chosen:
            plan.start(job, now)
        started = self._go_through(whole, stopped, plan, now)
        take_out(queue, started)
        return chosen + started

    def _go_through(self, whole: list[Job], stopped: set[int], plan: Plan, now: float) -> list[Job]:
        """Return the jobs that start, and plan the top jobs."""
        machine, depth = self.machine, self.settings.backfill_depth
        availability = beside(plan, machine, now)
        limits = None if self._stopped is None else self._stopped.limits(plan, now)
        events = {max(job.planned_end, now) for job in plan.jobs}
        top_jobs, started = 0, []
        for job in whole:
            if top_jobs >= depth > 0 and not machine.free:
                break
            may_start = job.number not in stopped
            if may_start and _starts(job, availability, now, machine=machine):
                job.started_as = BACKFILLED
                started.append(job)
                end = now + job.backfilling
                events.add(end)
                if limits is not None:
                    limits.started(job, end)
            elif not self._is_reserved_for(job, now):
                continue
            elif not depth:
                break
            elif top_jobs < depth:
                start = self._place(job, availability, events, limits, now)
                if start is None:
                    continue
                top_jobs += 1
                events |= {start, start + job.backfilling}
                if start != job.last_promise:
                    job.promise(start)
        return started

    def _is_reserved_for(self, job: Job, now: float) -> bool:
        """Say whether a job that does not fit may be a top job: any job, or only a starving job."""
        settings = self.settings
        return settings.strict_ordering or now - job.waiting_since > settings.max_starve

    def _place(
        self,
        job: Job,
        availability: Availability,
        events: set[float],
        limits: LimitsOverTime | None,
        now: float,
    ) -> float | None:
        """Return a top job's planned start in seconds, or ``None`` if the job fits at no event."""
        duration = job.backfilling
        for date in last_events(events, self.window, epoch=self.epoch):
            if limits is not None and not limits.let(job, date):
                continue
            if availability.place_at(job, date, duration):
                break
        else:
            if limits is not None and not limits.let(job, max(events, default=now)):
                return None
            # after the last event, only jobs that outlive their walltimes can still hold room
            date = availability.place(job, duration)
        if limits is not None:
            limits.placed(job, date, date + duration)
        return date


def last_events(events: Iterable[float], window: float, *, epoch: float = 0.0) -> Iterator[float]:
    """Yield the last event of each window. All dates are in seconds.

    A window begins with the first event after the window before. It ends at the next whole multiple
    of the length `window`. An event at this multiple still belongs to the window. Multiples count
    from 1970; `epoch` is the Unix date of second 0. Infinite events are left out.

    Examples
    --------
    >>> list(last_events([65.0, 95.0, 119.0, 120.0, 121.0], 60.0))
    [120.0, 121.0]
    """
    last, until = NEVER, NEVER
    for event in sorted(events):
        if event == NEVER:
            break
        if event > until:
            yield last
        if last == NEVER or event > until:
            until = (math.floor((event + epoch) / window) + 1.0) * window - epoch
        last = event
    if last != NEVER:
        yield last


def _starts(job: Job, availability: Availability, now: float, *, machine: Machine) -> bool:
    if job.processors > machine.free or not availability.place_at(job, now, job.backfilling):
        return False
    if machine.start(job, availability):
        return True
    availability.give_back(job, now, now + job.backfilling)
    return False
