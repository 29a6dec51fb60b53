"""A check: a quantity on a log, and the relation to a bound that a paper claims of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pred_aware.statistics import Difference
from reproductions.checks.claim import FAILS, HOLDS, NO, OPEN, UNTRIED, YES, Found

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a quantity on a log."""

    words: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    """The ends of its interval; both are the value where it is counted."""
    runs: int = 0
    """How many shakes, splits or jobs it is from."""
    freedom: float = math.inf
    """The degrees of freedom of its interval."""
    ratio_less: float | None = None
    """Where the interval is that of a ratio's logarithm: what is taken off the ratio here."""
    counted: bool = False
    """Whether there is no interval, since the log is all that the claim is about."""
    than: float = 0.0
    """Where counted: the figure that it is compared with."""
    verdict: str = ""
    """Where no relation can be judged, or the quantity itself has done it."""
    p_value: float | None = None
    """That of its own verdict, then."""

    def p_against(self, bound: float) -> float | None:
        """Return the probability of a value as far from a bound, if it were the bound.

        It is below 0.05 where the 95 % interval leaves the bound out: the end on the bound's side
        says how far a standard error reaches. ``None`` where nothing of it is chance.
        """
        if self.counted or self.value is None or self.low is None or self.high is None:
            return None
        # scipy.stats takes a second to import
        from scipy.special import ndtr, ndtri, stdtr, stdtrit

        value, low, high, bound = (
            self._on_its_scale(one) for one in (self.value, self.low, self.high, bound)
        )
        off = value - bound
        reach = value - low if off > 0.0 else high - value
        if math.isinf(value) or reach <= 0.0:
            # all repetitions say the same
            return 1.0 if off == 0.0 else 0.0
        if math.isinf(self.freedom):
            return float(2.0 * ndtr(-abs(off) / reach * ndtri(_TAIL)))
        scale = stdtrit(self.freedom, _TAIL)
        return float(2.0 * stdtr(self.freedom, -abs(off) / reach * scale))

    def _on_its_scale(self, value: float) -> float:
        if self.ratio_less is None:
            return value
        ratio = value + self.ratio_less
        return math.log(ratio) if ratio > 0.0 else -math.inf

    def found(self, log: str, verdict: str) -> Found:
        """Return it with a verdict; what is counted has no interval."""
        ends = (None, None) if self.counted else (self.low, self.high)
        return Found(log, self.words, verdict, self.value, *ends, self.runs, p_value=self.p_value)


_TAIL = 0.975
"""Of the distribution, below the upper end of a 95 % interval."""


def untried(words: str) -> Estimate:
    """Return what is known where a quantity cannot be had, and why."""
    return Estimate(words, verdict=UNTRIED)


def counted(words: str, value: float, *, than: float = 0.0, runs: int = 0) -> Estimate:
    """Return what is known of a figure that is counted."""
    return Estimate(words, value, value, value, runs, counted=True, than=than)


def from_difference(words: str, found: Difference) -> Estimate:
    """Return what is known of a relative difference over shakes."""
    if not found.shakes:
        return untried(f"{words}: was not simulated")
    shown = "no figure"
    if found.value is not None:
        ends = ends_in_words(found.low, found.high, signed=True)
        shakes = "1 shake" if found.shakes == 1 else f"{found.shakes:,} shakes"
        shown = f"{100 * found.value:+.1f} %{ends}, {shakes}"
    return Estimate(
        f"{words}: {shown}",
        found.value,
        found.low,
        found.high,
        found.shakes,
        found.shakes - 1.0,
    )


