"""The counters of a site's limits.

A limit has one counter for each of its keys, such as each user. Counters are made when needed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from schedulers.core.job import Job
from schedulers.core.machine import NEVER
from schedulers.site.counters import ALWAYS, Counter, Had, MinutesInSteps, MinutesLeft, UsedCounter
from schedulers.site.in_words import limit_in_words
from schedulers.site.requests import amount_of, fewest_gpus, is_exempt, is_for
from schedulers.site.site import Date, Limit, Site

Counters: TypeAlias = tuple[tuple[Counter, float], ...]
"""Counters, each with the amount that a job requests of the counted resource."""


_KINDS: Mapping[str, type[Counter]] = MappingProxyType(
    {"processor_minutes": MinutesLeft, "nodes": UsedCounter, "gpus": UsedCounter}
)


class Counted(msgspec.Struct):
    """The counters of a site's limits that apply to a job."""

    stopping: Counters = ()
    """The counters that may stop the job."""
    counting: Counters = ()
    """The counters that count the job while it runs."""
    submitted: tuple[tuple[Counter, bool], ...] = ()
    """The counters that count the job from submission to end, and whether each can reject it."""
    last: float = NEVER
    """The date in seconds from which on the job can never start.

    From this date on, the job exceeds by itself a limit that does not end.
    """
    why: str = ""
    """The reason why the job can never start."""


class Books:
    """The counters of a site's limits; `seconds` converts a date to seconds of the workload."""

    def __init__(self, site: Site, seconds: Callable[[Date], float]) -> None:
        self._site = site
        self.periods = [
            (
                -NEVER if limit.begin is None else seconds(limit.begin),
                NEVER if limit.end is None else seconds(limit.end),
            )
            for limit in site.limits
        ]
        """Begin (included) and end (excluded) of each limit, in seconds."""
        self._rules = [limit_in_words(limit) for limit in site.limits]
        self._counters: dict[tuple[int, tuple[str, ...]], Counter | None] = {}
        self._for: dict[tuple[str, ...], list[tuple[int, Limit, Counter | None, bool]]] = {}
        self._arrays: dict[str, Counter] = {}
        self.had: Mapping[str, Had] = {}
        """Functions that return how many nodes or GPUs a job has; empty if there are no nodes."""
        self._on_node = max((one.processors for one in site.nodes), default=0)
        self.may_run_off = any(limit.of == "processor_minutes" for limit in site.limits)
        """True if a limit counts processor minutes, which fall while jobs run."""
        self.by_walltime = self.may_run_off or any(limit.of == "walltime" for limit in site.limits)
        """True if a limit depends on the walltimes of jobs."""

    def counters_of(self, job: Job, keys: Mapping[str, str]) -> Counted:
        """Return the counters that apply to a job with these keys."""
        alone = Counted()
        whole = (job.fields or {}).get("exclusive") is True
        stopping: list[tuple[Counter, float]] = []
        counting: list[tuple[Counter, float]] = []
        submitted: list[tuple[Counter, bool]] = []
        for place, limit, counter, stops in self._limits_for(keys):
            amount = amount_of(limit, job, on_node=self._on_node)
            if whole and self._counts_whole_nodes(limit):
                amount = max(amount, fewest_gpus(job, self._site.nodes))
            if counter is None:
                self._look_alone(place, limit.most or 0.0, amount, alone)
                lone = self._counter(place, limit, ())
                if lone is not None and self.periods[place] != ALWAYS:
                    # a limit for single jobs stops larger jobs, but counts no jobs
                    stopping.append((lone, amount))
            elif limit.of == "submitted":
                submitted.append((counter, stops))
            elif amount or (whole and self._counts_whole_nodes(limit)):
                counting.append((counter, amount))
                if stops:
                    self._look_alone(place, counter.most, amount, alone)
                    stopping.append((counter, amount))
        throttle = self._throttle(job)
        if throttle is not None:
            stopping.append((throttle, 1.0))
            counting.append((throttle, 1.0))
        return Counted(tuple(stopping), tuple(counting), tuple(submitted), alone.last, alone.why)

    def _limits_for(self, keys: Mapping[str, str]) -> list[tuple[int, Limit, Counter | None, bool]]:
        """Return the limits of jobs with these keys: index, limit, counter, and if it stops jobs.

        A limit for single jobs has no counter.
        """
        values = tuple(keys.values())
        found = self._for.get(values)
        if found is None:
            found = self._for[values] = []
            for place, limit in enumerate(self._site.limits):
                counts = is_for(limit.only, keys)
                stops = counts and not is_exempt(limit.exempt, keys)
                if limit.keys == ("job",):
                    if stops:
                        found.append((place, limit, None, stops))
                elif counts or limit.counts == "all":
                    counter = self._counter(place, limit, tuple(keys[key] for key in limit.keys))
                    if counter is not None:
                        found.append((place, limit, counter, stops))
        return found

    def _look_alone(self, place: int, most: float, amount: float, alone: Counted) -> None:
        """Set the date from which on a job exceeds by itself a limit that does not end."""
        above = self._site.limits[place].above or self._site.above
        begin, end = self.periods[place]
        if amount <= most or above == "alone" or end < NEVER or begin >= alone.last:
            return
        why = f"exceeds by itself the site's limit of {self._rules[place]}"
        alone.last = begin
        alone.why = why if above == "rejected" else f"would wait for ever: it {why}"

    def _counter(self, place: int, limit: Limit, key: tuple[str, ...]) -> Counter | None:
        if (place, key) not in self._counters:
            most = limit.by.get(":".join(key), limit.most)
            kind = _KINDS.get(limit.of, Counter)
            slurm = self._site.slurm
            if kind is MinutesLeft and slurm is not None:
                kind = MinutesInSteps
            begin, end = self.periods[place]
            alone = (limit.above or self._site.above) == "alone"
            counter = None
            if most is not None:
                counter = kind(self._rules[place], most, begin=begin, end=end, alone=alone)
            if isinstance(counter, MinutesInSteps) and slurm and slurm.priority_type != "basic":
                counter.period = slurm.priority_calc_period
            if isinstance(counter, UsedCounter) and (
                limit.of == "nodes" or self._counts_whole_nodes(limit)
            ):
                counter.had = self.had.get(limit.of)
            self._counters[place, key] = counter
        return self._counters[place, key]

    def _counts_whole_nodes(self, limit: Limit) -> bool:
        """Return ``True`` if a limit counts all GPUs of a job's whole nodes, as Slurm does."""
        return self._site.slurm is not None and limit.of == "gpus" and "gpu_type" not in limit.only

    def _throttle(self, job: Job) -> Counter | None:
        """Return the counter of an array's running tasks; ``None`` if the array has no limit."""
        fields = job.fields or {}
        array, most = fields.get("array"), fields.get("array_limit")
        if array is None or not self._site.arrays or not isinstance(most, int) or most < 1:
            return None
        if array not in self._arrays:
            self._arrays[array] = Counter(
                f"{most} tasks of its array", most, begin=-NEVER, end=NEVER, alone=False
            )
        return self._arrays[array]
