"""The gate of a site: which waiting jobs its rules let start, before any policy."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.site.alike import Alike
from schedulers.site.books import Books
from schedulers.site.calendar import Calendar
from schedulers.site.counters import AsHad, Counter, Had, MinutesLeft
from schedulers.site.freezes import Freezes
from schedulers.site.in_words import window_in_words
from schedulers.site.kinds import Kinds
from schedulers.site.last_dates import LastDates
from schedulers.site.site import Site
from schedulers.site.stop_log import StopLog
from schedulers.site.windows import OpenWindow

HELD = "held, dependent or not begun"
FROZEN = "freeze"
_NOT_AT_ALL: Mapping[str, float] = MappingProxyType({})
_FREE = Alike((), (), (), "")


class _Booked:
    """A job in the gate's books."""

    def __init__(
        self, alike: Alike, since: float, submitted: tuple[tuple[Counter, bool], ...]
    ) -> None:
        self.alike = alike
        # when it can run by itself, in seconds
        self.since = since
        # what counts it from its submission to its end
        self.submitted = submitted
        # for how long rules had stopped those that are alike when it came, in seconds
        self.before: Mapping[str, float] = _NOT_AT_ALL
        # for how long they stopped this one, once room is taken for it
        self.stopped: Mapping[str, float] = _NOT_AT_ALL


