"""Quantities of replays: means of predictors over the weeks of a log, and figures over its jobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.prediction import TWENTIETHS
from pred_aware.statistics import by_weeks
from reproductions.checks.claim import OPEN
from reproductions.checks.statement import Estimate, counted, ends_in_words, untried

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class WeeklyMean:
    """A predictor's mean over the jobs of a log, with its interval over weeks."""

    predictor: str
    measure: str = "underestimated"
    """One of the weekly sums of a replay."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        weekly = evidence.replay(log, self.predictor).weekly[self.measure]
        found = by_weeks(weekly.counts, weekly.sums)
        low, high = (None if end is None else end + 1.0 for end in (found.low, found.high))
        words = f"{self.predictor}: {100 * weekly.mean:.1f} %{ends_in_words(low, high)}"
        jobs = int(sum(weekly.counts))
        return Estimate(words, weekly.mean, low, high, jobs, found.shakes - 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class WeeklyDifference:
    """By which share a predictor's mean is larger than another's, or than that of walltimes."""

    predictor: str
    than: str
    """``walltime`` for the users' own."""
    measure: str = "deviation_ratio"

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        weekly = evidence.replay(log, self.predictor).weekly
        one, other = weekly[self.measure], weekly.get(f"walltime_{self.measure}")
        if self.than != "walltime":
            other = evidence.replay(log, self.than).weekly[self.measure]
        if other is None:
            return untried("the log has no walltimes")
        if len(one.sums) != len(other.sums) or not other.mean:
            return Estimate("the log has walltimes in some weeks only", verdict=OPEN)
        found = by_weeks(other.sums, one.sums)
        value = one.mean / other.mean - 1.0
        words = (
            f"{self.predictor} against {self.than}: {100 * value:+.1f} %"
            f"{ends_in_words(found.low, found.high, signed=True)}"
        )
        jobs = int(sum(one.counts))
        return Estimate(words, value, found.low, found.high, jobs, found.shakes - 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class ReplayFigure:
    """A figure over all jobs of a replay; it cannot be known better than by counting."""

    predictor: str
    name: str
    unit: str = "%"
    """What it is shown in: ``%``, ``h``, ``min`` or nothing."""

    def value(self, log: str, evidence: "Evidence") -> float | None:
        """Return it; ``None`` where the log cannot tell."""
        return evidence.replay(log, self.predictor).figures.get(self.name)

    def told(self, value: float) -> str:
        """Say it beside another."""
        factor = 100.0 if self.unit == "%" else 1 / 3600
        return f"{self.predictor} {self.name} {factor * value:.3g} {self.unit}"

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        value = self.value(log, evidence)
        if value is None:
            return untried("the log cannot tell")
        shown = {"%": f"{100 * value:.1f} %", "min": f"{value / 60:.0f} min"}.get(self.unit)
        return counted(f"{self.predictor}: {shown or f'{value:.3g}'}{_COUNTED}", value)


_COUNTED = ", counted over all jobs"


@dataclass(frozen=True, slots=True)
class Against:
    """A figure beside another, or a part of it, that it is compared with; both are counted."""

    one: ReplayFigure
    other: ReplayFigure
    times: float = 1.0
    """The part of the other."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of them on a log."""
        mine, than = (figure.value(log, evidence) for figure in (self.one, self.other))
        if mine is None or than is None:
            return untried("no such jobs")
        part = "" if self.times == 1.0 else f"{self.times:g} times "
        words = f"{self.one.told(mine)} and {part}{self.other.told(than)}{_COUNTED}"
        return counted(words, mine, than=self.times * than)


@dataclass(frozen=True, slots=True)
class Errors:
    """The quartiles of a predictor's errors: the median, and the others as its ends."""

    predictor: str
    name: str
    """One of the spreads of a replay."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        quartiles = evidence.replay(log, self.predictor).spreads.get(self.name)
        if not quartiles:
            return untried("no such jobs")
        low, median, high = quartiles
        return Estimate(f"{self.predictor} {self.name}", median, low, high)


@dataclass(frozen=True, slots=True)
class UsersGain:
    """By how many seconds a predictor errs by less than a user's walltimes, at a share of users."""

    predictor: str
    share: float
    """One of `TWENTIETHS`, from those who lose most to those who gain most."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        gains = evidence.replay(log, self.predictor).spreads.get("users")
        if not gains:
            return untried("no user has walltimes")
        return counted(f"{self.predictor}: users' gains", gains[TWENTIETHS.index(self.share)])
