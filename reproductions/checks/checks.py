"""How claims are tried: each kind says when one holds, and when it does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from pred_aware.metrics import MEASURES
from pred_aware.report import counted
from pred_aware.statistics import Difference, by_weeks, in_view
from reproductions.checks.claim import FAILS, HOLDS, OPEN, UNCHECKED, Found, decided

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Less:
    """A policy has less of a measure than another.

    It holds if the 95 % interval of the difference over shakes lies below 0 as a whole, and does
    not if it lies above.

    Parameters
    ----------
    log, policy, than, measure
        Their names.
    by
        The share of the other's mean that it is to be less by; the interval is held against it.
    """

    log: str
    policy: str
    than: str
    measure: str = "mean_waiting_time"
    by: float = 0.0

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        found = evidence.simulated.difference(self.log, self.policy, self.than, self.measure)
        words = in_words(self.policy, self.than, self.measure)
        verdict = decided(found.low, found.high, below=-self.by)
        return found_of(self.log, words, verdict, found)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two policies have about the same of a measure.

    It holds if the interval of the difference lies within `within` on both sides of 0, and does not
    if it lies outside as a whole.

    Parameters
    ----------
    log, policy, than, measure
        Their names.
    within
        A share of the other's mean.
    """

    log: str
    policy: str
    than: str
    measure: str = "mean_waiting_time"
    within: float = 0.05

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        found = evidence.simulated.difference(self.log, self.policy, self.than, self.measure)
        verdict = OPEN
        if found.low is not None and found.high is not None:
            if -self.within <= found.low and found.high <= self.within:
                verdict = HOLDS
            elif found.low > self.within or found.high < -self.within:
                verdict = FAILS
        return found_of(self.log, in_words(self.policy, self.than, self.measure), verdict, found)


@dataclass(frozen=True, slots=True)
class Least:
    """A policy has the least of a measure among several.

    It holds if it is surely less than each of them, and does not if one is surely less than it:
    with all of these differences in view.

    Parameters
    ----------
    log, policy, among, measure
        Their names; `among` without the policy itself.
    most
        Whether it is to have the most of it instead.
    """

    log: str
    policy: str
    among: tuple[str, ...]
    measure: str = "mean_waiting_time"
    most: bool = False

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        sign = -1 if self.most else 1
        found = [
            evidence.simulated.difference(self.log, self.policy, other, self.measure)
            for other in self.among
        ]
        known = [
            (sign * one.value, other, one)
            for other, one in zip(self.among, found, strict=True)
            if one.value is not None
        ]
        if not known:
            return Found(self.log, f"{self.policy}: was not simulated", UNCHECKED)
        worst = max(sign * one for one in in_view(found))
        verdict = {-1: HOLDS, 0: OPEN, 1: FAILS}[worst]
        _, other, nearest = max(known, key=itemgetter(0))
        return found_of(self.log, in_words(self.policy, other, self.measure), verdict, nearest)


@dataclass(frozen=True, slots=True)
class Share:
    """A predictor's mean over jobs lies below or above a bound.

    It holds if the interval over weeks lies on that side, and does not if it lies on the other.

    Parameters
    ----------
    log, predictor
        Their names.
    below, above
        One of the two.
    measure
        One of the weekly means of a replay.
    """

    log: str
    predictor: str
    below: float | None = None
    above: float | None = None
    measure: str = "underestimated"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        weekly = evidence.replay(self.log, self.predictor).weekly[self.measure]
        found = by_weeks(weekly.counts, weekly.sums)
        low, high = (None if end is None else end + 1.0 for end in (found.low, found.high))
        value = weekly.mean
        if self.below is not None:
            verdict = decided(low, high, below=self.below)
        else:
            assert self.above is not None
            ends = (None, None) if low is None or high is None else (-high, -low)
            verdict = decided(*ends, below=-self.above)
        jobs = int(sum(weekly.counts))
        ours = f"{self.predictor}: {100 * value:.1f} %{ends_in_words(low, high, percent=True)}"
        return Found(self.log, ours, verdict, value, low, high, jobs)