class Gate:
    """Limits, start windows, freezes and dates from which jobs can run; see `Site`."""

    def __init__(self, site: Site, calendar: Calendar) -> None:
        self.site = site
        seconds = calendar.seconds
        self._books = Books(site, seconds)
        self.windows = [
            OpenWindow(window, calendar, window_in_words(window)) for window in site.windows
        ]
        self.freezes = Freezes(site, seconds)
        dates = list(self.freezes.dates)
        dates += [date for period in self._books.periods for date in period]
        self.dates = sorted({date for date in dates if abs(date) < NEVER})
        """When freezes and limits begin and end, in seconds."""
        self._past = -NEVER
        self.by_clock = any(window.by_clock for window in self.windows)
        """Whether what stops a job may change at any date, by a window."""
        self.runs_off = self._books.may_run_off
        """Likewise, by minutes that are left of running jobs."""
        # when the first window changes
        self._changes = -NEVER if self.windows else NEVER
        self._eligible = site.eligible
        self.by_time = bool(self.windows or self.dates or self.runs_off)
        """Whether a waiting job may be stopped, or no longer, though nothing ends."""
        self.kinds = Kinds(site, self._books, self.windows, seconds)
        self.last_dates = LastDates()
        """From when on waiting jobs never can start."""
        self._booked: dict[int, _Booked] = {}
        self.held: list[tuple[float, int, Job]] = []
        """The jobs that can't run by themselves yet: from when on, in seconds, number and job."""
        self._come: list[Job] = []
        # what may be stopped by another rule since the last pass
        self._touched: dict[Alike, None] = {}
        self.unsure: dict[Alike, None] = {}
        """Those of the queue that a limit may stop since they were looked at; others it can't."""
        self._stopped: dict[Alike, None] = {}
        # all that wait, where the clock may stop some
        self._waiting: dict[Alike, None] = {}
        self.log = StopLog()
        """For how long which rule stopped whom."""

    def count_by(self, had: Mapping[str, Had]) -> None:
        """Let limits of nodes and GPUs count those that jobs have."""
        self._books.had = had

    def refusal(self, job: Job, now: float) -> str | None:
        """Take a job that is submitted into the books, or say why it never can start.

        It gets the partitions that take it, and the default walltime of the first of them, where
        it has none.
        """
        kind = self.kinds.of(job, now)
        if kind.alike is None:
            return kind.refusal
        if kind.submitted:
            for counter, refuses in kind.submitted:
                if refuses and counter.stops(1.0, now):
                    return f"is above the site's limit of {counter.rule}"
            for counter, _ in kind.submitted:
                counter.take(job, 1.0, now)
        if kind.last < NEVER:
            self.last_dates.add(job, kind.last, kind.why)
        since = job.waiting_since if self._eligible else job.submit_time
        if kind.alike.is_free and since <= now and not (kind.submitted or self.freezes):
            return None
        self._booked[job.number] = _Booked(kind.alike, since, kind.submitted)
        if since > now:
            heappush(self.held, (since, job.number, job))
        else:
            self._join(job, now)
        return None

    @property
    def stops_any(self) -> bool:
        """Whether some job waits that a rule has stopped, when it was looked at last."""
        return bool(self._stopped or self.held)

    def has_changed(self, now: float) -> bool:
        """Say whether there may be anything to look at."""
        held = self.held
        return bool(self._come or self._touched or self.by_time or (held and held[0][0] <= now))

    def to_look_at(self, now: float) -> tuple[list[Job], list[Job], list[Alike]]:
        """Move on to a date, and return what has changed.

        The date, in seconds, never goes back. Returned are the jobs that were submitted since the
        last time, and those that were held till then (both wait with those that are alike from now
        on), and the waiting jobs that may be stopped by another rule than before.
        """
        released: list[Job] = []
        while self.held and self.held[0][0] <= now:
            job = heappop(self.held)[2]
            self._join(job, now)
            released.append(job)
        new, self._come = self._come, []
        touched = self._touched
        last, self._past = self._past, now
        anew = bisect_right(self.dates, last) < bisect_right(self.dates, now)
        if self._changes <= now:
            for window in self.windows:
                anew |= window.look(now)
            self._changes = min([window.next for window in self.windows])
        if anew or self.by_clock or self.runs_off:
            # what depends on the clock is few beside what depends on what runs
            for alike in self._waiting:
                if anew or alike.by_clock or alike in self._stopped:
                    touched[alike] = None
        self._touched = {}
        return new, released, list(touched)

    def _join(self, job: Job, now: float) -> None:
        """Let a job wait with those that are alike."""
        booked = self._booked[job.number]
        alike = booked.alike
        if not alike.jobs:
            # nobody was there to be looked at; what the clock stops is looked at in any case
            alike.stopped_by(None, now)
            if self.by_time or self.rule(alike, now) is not None:
                self._touched[alike] = None
        elif alike.rule is not None:
            self._come.append(job)
        if alike.waited or alike.rule is not None:
            booked.before = alike.waits(now)
        self._wait(job, alike)

    def _wait(self, job: Job, alike: Alike) -> None:
        if not alike.jobs:
            if self.by_time:
                self._waiting[alike] = None
            for counter, amount in alike.stopping:
                counter.waiting[alike] = amount
        alike.jobs[job.number] = job

    def _leave(self, job: Job, alike: Alike) -> None:
        del alike.jobs[job.number]
        if not alike.jobs:
            for counter, _ in alike.stopping:
                counter.waiting.pop(alike, None)
            if alike.rule is not None:
                self._stopped.pop(alike, None)
            if self.by_time:
                del self._waiting[alike]

    def alike(self, job: Job) -> Alike:
        """Return a waiting job with those that are alike."""
        return self._booked[job.number].alike

    def is_held(self, job: Job, now: float) -> bool:
        """Say whether a waiting job can't run by itself yet."""
        booked = self._booked.get(job.number)
        return booked is not None and booked.since > now

    def looked_at(self, alike: Alike, now: float) -> bool:
        """Look what stops some jobs now; say whether that has become another rule."""
        rule = self.rule(alike, now)
        self.unsure.pop(alike, None)
        # of those that started when a limit was filled nobody waits any more
        if rule is None or not alike.jobs:
            self._stopped.pop(alike, None)
        else:
            self._stopped[alike] = None
        return alike.stopped_by(rule, now)

    def limits_of(self, job: Job) -> Alike:
        """Return what stops and counts a job that waits or runs."""
        booked = self._booked.get(job.number)
        return _FREE if booked is None else booked.alike

    def stopped_by_limits(self, now: float) -> list[Job]:
        """Return the waiting jobs that limits stop, and nothing else now."""
        return [
            job
            for alike in self._stopped
            if self._rule_of_time(alike, now) is None
            for job in alike.jobs.values()
        ]

    def rule(self, alike: Alike, now: float) -> str | None:
        """Say which rule stops such a job now; ``None``, if none does."""
        rule = self._rule_of_time(alike, now)
        if rule is not None:
            return rule
        for counter, amount in alike.stopping:
            if counter.stops(amount, now):
                return counter.rule
        return None

    def _rule_of_time(self, alike: Alike, now: float) -> str | None:
        """Say which freeze or window stops such a job now."""
        if self.freezes and self.freezes.stop(alike.partition, now):
            return FROZEN
        if alike.windows:
            job = next(iter(alike.jobs.values()), None)
            for window in alike.windows:
                if job is not None and window.stops(job, now):
                    return window.rule
        return None

    def stops(self, job: Job, now: float) -> bool:
        """Say whether a rule stops a job of the queue, with all that was taken in this pass."""
        booked = self._booked.get(job.number)
        if booked is not None and booked.alike in self.unsure:
            for counter, amount in booked.alike.stopping:
                if counter.stops(amount, now):
                    self._touched[booked.alike] = None
                    return True
        return False

    def stops_at(self, job: Job, placement: Any, now: float) -> bool:  # noqa: ANN401 - the machine's own
        """Say whether a limit stops a job of the queue in a place, by what it would have there."""
        booked = self._booked.get(job.number)
        if booked is not None:
            for counter, _ in booked.alike.stopping:
                if isinstance(counter, AsHad) and counter.stops_at(job, placement, now):
                    return True
        return False

    def stopped_in_pass(self) -> Iterator[int]:
        """Yield the numbers of the jobs that the limits which the last pass has filled stop."""
        for alike in self._touched:
            if self.rule(alike, self._past) is not None:
                yield from alike.jobs

    def has_stopped_more(self) -> bool:
        """Say whether limits that the last pass has filled stop jobs that were in its queue."""
        for alike in self._touched:
            if alike.jobs and alike.rule is None and self.rule(alike, self._past) is not None:
                return True
        return False

    def took(self, job: Job, now: float) -> None:
        """Count a job for which room is taken."""
        booked = self._booked.get(job.number)
        if booked is None:
            return
        alike = booked.alike
        for counter, amount in alike.counting:
            counter.take(job, amount, now)
            for other, asked in counter.waiting.items():
                # nearly always it is far from filled
                filled = counter.used + asked > counter.most
                if filled and other.rule is None and counter.stops(asked, now):
                    self._touched[other] = self.unsure[other] = None
        self._leave(job, alike)
        if alike.waited:
            before = booked.before
            booked.stopped = {
                rule: time - before.get(rule, 0.0) for rule, time in alike.waited.items()
            }
        if booked.since > job.submit_time:
            booked.stopped = {**booked.stopped, HELD: booked.since - job.submit_time}

    def gave_back(self, job: Job, waits: bool) -> None:  # noqa: FBT001 - a compiled method
        """Count a job no longer that has ended, or that `waits` again."""
        booked = self._booked.get(job.number)
        if booked is None:
            return
        for counter, _ in booked.alike.counting:
            counter.give_back(job)
            for other in counter.waiting:
                if other.rule is not None:
                    self._touched[other] = None
        if waits:
            # others may have filled its limits meanwhile
            self.unsure[booked.alike] = None
            self._wait(job, booked.alike)
            return
        if booked.stopped:
            self.log.add(job, booked.stopped)
        self._close(job, booked)

    def _close(self, job: Job, booked: _Booked) -> None:
        self.last_dates.forget(job)
        del self._booked[job.number]
        for counter, _ in booked.submitted:
            counter.give_back(job)

    def forget(self, job: Job) -> None:
        """Forget a job that was refused."""
        self.last_dates.forget(job)
        booked = self._booked.get(job.number)
        if booked is None:
            return
        self._close(job, booked)
        if job.number in booked.alike.jobs:
            self._leave(job, booked.alike)
            self._come = [one for one in self._come if one is not job]
        else:
            self.held = [one for one in self.held if one[2] is not job]
            heapify(self.held)

    def next_change(self, now: float, quiet: bool) -> float:  # noqa: FBT001 - a compiled method
        """Return the next date at which by itself a rule may stop others, in seconds.

        Windows count only while a job waits, and no longer where it was `quiet` for so long that
        each of their hours has come.
        """
        dates: list[float] = []
        if self._waiting and not quiet:
            dates += [window.next for window in self.windows] if self._changes <= now else []
            dates.append(self._changes)
        place = bisect_right(self.dates, now)
        dates += [self.last_dates.first, *self.dates[place : place + 1]]
        if self.held:
            dates.append(self.held[0][0])
        if self.runs_off:
            dates += [
                counter.enough_at(amount)
                for alike in self._stopped
                for counter, amount in alike.stopping
                if isinstance(counter, MinutesLeft)
            ]
        return min([date for date in dates if date > now], default=NEVER)
