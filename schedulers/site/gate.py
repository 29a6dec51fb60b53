"""The gate of a site: decides which waiting jobs the site's rules let start."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.journal import StopLog
from schedulers.site.books import Books
from schedulers.site.calendar import Calendar
from schedulers.site.counters import Counter, EqualJobs, Had, MinutesLeft, UsedCounter
from schedulers.site.in_words import window_in_words
from schedulers.site.kinds import Kinds, LastDates
from schedulers.site.site import Site
from schedulers.site.windows import Freezes, OpenWindow

HELD = "held, dependent or not begun"
FROZEN = "freeze"
_NOT_AT_ALL: Mapping[str, float] = MappingProxyType({})
_FREE = EqualJobs((), (), (), "")


class _Booked:
    """The gate's record of a job."""

    def __init__(
        self, group: EqualJobs, since: float, submitted: tuple[tuple[Counter, bool], ...]
    ) -> None:
        self.group = group
        # the date in seconds at which the job's hold ends
        self.since = since
        # the counters that count the job from submission to end
        self.submitted = submitted
        # for how many seconds each rule had stopped the group before the job joined it
        self.before: Mapping[str, float] = _NOT_AT_ALL
        # for how many seconds each rule stopped the job; set when the job starts
        self.stopped: Mapping[str, float] = _NOT_AT_ALL


