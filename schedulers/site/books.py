"""The books of a site's limits: a counter for each key of each, made when it is needed."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from schedulers.job import Job
from schedulers.machine.machine import NEVER
from schedulers.site.counters import Counter, MinutesLeft
from schedulers.site.in_words import limit_in_words
from schedulers.site.requests import amount_of, is_for
from schedulers.site.site import Date, Limit, Site

Counters: TypeAlias = tuple[tuple[Counter, float], ...]
"""Counters, each with how much a job asks for of what it counts."""


class NeverStarts(Exception):  # noqa: N818 - no error: an answer
    """A job that a limit can never let start; says why."""


class Books:
    """The counters of a site's limits.

    Parameters
    ----------
    site
        The limits.
    seconds
        Brings dates into seconds of the workload.
    """

    def __init__(self, site: Site, seconds: Callable[[Date], float]) -> None:
        self._site = site
        self.periods = [
            (
                -NEVER if limit.begin is None else seconds(limit.begin),
                NEVER if limit.end is None else seconds(limit.end),
            )
            for limit in site.limits
        ]
        """When each limit holds, the end excluded, in seconds."""
        self._rules = [limit_in_words(limit) for limit in site.limits]
        self._counters: dict[tuple[int, tuple[str, ...]], Counter | None] = {}
        # by the keys of a job: the limits that are for it, or count it
        self._for: dict[tuple[str, ...], list[tuple[int, Limit, Counter | None, bool]]] = {}
        self._arrays: dict[str, Counter] = {}
        self.may_run_off = any(limit.of == "processor_minutes" for limit in site.limits)
        """Whether some of them count what becomes less though nothing ends."""

    def counters_of(
        self, job: Job, keys: Mapping[str, str]
    ) -> tuple[Counters, Counters, tuple[tuple[Counter, bool], ...]]:
        """Return the counters that may stop a job, that count it, and those of submitted jobs.

        With the last, whether each refuses such a job.

        Raises
        ------
        NeverStarts
            It is by itself above a limit that holds for ever.
        """
        stopping: list[tuple[Counter, float]] = []
        counting: list[tuple[Counter, float]] = []
        submitted: list[tuple[Counter, bool]] = []
        for place, limit, counter, stops in self._limits_for(keys):
            amount = amount_of(limit, job)
            if counter is None:
                self._check_alone(place, limit.most or 0.0, amount)
                lone = self._counter(place, limit, ())
                if lone is not None and self.periods[place][1] < NEVER:
                    # it counts nobody, and stops whoever is above it while it holds
                    stopping.append((lone, amount))
            elif limit.of == "submitted":
                submitted.append((counter, stops))
            elif amount:
                counting.append((counter, amount))
                if stops:
                    self._check_alone(place, counter.most, amount)
                    stopping.append((counter, amount))
        throttle = self._throttle(job)
        if throttle is not None:
            stopping.append((throttle, 1.0))
            counting.append((throttle, 1.0))
        return tuple(stopping), tuple(counting), tuple(submitted)

    def _limits_for(self, keys: Mapping[str, str]) -> list[tuple[int, Limit, Counter | None, bool]]:
        """Return the limits for jobs of some keys, with their counters; none of single jobs."""
        values = tuple(keys.values())
        found = self._for.get(values)
        if found is None:
            found = self._for[values] = []
            for place, limit in enumerate(self._site.limits):
                stops = is_for(limit.only, keys)
                if limit.keys == ("job",):
                    if stops:
                        found.append((place, limit, None, stops))
                elif stops or limit.counts == "all":
                    counter = self._counter(place, limit, tuple(keys[key] for key in limit.keys))
                    if counter is not None:
                        found.append((place, limit, counter, stops))
        return found

    def _check_alone(self, place: int, most: float, amount: float) -> None:
        """Say that a job is by itself above a limit that does not end."""
        above = self._site.limits[place].above or self._site.above
        if amount <= most or above == "alone" or self.periods[place][1] < NEVER:
            return
        rule = self._rules[place]
        if above == "rejected":
            raise NeverStarts(f"is alone above the site's limit of {rule}")
        raise NeverStarts(f"would wait for ever: it is alone above the site's limit of {rule}")

    def _counter(self, place: int, limit: Limit, key: tuple[str, ...]) -> Counter | None:
        if (place, key) not in self._counters:
            most = limit.by.get(":".join(key), limit.most)
            kind = MinutesLeft if limit.of == "processor_minutes" else Counter
            begin, end = self.periods[place]
            alone = (limit.above or self._site.above) == "alone"
            self._counters[place, key] = (
                None
                if most is None
                else kind(self._rules[place], most, begin=begin, end=end, alone=alone)
            )
        return self._counters[place, key]

    def _throttle(self, job: Job) -> Counter | None:
        """Return what counts the tasks of a job's array, if only some may run at once."""
        fields = job.fields or {}
        array, most = fields.get("array"), fields.get("array_limit")
        if array is None or not self._site.arrays or not isinstance(most, int) or most < 1:
            return None
        if array not in self._arrays:
            self._arrays[array] = Counter(
                f"{most} tasks of its array", most, begin=-NEVER, end=NEVER, alone=False
            )
        return self._arrays[array]
