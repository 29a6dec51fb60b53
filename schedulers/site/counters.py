"""Counters of limited resources, and groups of waiting jobs that the same rules stop."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from predictors.estimate import in_turn
from schedulers.core.constants import NEVER, whole_times
from schedulers.core.job import Job
from schedulers.site.windows import OpenWindow

Had: TypeAlias = Callable[[Job, Any], int]
"""Returns how many nodes or GPUs a job has with a placement; ``None``: its present placement."""


LITTLE = 1e-6
"""The largest rounding error of a sum of processor minutes."""


class Counter:
    """Counts how much of a resource the running jobs of one key (such as a user) have.

    `most` is the limit. It holds from `begin` (included) to `end` (excluded), in seconds. `rule`
    states the limit in words. If `alone` is set, a job that exceeds the limit by itself starts when
    no job of its key runs.
    """

    __slots__ = ("_taken", "alone", "begin", "end", "most", "rule", "used", "waiting")

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        self.rule = rule
        self.most = most
        self.used = 0.0
        self.begin = begin
        self.end = end
        self.alone = alone
        self._taken: dict[int, float] = {}
        self.waiting: dict[Any, float] = {}
        """The groups of waiting jobs that the limit may stop, and the amount for one job."""

    def stops(self, amount: float, now: float) -> bool:
        """Return True if a job that requests this amount may not start now (in seconds)."""
        return self._is_above(self.used, amount, now)

    def _is_above(self, used: float, amount: float, now: float) -> bool:
        if used + amount <= self.most or not self.begin <= now < self.end:
            return False
        return not (self.alone and not self._taken)

    def stops_later(
        self, amount: float, date: float, ends: Mapping[int, float], placed: float
    ) -> bool:
        """Return True if a job that requests this amount may not start at a later date.

        `ends` holds the planned end of each running job by its number. `placed` is the amount that
        waiting jobs with planned starts have at this date. Dates are in seconds.
        """
        taken = self._taken.items()
        running = in_turn(had for number, had in taken if ends.get(number, NEVER) > date)
        return self._is_above(running + placed, amount, date)

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts now (in seconds)."""
        self._taken[job.number] = amount
        self.used += amount

    def give_back(self, job: Job) -> None:
        """Stop counting a job."""
        amount = self._taken.pop(job.number)
        # if no job is left, set the sum to exactly 0, to remove rounding errors
        self.used = self.used - amount if self._taken else 0.0


class MinutesLeft(Counter):
    """Counts the processor minutes that running jobs have left until their walltimes."""

    __slots__ = ("_rate", "_rates")

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        # minutes left at date t: `used` - `_rate` x t
        self._rate = 0.0
        self._rates: dict[int, float] = {}

    def stops(self, amount: float, now: float) -> bool:
        """Return True if a job may not start now; see `Counter`."""
        return self._is_above(max(0.0, self.used - self._rate * now), amount, now)

    def stops_later(
        self, amount: float, date: float, ends: "Mapping[int, float]", placed: float
    ) -> bool:
        """Return True if a job may not start at a later date; see `Counter`."""
        there = [number for number in self._taken if ends.get(number, NEVER) > date]
        left = in_turn(self._taken[number] - self._rates[number] * date for number in there)
        return self._is_above(max(0.0, left) + placed, amount, date)

    def enough_at(self, amount: float) -> float:
        """Return the date in seconds from which on a job that requests this amount may start."""
        if amount > self.most or self._rate <= 0.0:
            return NEVER
        # 1 ms later, because a rounding error could stop the job at the exact date
        return (self.used + amount - self.most) / self._rate + 1e-3

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        rate = job.processors / 60.0
        self._rates[job.number] = rate
        self._rate += rate
        Counter.take(self, job, amount + rate * now, now)

    def give_back(self, job: Job) -> None:
        """Stop counting a job."""
        rate = self._rates.pop(job.number)
        self._rate = self._rate - rate if self._rates else 0.0
        Counter.give_back(self, job)


