"""The gate of a site: which waiting jobs its rules let start, before any policy."""

from collections.abc import Iterable
from heapq import heappop, heappush

import msgspec

from schedulers.job import Job
from schedulers.machine.machine import NEVER
from schedulers.site.calendar import Calendar
from schedulers.site.counters import Counter, MinutesLeft
from schedulers.site.requests import amount_of, is_for, keys_of, nodes_of, partitions_of
from schedulers.site.site import Limit, Partition, Site, texts
from schedulers.site.stop_log import StopLog
from schedulers.site.windows import OpenWindow, can_ever_start

HELD = "held, dependent or not begun"
FROZEN = "freeze"


class _Waiting(msgspec.Struct, gc=False):
    """A job in the gate's books: what may stop it, and what counts it."""

    stopping: list[tuple[Counter, float]]
    counting: list[tuple[Counter, float]]
    windows: list[OpenWindow]
    partition: str
    since: float
    """When it can run by itself, in seconds."""


class Gate:
    """Limits, start windows, freezes and dates from which jobs can run; see `Site`.

    Parameters
    ----------
    site
        The rules.
    calendar
        Brings its dates into seconds of the workload.
    """

    def __init__(self, site: Site, calendar: Calendar) -> None:
        self.site = site
        self._calendar = calendar
        seconds = calendar.seconds
        self._periods = [
            (
                -NEVER if limit.begin is None else seconds(limit.begin),
                NEVER if limit.end is None else seconds(limit.end),
            )
            for limit in site.limits
        ]
        self._rules = [limit_in_words(limit) for limit in site.limits]
        self._counters: dict[tuple[int, tuple[str, ...]], Counter | None] = {}
        self._windows = [
            OpenWindow(window, calendar, f"window {place}")
            for place, window in enumerate(site.windows, 1)
        ]
        self._freezes = [
            (seconds(one.begin), seconds(one.end), texts(one.partitions)) for one in site.freezes
        ]
        self._arrays: dict[str, Counter] = {}
        self._waiting: dict[int, _Waiting] = {}
        self._held: list[float] = []
        self.log = StopLog()
        """When which rule stopped whom."""

    def refusal(self, job: Job, now: float) -> str | None:
        """Take a job that is submitted into the books, or say why it never can start.

        Its walltime becomes the default one of its partition, where it has none.
        """
        partitions = partitions_of(job, self.site)
        why = self._refusal(job, partitions)
        if why is not None:
            return why
        if partitions and job.walltime is None:
            job.walltime = partitions[0].default_walltime
        keys = keys_of(job, partitions)
        waiting = _Waiting([], [], [], keys["partition"], self._since(job))
        why = self._limited(job, keys, waiting, now)
        if why is not None:
            return why
        waiting.windows = [window for window in self._windows if window.is_for(job, keys)]
        if waiting.windows and not can_ever_start(job, waiting.windows, now):
            return "would wait for ever: its walltime has room in no start window"
        for counter, amount in waiting.counting:
            if isinstance(counter, _Submitted):
                counter.take(job, amount, now)
        if waiting.since > now:
            heappush(self._held, waiting.since)
        self._waiting[job.number] = waiting
        return None

    def _refusal(self, job: Job, partitions: list[Partition] | None) -> str | None:
        """Say why no partition takes a job."""
        if partitions is None:
            return None
        if not partitions:
            told = (job.fields or {}).get("partition")
            return f"asks for partition '{told}', which the site does not have"
        reasons = [_outside(job, one) for one in partitions]
        return None if None in reasons else reasons[0]

    def _since(self, job: Job) -> float:
        told = (job.fields or {}).get("eligible_time") if self.site.eligible else None
        return float(told) if isinstance(told, int | float) else job.submit_time

    def _limited(self, job: Job, keys: dict[str, str], waiting: _Waiting, now: float) -> str | None:
        """Note the counters of a job, or say which limit it can never keep."""
        for place, limit in enumerate(self.site.limits):
            stops = is_for(limit.only, keys)
            if not stops and limit.counts == "the same":
                continue
            amount = amount_of(limit, job)
            above = limit.above or self.site.above
            if limit.keys == ("job",):
                begin, end = self._periods[place]
                if amount > (limit.most or 0.0) and begin <= now < end and above != "alone":
                    return _never(self._rules[place], above)
                continue
            counter = self._counter(place, limit, tuple(keys[key] for key in limit.keys))
            if counter is None or not amount:
                continue
            waiting.counting.append((counter, amount))
            if not stops:
                continue
            if limit.of == "submitted":
                if counter.stops(amount, now):
                    return f"is above the site's limit of {self._rules[place]}"
                continue
            always = counter.begin <= now and counter.end == NEVER
            if amount > counter.most and always and above != "alone":
                return _never(self._rules[place], above)
            waiting.stopping.append((counter, amount))
        counter = self._throttle(job)
        if counter is not None:
            waiting.stopping.append((counter, 1.0))
            waiting.counting.append((counter, 1.0))
        return None

    def _counter(self, place: int, limit: Limit, key: tuple[str, ...]) -> Counter | None:
        known = self._counters
        if (place, key) not in known:
            most = limit.by.get(":".join(key), limit.most)
            begin, end = self._periods[place]
            kinds = {"processor_minutes": MinutesLeft, "submitted": _Submitted}
            known[place, key] = (
                None
                if most is None
                else kinds.get(limit.of, Counter)(
                    self._rules[place], most, begin=begin, end=end,
                    alone=(limit.above or self.site.above) == "alone",
                )
            )  # fmt: skip
        return known[place, key]

    def _throttle(self, job: Job) -> Counter | None:
        fields = job.fields or {}
        array, most = fields.get("array"), fields.get("array_limit")
        if array is None or not isinstance(most, int) or most < 1:
            return None
        if array not in self._arrays:
            self._arrays[array] = Counter(
                "tasks of its array at once", most, begin=-NEVER, end=NEVER, alone=False
            )
        return self._arrays[array]

    def look(self, now: float) -> None:
        """Move on to a date in seconds; called before `stopped`, at each pass."""
        for window in self._windows:
            window.look(now)
        while self._held and self._held[0] <= now:
            heappop(self._held)

    def stopped(self, job: Job, now: float) -> str | None:
        """Say which rule stops a waiting job now; ``None``, if none does."""
        waiting = self._waiting[job.number]
        if waiting.since > now:
            return HELD
        for begin, end, partitions in self._freezes:
            if begin <= now < end and (not partitions or waiting.partition in partitions):
                return FROZEN
        for window in waiting.windows:
            if window.stops(job, now):
                return window.rule
        for counter, amount in waiting.stopping:
            if counter.stops(amount, now):
                return counter.rule
        return None

    def took(self, job: Job, now: float) -> None:
        """Count a job for which room is taken."""
        for counter, amount in self._waiting[job.number].counting:
            if not isinstance(counter, _Submitted):
                counter.take(job, amount, now)

    def gave_back(self, job: Job) -> None:
        """Count a job no longer that has ended, or does not start after all."""
        for counter, _ in self._waiting[job.number].counting:
            if not isinstance(counter, _Submitted):
                counter.give_back(job)

    def ended(self, job: Job) -> None:
        """Forget a job that is over, or refused elsewhere; its room has been given back."""
        waiting = self._waiting.pop(job.number, None)
        for counter, _ in waiting.counting if waiting else ():
            if isinstance(counter, _Submitted):
                counter.give_back(job)

    def next_change(self, jobs: Iterable[Job], now: float) -> float:
        """Return the next date at which a rule may let one of the stopped jobs start by itself."""
        dates = [self._held[0]] if self._held else []
        dates += [end for begin, end, _ in self._freezes if begin <= now < end]
        for job in jobs:
            waiting = self._waiting[job.number]
            dates += [window.next for window in waiting.windows]
            dates += [
                counter.next_change(amount, now)
                for counter, amount in waiting.stopping
                if counter.stops(amount, now)
            ]
        return min((date for date in dates if date > now), default=NEVER)


