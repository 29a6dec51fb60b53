"""Usage that decays, in steps: what running jobs used since the last one, and what is left."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

LN2 = 0.693
"""As Slurm has it."""
MANY_STEPS = 10_000
"""More steps than this (35 days of Slurm's) without a start or an end are made at once."""


class DecayingUsage:
    """Usage of users by their places, as Slurm counts it each ``PriorityCalcPeriod``.

    At each multiple of the period all usage decays by 1 - 0.693/half-life for each second since the
    step before, and each running job adds what it used since then, decayed by as much. A job that
    has ended adds the rest at its end, where the limits of associations are enforced; else Slurm
    forgets that. A step is before all else of its date.

    Parameters
    ----------
    half_life
        In seconds; 0: usage never decays.
    period
        Between two steps, in seconds.
    counts_rests
        Whether what a job used since the last step counts at its end.
    span
        What a date is in, by a number; in another one than before all usage is forgotten.
    """

    def __init__(
        self,
        *,
        half_life: float,
        period: float,
        counts_rests: bool = True,
        span: Callable[[float], int] | None = None,
    ) -> None:
        import numpy as np

        self.second = max(0.0, 1.0 - LN2 / half_life) if half_life else 1.0
        """What is left of usage after a second."""
        self.period = period
        self.counts_rests = counts_rests
        self._span = span
        self.whole = self.second**period
        """And after a period."""
        self.current = np.zeros(64)
        """The usage as of the last step, with the rests of jobs that have ended since."""
        self.rates = np.zeros(64)
        """What those that ran at the last step use in each second."""
        self.at_step = self.current.copy()
        """The usage as of the last step, of at least as many places as there are."""
        self.before_step = self.current.copy()
        """The same, before it decayed and was added to."""
        # what they add in a step, until that changes
        self._added: NDArray[np.float64] | None = None
        self._running: dict[str, tuple[int, float, float]] = {}
        self._new: dict[str, None] = {}
        self._jobs_of: dict[int, int] = {}
        self._steps: int | None = None

    @property
    def last_step(self) -> float:
        """The date of the last step, in seconds; before all dates without one."""
        return -math.inf if self._steps is None else self._steps * self.period

    def advance(self, now: float) -> bool:
        """Make the steps up to a date; say whether there was one."""
        steps = math.floor(now / self.period)
        if self._steps is None:
            self._steps = steps
            return True
        if steps <= self._steps:
            return False
        idle = steps - self._steps - 1
        if idle > MANY_STEPS and not self._new and (self._span is None or not self._running):
            self._decay(idle)
        while self._steps < steps - 1:
            self._step()
        # of those at once, nobody looks at any but the last
        self.before_step = self.current.copy()
        if self._crosses(self.last_step):
            self.before_step[:] = 0.0
        self._step()
        self.at_step = self.current.copy()
        return True

    def _crosses(self, last: float) -> bool:
        """Say whether usage is forgotten at the step after a date, in seconds."""
        return self._span is not None and self._span(last + self.period) != self._span(last)

    def _decay(self, steps: int) -> None:
        """Make many steps at once in which no job starts or ends."""
        assert self._steps is not None
        last = self.last_step
        self._steps += steps
        left = self.whole**steps
        self.current *= left
        # the sum of a geometric series
        added = steps if self.whole == 1.0 else self.whole * (1.0 - left) / (1.0 - self.whole)
        self.current += self.rates * (self.period * added)
        if self._span is not None and self._span(self.last_step) != self._span(last):
            self.current[:] = 0.0

    def started(self, job: str, place: int, rate: float, now: float) -> None:
        """Count a job that starts, with what it uses in each second."""
        self.advance(now)
        if place >= len(self.current):
            self._grow(place)
        self._running[job] = place, rate, now
        self._new[job] = None
        self._jobs_of[place] = self._jobs_of.get(place, 0) + 1

    def ended(self, job: str, now: float) -> None:
        """Count a job that has ended no more."""
        self.advance(now)
        place, rate, started = self._running.pop(job)
        if self.counts_rests:
            self.current[place] += self._used(rate, now - max(started, self.last_step))
        if job in self._new:
            del self._new[job]
        else:
            self.rates[place] -= rate
            self._added = None
        self._jobs_of[place] -= 1
        if not self._jobs_of[place]:
            # of rates that are no whole numbers something is left
            self.rates[place] = 0.0
            self._added = None

    def _used(self, rate: float, seconds: float) -> float:
        return float(rate * seconds * self.second**seconds)

    def _step(self) -> None:
        assert self._steps is not None
        usage, rates, last = self.current, self.rates, self.last_step
        if self._crosses(last):
            usage[:] = 0.0
        usage *= self.whole
        if self._added is None:
            self._added = rates * (self.period * self.whole)
        usage += self._added
        self._steps += 1
        for job in self._new:
            place, rate, started = self._running[job]
            usage[place] += self._used(rate, self.last_step - max(started, last))
            rates[place] += rate
        if self._new:
            self._new.clear()
            self._added = None

    def _grow(self, place: int) -> None:
        import numpy as np

        for name in ("current", "rates", "at_step", "before_step"):
            old: NDArray[np.float64] = getattr(self, name)
            new = np.zeros(2 * (place + 1))
            new[: len(old)] = old
            setattr(self, name, new)
        self._added = None
