"""Counters of limits, one for each key."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from predictors.sums import in_turn
from schedulers.core.constants import NEVER, whole_times
from schedulers.core.job import Job

Had: TypeAlias = Callable[[Job, Any], int]
"""How many of something a job has in a place; ``None``: where it is."""


LITTLE = 1e-6
"""Minutes that rounding may be off."""


class Counter:
    """What the running jobs of one key have of something, and how much they may have at `most`.

    That holds from `begin` to `end`, the end excluded, in seconds; `rule` says it in words. With
    `alone` a job that alone is above it starts when its key has nothing running.
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
        """The waiting jobs that it may stop, each kind of them once, and what one asks for."""

    def stops(self, amount: float, now: float) -> bool:
        """Say whether a job that asks for so much may not start now, a date in seconds."""
        return self._is_above(self.used, amount, now)

    def _is_above(self, used: float, amount: float, now: float) -> bool:
        if used + amount <= self.most or not self.begin <= now < self.end:
            return False
        return not (self.alone and not self._taken)

    def stops_beside(
        self, amount: float, date: float, ends: Mapping[int, float], placed: float
    ) -> bool:
        """Say whether a job may not start at a date to come, in seconds.

        The running jobs are planned to end at `ends`, by their numbers, in seconds; others are
        planned to have what is `placed` then.
        """
        taken = self._taken.items()
        running = in_turn(had for number, had in taken if ends.get(number, NEVER) > date)
        return self._is_above(running + placed, amount, date)

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts now, a date in seconds."""
        self._taken[job.number] = amount
        self.used += amount

    def give_back(self, job: Job) -> None:
        """Count it no longer."""
        amount = self._taken.pop(job.number)
        # so that sums of memory end where they began
        self.used = self.used - amount if self._taken else 0.0


class MinutesLeft(Counter):
    """The processor minutes that the running jobs have left by their walltimes."""

    __slots__ = ("_rate", "_rates")

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        # `used` is what they would have had left at the date 0; it runs off by this each second
        self._rate = 0.0
        self._rates: dict[int, float] = {}

    def stops(self, amount: float, now: float) -> bool:
        """Say whether a job may not start; see `Counter`."""
        return self._is_above(max(0.0, self.used - self._rate * now), amount, now)

    def stops_beside(
        self, amount: float, date: float, ends: "Mapping[int, float]", placed: float
    ) -> bool:
        """Say whether a job may not start at a date to come; see `Counter`."""
        there = [number for number in self._taken if ends.get(number, NEVER) > date]
        left = in_turn(self._taken[number] - self._rates[number] * date for number in there)
        return self._is_above(max(0.0, left) + placed, amount, date)

    def enough_at(self, amount: float) -> float:
        """Return when enough has run off for a job that asks for so much, in seconds."""
        if amount > self.most or self._rate <= 0.0:
            return NEVER
        # a little later, so that rounding does not stop it once more
        return (self.used + amount - self.most) / self._rate + 1e-3

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        rate = job.processors / 60.0
        self._rates[job.number] = rate
        self._rate += rate
        Counter.take(self, job, amount + rate * now, now)

    def give_back(self, job: Job) -> None:
        """Count it no longer."""
        rate = self._rates.pop(job.number)
        self._rate = self._rate - rate if self._rates else 0.0
        Counter.give_back(self, job)


class MinutesInSteps(MinutesLeft):
    """The same, of which what has run off is taken off at each multiple of a period alone.

    So Slurm does it, when it computes priorities; between two of these dates a job that has started
    counts with its whole walltime. Whole minutes are compared. (From a recording of 22.05.8.)
    """

    __slots__ = ("_since", "_step", "period")

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        self.period = NEVER
        """In seconds."""
        # `used` is what is left since this date, of those that started before and behind it
        self._step = 0.0
        self._since: dict[int, float] = {}

    def _run_off(self, now: float) -> None:
        """Take off what has run off up to the last multiple of the period."""
        step = whole_times(self.period, now) * self.period
        if step > self._step:
            before = self._step
            self.used -= in_turn(
                self._rates[number] * (step - max(before, since))
                for number, since in self._since.items()
            )
            self._step = step

    def stops(self, amount: float, now: float) -> bool:
        """Say whether a job may not start; see `Counter`."""
        self._run_off(now)
        return self._is_above(max(0.0, float(math.floor(self.used + LITTLE))), amount, now)

    def enough_at(self, amount: float) -> float:
        """Return when enough has run off for a job that asks for so much, in seconds."""
        rate = self._rate
        if amount > self.most or rate <= 0.0 or self.period == NEVER:
            return NEVER
        behind = in_turn(
            self._rates[number] * (since - self._step)
            for number, since in self._since.items()
            if since > self._step
        )
        # less than a minute above it is not above it
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
        """Count it no longer."""
        since = self._since.pop(job.number)
        self._taken[job.number] -= self._rates[job.number] * max(0.0, self._step - since)
        MinutesLeft.give_back(self, job)


class AsHad(Counter):
    """What the running jobs have, nodes or GPUs, however many they asked for."""

    __slots__ = ("had",)

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        self.had: Had | None = None
        """``None``: as many as it asked for."""

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        Counter.take(self, job, amount if self.had is None else self.had(job, None), now)

    def stops_at(self, job: Job, placement: Any, now: float) -> bool:  # noqa: ANN401 - the machine's own
        """Say whether a job that gets a place may not start; see `Counter.stops`."""
        return self.had is not None and self.stops(self.had(job, placement), now)


ALWAYS = (-NEVER, NEVER)
"""The begin and the end of a limit without dates."""