class _Submitted(Counter):
    """Jobs that are submitted and not over; above it one is refused."""


def _outside(job: Job, partition: Partition) -> str | None:
    """Say why a partition does not take a job."""
    where = f"partition '{partition.name}'"
    limits = (
        ("nodes", nodes_of(job), partition.max_nodes),
        ("processors", job.processors, partition.max_processors),
        ("s", job.walltime, partition.max_walltime),
    )
    for what, asked, most in limits:
        if most is not None and asked is not None and asked > most:
            return f"asks for {asked:g} {what}; {where} has jobs of at most {most:g}"
    accounts = texts(partition.accounts)
    project = job.submission.project
    if accounts and project not in accounts:
        return f"is of account '{project or ''}', which may not use {where}"
    return None


def _never(rule: str, above: str) -> str:
    if above == "rejected":
        return f"is alone above the site's limit of {rule}"
    return f"would wait for ever: it is alone above the site's limit of {rule}"


def limit_in_words(limit: Limit) -> str:
    """Return a limit in words.

    Examples
    --------
    >>> limit_in_words(Limit(of="jobs", per=("user", "queue"), most=10.0))
    '10 jobs per user and queue'
    """
    what = (limit.licence or limit.of).replace("_", " ")
    most = "some" if limit.most is None else f"{limit.most:g}"
    whose = " and ".join(limit.keys)
    those = " ".join(f"of {name} {'/'.join(texts(names))}" for name, names in limit.only.items())
    return " ".join(filter(None, (most, what, those, f"per {whose}" if whose else "")))
