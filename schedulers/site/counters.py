"""Counters of limits, one for each key."""

from typing import TYPE_CHECKING, Any

from schedulers.job import Job
from schedulers.machine.machine import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Counter:
    """What the running jobs of one key have of something, and how much they may have.

    Parameters
    ----------
    rule
        What stops a job, in words.
    most
        How much they may have.
    begin, end
        When that holds, the end excluded, in seconds.
    alone
        Whether a job that alone is above it starts when its key has nothing running.
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
        self, amount: float, date: float, ends: "Mapping[int, float]", placed: float
    ) -> bool:
        """Say whether a job may not start at a date to come, in seconds.

        Parameters
        ----------
        amount
            What it asks for.
        date
            In seconds.
        ends
            When the running jobs are planned to end, by number, in seconds.
        placed
            What others are planned to have then.
        """
        taken = self._taken.items()
        running = sum(had for number, had in taken if ends.get(number, NEVER) > date)
        return self._is_above(running + placed, amount, date)

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts now, a date in seconds."""
        del now
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
        super().take(job, amount + rate * now, now)

    def give_back(self, job: Job) -> None:
        """Count it no longer."""
        rate = self._rates.pop(job.number)
        self._rate = self._rate - rate if self._rates else 0.0
        super().give_back(job)


class AsHad(Counter):
    """What the running jobs have, nodes or GPUs, however many they asked for."""

    __slots__ = ("had",)

    def __init__(self, rule: str, most: float, *, begin: float, end: float, alone: bool) -> None:
        super().__init__(rule, most, begin=begin, end=end, alone=alone)
        self.had: Callable[[Job], int] | None = None
        """How many a job has for which room is taken; ``None``: as many as it asked for."""

    def take(self, job: Job, amount: float, now: float) -> None:
        """Count a job that starts; see `Counter`."""
        super().take(job, amount if self.had is None else self.had(job), now)


ALWAYS = (-NEVER, NEVER)
"""The begin and the end of a limit without dates."""