@dataclass(frozen=True, slots=True)
class Nearer:
    """A predictor has a smaller mean than another, or than the walltimes themselves.

    It holds if the interval over weeks of the relative difference lies below 0.

    Parameters
    ----------
    log, predictor, than, measure
        Their names; `than` is ``walltime`` for the users' own.
    """

    log: str
    predictor: str
    than: str
    measure: str = "deviation_ratio"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        one = evidence.replay(self.log, self.predictor).weekly[self.measure]
        if self.than == "walltime":
            key = f"walltime_{self.measure}"
            other = evidence.replay(self.log, self.predictor).weekly.get(key)
        else:
            other = evidence.replay(self.log, self.than).weekly[self.measure]
        if other is None:
            return Found(self.log, "the log has no walltimes", UNCHECKED)
        if len(one.sums) != len(other.sums) or not other.mean:
            return Found(self.log, "the log has walltimes in some weeks only", OPEN)
        found = by_weeks(other.sums, one.sums)
        low, high, value = found.low, found.high, one.mean / other.mean - 1.0
        ours = (
            f"{self.predictor} against {self.than}: {100 * value:+.1f} %"
            f"{ends_in_words(low, high, percent=True, signed=True)}"
        )
        jobs = int(sum(one.counts))
        return Found(self.log, ours, decided(low, high), value, low, high, jobs)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over all jobs of a replay lies below or above a bound; it has no interval.

    A single figure of a log can't be known better than by counting; so it is told, and the claim
    holds of this log if the figure lies on its side.

    Parameters
    ----------
    log, predictor, name
        Their names.
    below, above
        One of the two.
    unit
        What it is divided by and shown in: ``%``, ``min`` or nothing.
    """

    log: str
    predictor: str
    name: str
    below: float | None = None
    above: float | None = None
    unit: str = "%"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        value = evidence.replay(self.log, self.predictor).figures.get(self.name)
        if value is None:
            return Found(self.log, "the log can't tell", UNCHECKED)
        held = value < self.below if self.below is not None else value > (self.above or 0.0)
        shown = {"%": f"{100 * value:.1f} %", "min": f"{value / 60:.0f} min"}.get(self.unit)
        ours = f"{self.predictor}: {shown or f'{value:.3g}'}, counted over all jobs"
        return Found(self.log, ours, HOLDS if held else FAILS, value)


def on(
    logs: Sequence[str], *checks: "Less | Alike | Least | Share | Nearer | Figure"
) -> tuple["Less | Alike | Least | Share | Nearer | Figure", ...]:
    """Return the checks on each of several logs.

    Examples
    --------
    >>> [one.log for one in on(("KTH", "Gaia"), Less("", "easy_plus_plus", "easy"))]
    ['KTH', 'Gaia']
    """
    from dataclasses import replace

    return tuple(replace(check, log=log) for log in logs for check in checks)


def in_words(policy: str, than: str, measure: str) -> str:
    """Say what is compared.

    Examples
    --------
    >>> in_words("S010", "WFP", "mean_waiting_time")
    'S010 against WFP, mean waiting time'
    """
    return f"{policy} against {than}, {MEASURES[measure].label}"


def found_of(log: str, words: str, verdict: str, found: Difference) -> Found:
    """Return what was found of a difference: in words, and its numbers."""
    if not found.shakes:
        return Found(log, f"{words}: was not simulated", UNCHECKED)
    ours = f"{words}: {_change(found)}"
    return Found(log, ours, verdict, found.value, found.low, found.high, found.shakes)


def _change(found: Difference) -> str:
    if found.value is None:
        return "no figure"
    ends = ends_in_words(found.low, found.high, percent=True, signed=True)
    return f"{100 * found.value:+.1f} %{ends}, {counted(found.shakes, 'shake')}"


def ends_in_words(
    low: float | None, high: float | None, *, percent: bool = False, signed: bool = False
) -> str:
    """Say where an interval ends.

    Examples
    --------
    >>> ends_in_words(-0.1, 0.25, percent=True, signed=True)
    ' [-10.0, +25.0]'
    """
    if low is None or high is None:
        return ", no interval"
    factor, sign = (100.0 if percent else 1.0), ("+" if signed else "")
    return f" [{factor * low:{sign}.1f}, {factor * high:{sign}.1f}]"
