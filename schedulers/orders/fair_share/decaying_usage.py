"""Usage that decays in steps."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

LN2 = 0.693
"""Slurm's value of ln 2."""
MANY_STEPS = 10_000
"""More steps than this without a start or end (in Slurm, 35 days) are computed by a formula."""


class DecayingUsage:
    """The usage of users by index, as Slurm counts it at each ``PriorityCalcPeriod``.

    A step is a multiple of the period. At each step, all usage is multiplied by 1 - 0.693/half-life
    for each second since the previous step. Each running job adds its usage since the previous
    step, with the same decay. When a job ends, its usage since the last step is added only if
    Slurm enforces limits of associations (`counts_rests`). Otherwise Slurm loses this usage. A step
    comes before all other events of its date.

    `half_life` and `period` are in seconds. With a half-life of 0, usage never decays. `span`
    returns the number of the day, week, month or year that contains a date. When this number
    changes, all usage is reset.
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
        """The fraction of usage that is left after a second."""
        self.period = period
        self.counts_rests = counts_rests
        self._span = span
        self.whole = self.second**period
        """The fraction of usage that is left after a period."""
        self.current = np.zeros(64)
        """The usage at the last step, plus the usage since then of jobs that have ended."""
        self.rates = np.zeros(64)
        """The usage per second of the jobs that ran at the last step."""
        self.at_step = self.current.copy()
        """The usage at the last step. The array may be longer than the number of users."""
        self.before_step = self.current.copy()
        """The usage just before the last step, which made it decay and grow."""
        # the usage that running jobs add in a step; ``None`` after a change of `rates`
        self._added: NDArray[np.float64] | None = None
        self._running: dict[str, tuple[int, float, float]] = {}
        self._new: dict[str, None] = {}
        self._jobs_of: dict[int, int] = {}
        self._steps: int | None = None

    @property
    def last_step(self) -> float:
        """The date of the last step, in seconds; minus infinity before the first."""
        return -math.inf if self._steps is None else self._steps * self.period

    def advance(self, now: float) -> bool:
        """Compute the steps up to `now`; return whether there were any."""
        steps = math.floor(now / self.period)
        if self._steps is None:
            self._steps = steps
            return True
        if steps <= self._steps:
            return False
        if not self._jobs_of:
            # no job has run yet
            self._steps = steps
            return True
        idle = steps - self._steps - 1
        if idle > MANY_STEPS:
            if self._new:
                # the next step adds the jobs that have started since the last step
                self._step()
                idle -= 1
            self._decay(idle)
        while self._steps < steps - 1:
            self._step()
        # callers see only the state after the last of these steps
        self.before_step = self.current.copy()
        if self._crosses(self.last_step):
            self.before_step[:] = 0.0
        self._step()
        self.at_step = self.current.copy()
        return True

    def _crosses(self, last: float) -> bool:
        """Say whether the step after a date (in seconds) resets the usage."""
        return self._span is not None and self._span(last + self.period) != self._span(last)

    def _decay(self, steps: int) -> None:
        """Compute many steps with one formula. No job may start or end between these steps."""
        assert self._steps is not None
        if self._span is not None:
            before = self._steps_before_span_of(self._steps + steps)
            if before >= self._steps:
                self.current[:] = 0.0
                steps -= before - self._steps
                self._steps = before
        self._steps += steps
        left = self.whole**steps
        self.current *= left
        # the sum of a geometric series
        added = steps if self.whole == 1.0 else self.whole * (1.0 - left) / (1.0 - self.whole)
        self.current += self.rates * (self.period * added)

    def _steps_before_span_of(self, last: int) -> int:
        """Return the last step before the day, week, month or year of a later step."""
        assert self._steps is not None
        assert self._span is not None
        span = self._span(last * self.period)
        # binary search: the step is in [before, after)
        before, after = self._steps - 1, last
        while after - before > 1:
            middle = (before + after) // 2
            if self._span(middle * self.period) == span:
                after = middle
            else:
                before = middle
        return before

    def started(self, job: str, place: int, rate: float, now: float) -> None:
        """Add a job that starts, with its usage per second."""
        self.advance(now)
        if place >= len(self.current):
            self._grow(place)
        self._running[job] = place, rate, now
        self._new[job] = None
        self._jobs_of[place] = self._jobs_of.get(place, 0) + 1

    def ended(self, job: str, now: float) -> None:
        """Remove a job that has ended."""
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
            # set the rate to exactly 0, because fractional rates leave a rounding error
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
