"""Kinds of jobs with equal requests: whether they can ever start, and which rules may stop them."""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from types import MappingProxyType

import msgspec

from schedulers.core.job import Job
from schedulers.core.machine import NEVER
from schedulers.site.books import Books, Counted
from schedulers.site.counters import Counter, EqualJobs
from schedulers.site.requests import (
    ANYWHERE,
    PartitionChoice,
    PartitionFinder,
    keys_of,
    names_of_keys,
)
from schedulers.site.site import Date, Site, texts
from schedulers.site.windows import OpenWindow, can_ever_start


class Kind(msgspec.Struct):
    """The rules that apply to submitted jobs with equal requests."""

    refusal: str | None
    """The reason why the jobs can never start, or ``None``."""
    group: EqualJobs | None = None
    submitted: tuple[tuple[Counter, bool], ...] = ()
    """The counters that count a job from submission to end, and whether each can reject it."""
    last: float = NEVER
    """The date in seconds from which on a job can never start. The reason is `why`."""
    why: str = ""
    placed: PartitionChoice = ANYWHERE
    """The partitions that accept the jobs, with their default walltime and memory."""


class Kinds:
    """Finds the rules that apply to a job, once for all jobs with equal requests.

    Jobs that the same rules stop share one `EqualJobs`.
    """

    def __init__(
        self,
        site: Site,
        books: Books,
        windows: Sequence[OpenWindow],
        seconds: Callable[[Date], float],
    ) -> None:
        self._site = site
        self._books = books
        self._windows = windows
        self._names = names_of_keys(site)
        self.places = PartitionFinder(site)
        self._ends = {one.name: seconds(one.end) for one in site.reservations}
        # begin and partitions of the freezes without an end
        self._frozen = [
            (seconds(one.begin), texts(one.partitions))
            for one in site.freezes
            if seconds(one.end) == NEVER
        ]
        self._known: dict[tuple[object, ...], Kind] = {}
        taking = ("partition", "queue", "project", "node", "qos") if site.partitions else ()
        self.fields = tuple(sorted({*_fields_of_rules(site, self._names), *taking}))
        """The job fields that distinguish kinds, in addition to the processors."""
        bounded = any(one.max_walltime for one in site.partitions)
        self.by_walltime = bounded or bool(windows) or books.by_walltime
        """True if the walltime also distinguishes kinds."""
        self._arrays = site.arrays
        self._open: dict[tuple[object, ...], tuple[OpenWindow, ...] | None] = {}
        self.group: dict[object, EqualJobs] = {}
        """The groups of jobs that the same rules stop, by these rules."""

    def of(self, job: Job, now: float) -> Kind:
        """Return the kind of a job that is submitted now (in seconds).

        The job gets the partitions that accept it. If the job has no walltime or memory, it gets
        the default of the first of these partitions.
        """
        get = (job.fields or {}).get
        if self._arrays and get("array_limit") is not None:
            # a log may have very many arrays, so their kinds are not remembered
            return self._new(job, now)
        size_and_walltime = (job.processors, job.walltime if self.by_walltime else None)
        what = *size_and_walltime, *map(get, self.fields)
        try:
            known = self._known.get(what)
        except TypeError:
            # a field of the workload holds a list or another unhashable value
            return self._new(job, now)
        if known is None:
            known = self._known[what] = self._new(job, now)
            return known
        if known.last <= now:
            return Kind(known.why)
        _settle(job, known.placed)
        return known

    def _new(self, job: Job, now: float) -> Kind:
        placed = self.places.of(job)
        if placed.refusal is not None:
            return Kind(placed.refusal)
        _settle(job, placed)
        keys = keys_of(job, self._names)
        counted = self._books.counters_of(job, keys)
        where = keys["partition"] if self._site.partitions and self._site.freezes else ""
        last, why = self._last_of(job, counted, where)
        if last <= now:
            return Kind(why)
        stopping, counting = counted.stopping, counted.counting
        windows: tuple[OpenWindow, ...] | None = ()
        if self._windows:
            of = job.walltime, *keys.values()
            if of not in self._open:
                there = tuple(window for window in self._windows if window.is_for(job, keys))
                may_start = not there or can_ever_start(job, there, now)
                self._open[of] = there if may_start else None
            windows = self._open[of]
        if windows is None:
            return Kind("would wait for ever: its walltime fits in no start window")
        by_clock = any(window.by_clock for window in windows)
        what = stopping, counting, windows, where, job.walltime if by_clock else None
        group = self.group.get(what)
        if group is None:
            group = self.group[what] = EqualJobs(stopping, counting, windows, where)
        return Kind(None, group, counted.submitted, last, why, placed)

    def _last_of(self, job: Job, counted: Counted, partition: str) -> tuple[float, str]:
        """Return the date from which on a job can never start, and the reason."""
        last, why = counted.last, counted.why
        for begin, partitions in self._frozen:
            if begin < last and (not partitions or partition in partitions):
                last, why = begin, "would wait for ever: a freeze of the site does not end"
        name = (job.fields or {}).get("reservation") if self._ends else None
        if name is not None and (end := self._ends.get(str(name), NEVER)) < last:
            waits = self._site.impossible == "waits"
            last, why = end, f"asks for reservation '{name}', which is over"
            why = f"would wait for ever: it {why}" if waits else why
        return last, why