def ends_in_words(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """Say where the interval of a share ends, in percent.

    Examples
    --------
    >>> ends_in_words(-0.1, 0.25, signed=True)
    ' [-10.0, +25.0]'
    """
    if low is None or high is None:
        return ", no interval"
    sign = "+" if signed else ""
    return f" [{100.0 * low:{sign}.1f}, {100.0 * high:{sign}.1f}]"


class Quantity(Protocol):
    """What a paper's claim is about, such as a policy's difference from another."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log, which is at hand."""
        ...


class Relation(Protocol):
    """What a paper claims of a quantity."""

    def verdict(self, of: Estimate) -> str:
        """Say whether it holds."""
        ...

    def p_value(self, of: Estimate) -> float | None:
        """Return the probability of as much if the quantity were at the bound."""
        ...


def _p_value(of: Estimate, low: float, high: float) -> float | None:
    """Return that of the nearer of two bounds, either of which may be infinite."""
    values = [of.p_against(bound) for bound in (low, high) if math.isfinite(bound)]
    known = [value for value in values if value is not None]
    return max(known) if known else None


@dataclass(frozen=True, slots=True)
class Between:
    """The quantity lies between two ends.

    It holds if the whole interval does, and does not if the whole interval lies outside. That is
    `pred_aware.statistics.significant_sign` of a family of one, for the trial of a claim is a
    question of its own, and with another bound than 0 where the claim has one.
    """

    low: float = -math.inf
    high: float = math.inf

    def verdict(self, of: Estimate) -> str:
        """Say whether it holds."""
        if of.low is None or of.high is None:
            return OPEN
        low, high = of.low - of.than, of.high - of.than
        if self.low < low and high < self.high:
            return HOLDS
        return FAILS if of.counted or low > self.high or high < self.low else OPEN

    def p_value(self, of: Estimate) -> float | None:
        """Return that of the nearer end."""
        return _p_value(of, self.low, self.high)


@dataclass(frozen=True, slots=True)
class About:
    """The quantity is about 0, or about what it is compared with: `within` a share of that."""

    within: float = 0.05

    def verdict(self, of: Estimate) -> str:
        """Say whether it holds."""
        if of.low is None or of.high is None:
            return OPEN
        low, high = of.low - of.than, of.high - of.than
        within = self.within * (abs(of.than) if of.counted and of.than else 1.0)
        if -within <= low and high <= within:
            return HOLDS
        return FAILS if low > within or high < -within else OPEN

    def p_value(self, of: Estimate) -> float | None:
        """Return that of the nearer end."""
        return _p_value(of, -self.within, self.within)


@dataclass(frozen=True, slots=True)
class Equal:
    """The quantity, which is counted, is so much to the nearest whole number."""

    number: float

    def verdict(self, of: Estimate) -> str:
        """Say whether it holds."""
        return HOLDS if of.value is not None and round(of.value) == self.number else FAILS

    def p_value(self, _: Estimate) -> float | None:
        """Return none: it is counted."""
        return None


@dataclass(frozen=True, slots=True)
class Size:
    """A size that the paper tells, as the quantity's value: a figure, or a range of them."""

    low: float
    high: float | None = None
    """The other end; ``None`` for a figure."""
    points: bool = False
    """Whether it is a difference of shares, and not a share by which something is more or less."""

    def verdict(self, of: Estimate) -> str:
        """Say whether it is of that size.

        It is if the whole interval lies within a quarter of it, is not if the interval leaves it
        out, and else cannot be told. A decrease is measured as the increase that undoes it: by 95 %
        less and 20 times are one size, whichever of the two is named first.
        """
        if of.low is None or of.high is None:
            return OPEN
        told = self.low, self.low if self.high is None else self.high
        ends = sorted(map(self._undone, told))
        low, high = (self._undone(end - of.than) for end in (of.low, of.high))
        least, most = (ends[0] - _QUARTER * abs(ends[0]), ends[1] + _QUARTER * abs(ends[1]))
        if least <= low and high <= most:
            return YES
        return NO if of.counted or low > ends[1] or high < ends[0] else OPEN

    def _undone(self, change: float) -> float:
        """Return a decrease as the increase that undoes it, below 0; all else as it is."""
        if self.points or change >= 0.0:
            return change
        return change / (1.0 + change) if change > -1.0 else -math.inf


_QUARTER = 0.25
"""Of a paper's figure, by which ours may be off and still be of its size."""


def below(bound: float) -> Between:
    """Return the relation of what is less than a bound.

    Examples
    --------
    >>> of = Estimate("", -0.2, -0.3, -0.1)
    >>> below(0.0).verdict(of), below(-0.2).verdict(of), above(0.0).verdict(of)
    ('holds', "cannot be told", 'does not hold')
    """
    return Between(high=bound)


def above(bound: float) -> Between:
    """Return the relation of what is more than a bound."""
    return Between(low=bound)


NO_LOG = ""
"""Stands for the log where none is needed."""
LESS = below(0.0)
"""What is claimed of differences, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A check: on a log a quantity stands in a relation to a bound."""

    quantity: Quantity
    relation: Relation = LESS
    log: str = NO_LOG
    """Its short name; empty also before `on` has put it there."""
    size: Size | None = None
    """The paper's, where it tells one."""
    source: str = ""
    """What it is made on; empty where the log tells."""
    true_by_construction: bool = False
    """Whether it cannot come out otherwise."""

    def look(self, evidence: "Evidence") -> Found:
        """Judge the claim by what was simulated, replayed or counted; its log is at hand."""
        of = self.quantity.estimate(self.log, evidence)
        verdict = of.verdict or self.relation.verdict(of)
        found = of.found(self.log, verdict)
        if verdict == UNTRIED or of.verdict:
            return found
        size = "" if self.size is None else _as_large(verdict, self.size.verdict(of))
        return replace(found, size=size, p_value=self.relation.p_value(of))


def _as_large(verdict: str, size: str) -> str:
    """Return the verdict on a size, which is none where it does not even hold."""
    if verdict == FAILS:
        return NO
    return OPEN if verdict == OPEN and size == YES else size


def on(logs: Sequence[str], *stated: Statement | Quantity) -> tuple[Statement, ...]:
    """Return statements on each of several logs; a quantity alone is to be less than 0."""
    statements = [one if isinstance(one, Statement) else Statement(one) for one in stated]
    return tuple(replace(one, log=log) for log in logs for one in statements)
