"""How claims about paper 001's day are tried."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.statistics import mean_interval, paired_difference
from reproductions.checks.checks import found_of
from reproductions.checks.claim import FAILS, HOLDS, OPEN, Found, decided
from reproductions.day import WAITS, DayRun

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reproductions.evidence import Evidence

    Floats = NDArray[np.float64]

DAY = "Marconi100"
_TEN_MINUTES, _HOUR = 600.0, 3600.0
_SAME = 0.01
"""Seconds that the paper lets a wait grow by and still calls it the same."""

SHARES: Mapping[str, Callable[["Floats", "Floats"], "NDArray[np.bool_]"]] = MappingProxyType(
    {
        "wait no longer": lambda base, mine: mine <= base + _SAME,
        "wait 10 min less": lambda base, mine: base - mine >= _TEN_MINUTES,
        "wait 10 min more": lambda base, mine: mine - base >= _TEN_MINUTES,
        "wait 1 h less": lambda base, mine: base - mine >= _HOUR,
        "wait 1 h more": lambda base, mine: mine - base >= _HOUR,
        "wait beyond easy_bf's longest": lambda base, mine: mine > base.max(),
    }
)
"""Shares of the jobs by their waits under `easy_bf` and under shortest predicted first."""


@dataclass(frozen=True, slots=True)
class Digits:
    """batsched's `easy_bf` gives the paper's figures, to the last digit.

    Parameters
    ----------
    processors
        Of the machine.
    published
        The figures by name, as they stand in the paper; shares of `WAITS` in percent.
    """

    processors: int
    published: Mapping[str, str]
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        figures = evidence.day.run(self.processors, "easy_bf", delays="batsim").figures
        ours = {
            name: f"{100 * figures[name]:.2f}" if name in WAITS else f"{figures[name]:.6f}"
            for name in self.published
        }
        other = [
            f"{name} {ours[name]}" for name, text in self.published.items() if ours[name] != text
        ]
        said = "other: " + ", ".join(other) if other else f"all {len(self.published)} the same"
        return Found(self.log, said, FAILS if other else HOLDS, runs=1)


@dataclass(frozen=True, slots=True)
class OnTheDay:
    """Shortest predicted first has less of a figure than `easy_bf` on a machine.

    Parameters
    ----------
    processors
        Of the machine.
    figure
        One of `FIGURES` or `WAITS`.
    predictor
        Of the run times that it orders by.
    more
        Whether it has more of it instead.
    within
        Where it is to have about the same: what share of `easy_bf`'s it may be off by.
    """

    processors: int
    figure: str
    predictor: str
    more: bool = False
    within: float | None = None
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        found = paired_difference(
            [base.figures[self.figure] for base, _ in pairs],
            [mine.figures[self.figure] for _, mine in pairs],
        )
        low, high = found.low, found.high
        if low is None or high is None:
            verdict = OPEN
        elif self.within is not None:
            verdict = _inside(low, high, self.within)
        else:
            verdict = decided(-high, -low) if self.more else decided(low, high)
        words = f"{self.processors:,} processors, {self.predictor}"
        return found_of(self.log, words, verdict, found)


@dataclass(frozen=True, slots=True)
class DayShare:
    """A share of the jobs under shortest predicted first lies below or above a bound.

    Parameters
    ----------
    processors, predictor
        As for `OnTheDay`.
    share
        One of `SHARES`, or of the figures of a run.
    below, above
        One of the two.
    """

    processors: int
    share: str
    predictor: str
    below: float | None = None
    above: float | None = None
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        found = mean_interval([_share(self.share, base, mine) for base, mine in pairs])
        low, high = found.low, found.high
        if low is None or high is None or found.value is None:
            return Found(self.log, "no interval", OPEN)
        if self.below is not None:
            verdict = decided(low, high, below=self.below)
        else:
            assert self.above is not None
            verdict = decided(-high, -low, below=-self.above)
        ours = (
            f"{self.processors:,} processors, {self.predictor}: {100 * found.value:.1f} % "
            f"{self.share} [{100 * low:.1f}, {100 * high:.1f}], {found.shakes} shakes"
        )
        return Found(self.log, ours, verdict, found.value, low, high, found.shakes)


@dataclass(frozen=True, slots=True)
class DayShares:
    """Under shortest predicted first one share of the jobs is smaller than another.

    Parameters
    ----------
    processors, predictor
        As for `OnTheDay`.
    share, than
        Of `SHARES`.
    """

    processors: int
    share: str
    than: str
    predictor: str
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        mine, others = (
            [_share(name, base, other) for base, other in pairs] for name in (self.share, self.than)
        )
        found = paired_difference(others, mine)
        words = (
            f"{self.processors:,} processors, {self.predictor}: {self.share} against {self.than}"
        )
        return found_of(self.log, words, decided(found.low, found.high), found)


@dataclass(frozen=True, slots=True)
class DayCounts:
    """The day has as many jobs, profiles and jobs of the largest size as the paper says.

    Parameters
    ----------
    published
        Numbers by name, as `Day.counts` has them.
    """

    published: Mapping[str, int]
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        ours = {name: evidence.day.counts[name] for name in self.published}
        said = ", ".join(f"{name} {value:,.0f}" for name, value in ours.items())
        same = all(ours[name] == value for name, value in self.published.items())
        return Found(self.log, f"{said}, counted", HOLDS if same else FAILS)


def _pairs(evidence: "Evidence", processors: int, predictor: str) -> list[tuple[DayRun, DayRun]]:
    """Return the day's shakes under `easy_bf` and under shortest predicted first."""
    day, given = evidence.day, {"predictor": predictor}
    return [
        (
            day.run(processors, "easy_bf", seed=seed),
            day.run(processors, "pred_aware", given, seed=seed),
        )
        for seed in range(1, evidence.shakes + 1)
    ]


def _share(name: str, base: DayRun, mine: DayRun) -> float:
    if name in mine.figures:
        return mine.figures[name]
    return float(SHARES[name](np.array(base.waits), np.array(mine.waits)).mean())


def _inside(low: float, high: float, within: float) -> str:
    if -within <= low and high <= within:
        return HOLDS
    return FAILS if low > within or high < -within else OPEN