_AMOUNTS = MappingProxyType(
    {
        "memory": ("mem", "memory_per_node", "node"),
        "nodes": ("node",),
        "gpus": ("gpu", "gpus_per_node", "gpu_type", "node", "exclusive"),
        "licences": ("licences",),
    }
)
"""The job fields that determine how much of a limited resource a job has."""


def _settle(job: Job, placed: PartitionChoice) -> None:
    """Give a job its partitions, and the default walltime and memory if it requests none."""
    if job.walltime == NEVER and placed.walltime is not None:
        job.walltime = placed.walltime
    job.partitions = placed.names
    fields = job.fields or {}
    if placed.memory is None or any(fields.get(name) is not None for name in _MEMORY):
        return
    name, amount = placed.memory
    job.fields = {**fields, name: amount * job.processors if name == "mem" else amount}


_MEMORY = ("mem", "memory_per_node")


def _fields_of_rules(site: Site, names: Sequence[tuple[str, str]]) -> set[str]:
    """Return the job fields that the rules use, under Batsim's names and our names."""
    rules = [({*limit.only, *limit.exempt}, limit.keys) for limit in site.limits]
    rules += [({*window.only}, ()) for window in site.windows]
    looked_at = any("partition" in named or "partition" in keys for named, keys in rules)
    fields = {one for pair in names if looked_at or pair[0] != "partition" for one in pair}
    if any(one.default_memory or one.default_memory_per_node for one in site.partitions):
        fields |= {*_MEMORY}
    if site.reservations:
        fields.add("reservation")
    for limit in site.limits:
        fields |= {*_AMOUNTS.get(limit.of, ())}
    return fields


class LastDates:
    """The dates from which on jobs can never start, such as the end of a reservation."""

    def __init__(self) -> None:
        self._dates: list[tuple[float, int, Job]] = []
        self._why: dict[int, str] = {}

    @property
    def first(self) -> float:
        """The first of the dates, in seconds, or `NEVER`."""
        return self._dates[0][0] if self._dates else NEVER

    def add(self, job: Job, date: float, why: str) -> None:
        """Record the date (in seconds) from which a job can never start, and the reason."""
        heappush(self._dates, (date, job.number, job))
        self._why[job.number] = why

    def forget(self, job: Job) -> None:
        """Forget a job that has ended or was rejected."""
        self._why.pop(job.number, None)

    def reached(self, now: float) -> list[tuple[Job, str]]:
        """Return and forget the waiting jobs that can never start from now on, with the reason."""
        found = []
        while self._dates and self._dates[0][0] <= now:
            _, number, job = heappop(self._dates)
            why = self._why.pop(number, None)
            if why is not None and job.started < 0.0:
                found.append((job, why))
        return found