class Gate:
    """Applies a site's limits, start windows, freezes and hold dates to jobs; see `Site`."""

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
        """The dates at which freezes and limits begin or end, in seconds."""
        self._past = -NEVER
        self.by_clock = any(window.by_clock for window in self.windows)
        """True if a window can begin or end to stop a job at any date."""
        self.runs_off = self._books.may_run_off
        """True if a limit counts processor minutes, which fall while jobs run."""
        # the next date at which a window changes
        self._changes = -NEVER if self.windows else NEVER
        self._eligible = site.eligible
        self.by_time = bool(self.windows or self.dates or self.runs_off)
        """True if a rule may begin or end to stop a waiting job although no job ends."""
        self.kinds = Kinds(site, self._books, self.windows, seconds)
        self.last_dates = LastDates()
        """The dates from which on waiting jobs can never start."""
        self._booked: dict[int, _Booked] = {}
        self.held: list[tuple[float, int, Job]] = []
        """The held jobs: the end of the hold in seconds, the job's number, and the job."""
        self._come: list[Job] = []
        # groups that may be stopped by another rule (or no rule) than at the last pass
        self._touched: dict[EqualJobs, None] = {}
        self.unsure: dict[EqualJobs, None] = {}
        """The groups with jobs in the queue that a limit may stop since the last check."""
        self._stopped: dict[EqualJobs, None] = {}
        # all groups with waiting jobs, if rules depend on the date
        self._waiting: dict[EqualJobs, None] = {}
        self.log = StopLog()
        """How long each rule stopped each job."""

    def count_by(self, had: Mapping[str, Had]) -> None:
        """Make limits count the nodes and GPUs that jobs have, not those that they requested."""
        self._books.had = had

    def refusal(self, job: Job, now: float) -> str | None:
        """Record a submitted job, or return the reason why it can never start.

        The job gets the partitions that accept it. If it has no walltime, it gets the default of
        the first of these partitions.
        """
        kind = self.kinds.of(job, now)
        if kind.group is None:
            return kind.refusal
        if kind.submitted:
            for counter, refuses in kind.submitted:
                if refuses and counter.stops(1.0, now):
                    return f"exceeds the site's limit of {counter.rule}"
            for counter, _ in kind.submitted:
                counter.take(job, 1.0, now)
        if kind.last < NEVER:
            self.last_dates.add(job, kind.last, kind.why)
        since = job.waiting_since if self._eligible else job.submit_time
        if kind.group.is_free and since <= now and not (kind.submitted or self.freezes):
            return None
        self._booked[job.number] = _Booked(kind.group, since, kind.submitted)
        if since > now:
            heappush(self.held, (since, job.number, job))
        else:
            self._join(job, now)
        return None

    @property
    def stops_any(self) -> bool:
        """True if a rule stopped a waiting job at the last check."""
        return bool(self._stopped or self.held)

    def has_changed(self, now: float) -> bool:
        """Return ``True`` if `to_look_at` may return jobs or groups."""
        held = self.held
        return bool(self._come or self._touched or self.by_time or (held and held[0][0] <= now))

    def to_look_at(self, now: float) -> tuple[list[Job], list[Job], list[EqualJobs]]:
        """Advance to a date in seconds, and return the changes since the last call.

        Return three lists: the jobs that were submitted, the jobs whose hold has ended, and the
        groups of waiting jobs for which the rule that stops them may have changed.
        """
        released: list[Job] = []
        while self.held and self.held[0][0] <= now:
            job = heappop(self.held)[2]
            self._join(job, now)
            released.append(job)
        new, self._come = self._come, []
        touched = self._touched
        last, self._past = self._past, now
        entered = bisect_right(self.dates, last) < bisect_right(self.dates, now)
        if self._changes <= now:
            for window in self.windows:
                entered |= window.look(now)
            self._changes = min([window.next for window in self.windows])
        if entered or self.by_clock or self.runs_off:
            # check only the groups that depend on the date; most groups depend on running jobs
            for group in self._waiting:
                if entered or group.by_clock or group in self._stopped:
                    touched[group] = None
        self._touched = {}
        return new, released, list(touched)

    def _join(self, job: Job, now: float) -> None:
        booked = self._booked[job.number]
        group = booked.group
        if not group.jobs:
            # the rule of an empty group is not kept up to date, so determine it again
            group.stopped_by(None, now)
            if self.by_time or self.rule(group, now) is not None:
                self._touched[group] = None
        elif group.rule is not None:
            self._come.append(job)
        if group.waited or group.rule is not None:
            booked.before = group.waits(now)
        self._wait(job, group)

    def _wait(self, job: Job, group: EqualJobs) -> None:
        if not group.jobs:
            if self.by_time:
                self._waiting[group] = None
            for counter, amount in group.stopping:
                counter.waiting[group] = amount
        group.jobs[job.number] = job

    def _leave(self, job: Job, group: EqualJobs) -> None:
        del group.jobs[job.number]
        if not group.jobs:
            for counter, _ in group.stopping:
                counter.waiting.pop(group, None)
            if group.rule is not None:
                self._stopped.pop(group, None)
            if self.by_time:
                del self._waiting[group]

    def group(self, job: Job) -> EqualJobs:
        """Return the group of a waiting job."""
        return self._booked[job.number].group

    def is_held(self, job: Job, now: float) -> bool:
        """Return True if a waiting job is still held."""
        booked = self._booked.get(job.number)
        return booked is not None and booked.since > now

    def rule_changed(self, group: EqualJobs, now: float) -> bool:
        """Check which rule stops a group now; return ``True`` if the rule has changed."""
        rule = self.rule(group, now)
        self.unsure.pop(group, None)
        # the group is empty if its last jobs started and reached the limit
        if rule is None or not group.jobs:
            self._stopped.pop(group, None)
        else:
            self._stopped[group] = None
        return group.stopped_by(rule, now)

    def limits_of(self, job: Job) -> EqualJobs:
        """Return the group of a waiting or running job, with its limits."""
        booked = self._booked.get(job.number)
        return _FREE if booked is None else booked.group

    def stopped_by_limits(self, now: float) -> list[Job]:
        """Return the waiting jobs that a limit stops now, and that no window or freeze stops."""
        return [
            job
            for group in self._stopped
            if self._rule_of_time(group, now) is None
            for job in group.jobs.values()
        ]

    def rule(self, group: EqualJobs, now: float) -> str | None:
        """Return the rule that stops a group now, or ``None``."""
        rule = self._rule_of_time(group, now)
        if rule is not None:
            return rule
        for counter, amount in group.stopping:
            if counter.stops(amount, now):
                return counter.rule
        return None

    def _rule_of_time(self, group: EqualJobs, now: float) -> str | None:
        """Return the freeze or window that stops a group now, or ``None``."""
        if self.freezes and self.freezes.stop(group.partition, now):
            return FROZEN
        if group.windows:
            job = next(iter(group.jobs.values()), None)
            for window in group.windows:
                if job is not None and window.stops(job, now):
                    return window.rule
        return None

    def stops(self, job: Job, now: float) -> bool:
        """Return ``True`` if a limit stops a queued job because of the starts in this pass."""
        booked = self._booked.get(job.number)
        if booked is not None and booked.group in self.unsure:
            for counter, amount in booked.group.stopping:
                if counter.stops(amount, now):
                    self._touched[booked.group] = None
                    return True
        return False

    def stops_at(self, job: Job, placement: Any, now: float) -> bool:  # noqa: ANN401 - the machine's own
        """Return ``True`` if the nodes or GPUs of a placement exceed a limit of a queued job."""
        booked = self._booked.get(job.number)
        if booked is not None:
            for counter, _ in booked.group.stopping:
                if isinstance(counter, UsedCounter) and counter.stops_at(job, placement, now):
                    return True
        return False

    def stopped_in_pass(self) -> Iterator[int]:
        """Yield the numbers of the jobs stopped by limits that the last pass has reached."""
        for group in self._touched:
            if self.rule(group, self._past) is not None:
                yield from group.jobs

    def has_stopped_more(self) -> bool:
        """Return True if limits that the last pass has reached stop jobs of its queue."""
        for group in self._touched:
            if group.jobs and group.rule is None and self.rule(group, self._past) is not None:
                return True
        return False

    def start_counting(self, job: Job, now: float) -> None:
        """Count a job that takes room in the counters of its limits."""
        booked = self._booked.get(job.number)
        if booked is None:
            return
        group = booked.group
        for counter, amount in group.counting:
            counter.take(job, amount, now)
            for other, requested in counter.waiting.items():
                # this test is fast, and most limits are not nearly reached
                filled = counter.used + requested > counter.most
                if filled and other.rule is None and counter.stops(requested, now):
                    self._touched[other] = self.unsure[other] = None
        self._leave(job, group)
        if group.waited:
            before = booked.before
            booked.stopped = {
                rule: time - before.get(rule, 0.0) for rule, time in group.waited.items()
            }
        if booked.since > job.submit_time:
            booked.stopped = {**booked.stopped, HELD: booked.since - job.submit_time}

    def stop_counting(self, job: Job, waits: bool) -> None:  # noqa: FBT001 - a compiled method
        """Stop counting a job that has ended, or that `waits` again."""
        booked = self._booked.get(job.number)
        if booked is None:
            return
        for counter, _ in booked.group.counting:
            counter.give_back(job)
            for other in counter.waiting:
                if other.rule is not None:
                    self._touched[other] = None
        if waits:
            # other jobs may have reached the job's limits in the meantime
            self.unsure[booked.group] = None
            self._wait(job, booked.group)
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
        """Forget a rejected job."""
        self.last_dates.forget(job)
        booked = self._booked.get(job.number)
        if booked is None:
            return
        self._close(job, booked)
        if job.number in booked.group.jobs:
            self._leave(job, booked.group)
            self._come = [one for one in self._come if one is not job]
        else:
            self.held = [one for one in self.held if one[2] is not job]
            heapify(self.held)

    def next_change(self, now: float, quiet: bool) -> float:  # noqa: FBT001 - a compiled method
        """Return the next date at which a rule may change without an event, in seconds.

        Windows are considered only while jobs wait. If no event has happened for more than a year
        (`quiet`), windows are ignored.
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
                for group in self._stopped
                for counter, amount in group.stopping
                if isinstance(counter, MinutesLeft)
            ]
        return min([date for date in dates if date > now], default=NEVER)
