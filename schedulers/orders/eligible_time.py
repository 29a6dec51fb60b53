"""The time for which OpenPBS counts a waiting job as eligible."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from schedulers.core.job import Job
from schedulers.site.books import Books, Counters
from schedulers.site.reader import calendar_of
from schedulers.site.requests import keys_of, names_of_keys
from schedulers.site.site import Site

if TYPE_CHECKING:
    from schedulers.site.counters import Counter

_WHOSE = frozenset(("user", "group", "project"))


class EligibleTimes:
    """How long waiting jobs have been eligible.

    Each cycle goes through the waiting jobs in priority order. For each job, it adds up the jobs
    of the same user, group or project that run or wait before this job. If the job would exceed a
    limit together with them, the job is not eligible until the next cycle. Limits on all users
    together do not matter. So if a user has many waiting jobs, only as many gain eligible time as
    the user may run.

    (From OpenPBS's ``fifo.cpp`` and ``job_info.cpp``, and observed with version 23.06.)
    """

    def __init__(self, site: Site) -> None:
        limits = tuple(
            one for one in site.limits if not _WHOSE.isdisjoint(one.keys) and one.of != "submitted"
        )
        limited = replace(site, limits=limits)
        self._books = Books(limited, calendar_of(site).seconds)
        self._names = names_of_keys(limited)
        self.counts = bool(limits)
        """Whether the site has limits of users, groups or projects."""
        # by job id: the eligible time at `_as_of`, and whether it grows since then
        self._times: dict[str, float] = {}
        self._gains: dict[str, bool] = {}
        self._limits: dict[str, Counters] = {}
        self._as_of = 0.0

    def submitted(self, job: Job) -> None:
        """Count a job's time from its submission on."""
        # with this value, the eligible time is 0 at the submission
        self._times[job.id] = self._as_of - job.waiting_since
        self._gains[job.id] = True
        if self.counts:
            keys = keys_of(job, self._names)
            self._limits[job.id] = self._books.counters_of(job, keys).stopping

    def started(self, job: Job, now: float) -> None:
        """Stop counting a job's eligible time. From now on, limits count it as running."""
        for counter, amount in self._limits.get(job.id, ()):
            counter.take(job, amount, now)
        self._times.pop(job.id, None)
        self._gains.pop(job.id, None)

    def ended(self, job: Job) -> None:
        """Remove an ended job from the counters."""
        for counter, _ in self._limits.pop(job.id, ()):
            counter.give_back(job)

    def at(self, now: float) -> dict[str, float]:
        """Return the eligible times at a date by job id, in seconds; negative before submission."""
        since = now - self._as_of
        if since > 0.0:
            gains = self._gains
            self._times = {
                name: time + since if gains[name] else time for name, time in self._times.items()
            }
            self._as_of = now
        return self._times

    def cycle(self, ordered: Iterable[Job], now: float) -> None:
        """Determine which waiting jobs gain eligible time from `now` on.

        `ordered` are the waiting jobs in priority order.
        """
        if not self.counts:
            return
        before: defaultdict[Counter, float] = defaultdict(float)
        for job in ordered:
            limits = self._limits[job.id]
            self._gains[job.id] = not any(
                counter.stops(before[counter] + amount, now) for counter, amount in limits
            )
            for counter, amount in limits:
                before[counter] += amount