class MinutesInSteps(MinutesLeft):
    """Counts the processor minutes left, but updates them only at multiples of a period.

    Slurm updates the minutes when it computes priorities. Until the next update, a job that has
    just started counts with its whole walltime. Slurm compares whole minutes. A recording of Slurm
    22.05.8 shows these rules.
    """

    __slots__ = ("_since", "_step", "period")

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        self.period = NEVER
        """The time between two updates, in seconds."""
        # date of the last update
        self._step = 0.0
        self._since: dict[int, float] = {}

    def _run_off(self, now: float) -> None:
        """Subtract the minutes that jobs have used up to the last multiple of the period."""
        step = whole_times(self.period, now) * self.period
        if step > self._step:
            before = self._step
            self.used -= in_turn(
                self._rates[number] * (step - max(before, since))
                for number, since in self._since.items()
            )
            self._step = step

    def stops(self, amount: float, now: float) -> bool:
        """Return True if a job may not start now; see `Counter`."""
        self._run_off(now)
        return self._is_above(max(0.0, float(math.floor(self.used + LITTLE))), amount, now)

    def enough_at(self, amount: float) -> float:
        """Return the date in seconds from which on a job that requests this amount may start."""
        rate = self._rate
        if amount > self.most or rate <= 0.0 or self.period == NEVER:
            return NEVER
        behind = in_turn(
            self._rates[number] * (since - self._step)
            for number, since in self._since.items()
            if since > self._step
        )
        # Slurm compares whole minutes, so less than a minute above the limit is allowed
        over = self.used + behind + amount - self.most - 1.0 + LITTLE
        steps = max(1, math.ceil(over / rate / self.period))
        return self._step + steps * self.period

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        self._run_off(now)
        rate = self._rates[job.number] = job.processors / 60.0
        self._rate += rate
        self._since[job.number] = now
        Counter.take(self, job, amount, now)

    def give_back(self, job: Job) -> None:
        """Stop counting a job."""
        since = self._since.pop(job.number)
        self._taken[job.number] -= self._rates[job.number] * max(0.0, self._step - since)
        MinutesLeft.give_back(self, job)


class UsedCounter(Counter):
    """Counts the nodes or GPUs that running jobs have, which may be more than they requested."""

    __slots__ = ("had",)

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        self.had: Had | None = None
        """Returns how many nodes or GPUs a job has; ``None`` if jobs have the requested number."""

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        Counter.take(self, job, amount if self.had is None else self.had(job, None), now)

    def stops_at(self, job: Job, placement: Any, now: float) -> bool:  # noqa: ANN401 - the machine's own
        """Return ``True`` if a job may not start with this placement; see `Counter.stops`."""
        return self.had is not None and self.stops(self.had(job, placement), now)


ALWAYS = (-NEVER, NEVER)
"""Begin and end of a limit without dates."""


class EqualJobs:
    """A group of waiting jobs that all rules treat equally, and these rules.

    `stopping` holds the counters that may stop a job of the group. `counting` holds the counters
    that count a job of the group while it runs. Each counter comes with the amount that one job
    requests. `windows` are the start windows that apply. `partition` determines the freezes.
    """

    __slots__ = (
        "by_clock", "counting", "is_free", "jobs", "partition", "rule", "since", "stopping",
        "waited", "windows",
    )  # fmt: skip

    def __init__(
        self,
        stopping: tuple[tuple[Counter, float], ...],
        counting: tuple[tuple[Counter, float], ...],
        windows: tuple[OpenWindow, ...],
        partition: str,
    ) -> None:
        self.stopping = stopping
        self.counting = counting
        self.windows = windows
        self.partition = partition
        self.by_clock = any(window.by_clock for window in windows)
        """True if a window can begin or end to stop the jobs at any date."""
        self.is_free = not (stopping or counting or windows)
        """True if no limit and no window applies to the jobs."""
        self.jobs: dict[int, Job] = {}
        """The waiting jobs, by number."""
        self.rule: str | None = None
        """The rule that has stopped the jobs since the date `since`, or ``None``."""
        self.since = 0.0
        self.waited: dict[str, float] = {}
        """The seconds for which each rule stopped the jobs before `since`."""

    def stopped_by(self, rule: str | None, now: float) -> bool:
        """Set the rule that stops the jobs from now on; return ``True`` if it is another rule."""
        known = self.rule
        if rule == known:
            return False
        if known is not None:
            self.waited[known] = self.waited.get(known, 0.0) + now - self.since
        self.rule, self.since = rule, now
        return True

    def waits(self, now: float) -> dict[str, float]:
        """Return the seconds for which each rule has stopped the jobs up to now."""
        waited = dict(self.waited)
        if self.rule is not None:
            waited[self.rule] = waited.get(self.rule, 0.0) + now - self.since
        return waited
