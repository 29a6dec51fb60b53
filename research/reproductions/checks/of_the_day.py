"""Quantities of paper 001's day: shortest predicted first beside `easy_bf`, theirs and ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.statistics import mean_interval, paired_difference
from reproductions.checks.claim import FAILS, HOLDS, OPEN
from reproductions.checks.statement import Estimate, counted, from_difference
from reproductions.day import WAITS, DayRun

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reproductions.evidence import Evidence

    Floats = NDArray[np.float64]

DAY = "Marconi100"
PUBLISHED = "published"
"""In place of a predictor: the authors' own runs, by their published outputs."""
_TEN_MINUTES, _HOUR = 600.0, 3600.0
_SAME = 0.01
"""Seconds that the paper lets a wait grow by and still calls it the same."""

SHARES: Mapping[str, Callable[["Floats", "Floats"], "NDArray[np.bool_]"]] = MappingProxyType(
    {
        "wait no longer": lambda baseline, mine: mine <= baseline + _SAME,
        "wait 10 min less": lambda baseline, mine: baseline - mine >= _TEN_MINUTES,
        "wait 10 min more": lambda baseline, mine: mine - baseline >= _TEN_MINUTES,
        "wait 1 h less": lambda baseline, mine: baseline - mine >= _HOUR,
        "wait 1 h more": lambda baseline, mine: mine - baseline >= _HOUR,
        "wait beyond easy_bf's longest": lambda baseline, mine: mine > baseline.max(),
    }
)
"""Shares of the jobs by their waits under `easy_bf` and under shortest predicted first."""


@dataclass(frozen=True, slots=True)
class DayDifference:
    """By which share it has more of a figure than `easy_bf` on a machine."""

    processors: int
    figure: str
    """One of `FIGURES` or `WAITS`."""
    predictor: str
    """Of the run times that it orders by, or `PUBLISHED`."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        return _difference(
            _told(self.processors, self.predictor),
            [baseline.figures[self.figure] for baseline, _ in pairs],
            [mine.figures[self.figure] for _, mine in pairs],
        )


@dataclass(frozen=True, slots=True)
class DayShare:
    """A share of the jobs under it."""

    processors: int
    share: str
    """One of `SHARES`, or of the figures of a run."""
    predictor: str

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        found = mean_interval([_share(self.share, baseline, mine) for baseline, mine in pairs])
        low, high, told = found.low, found.high, _told(self.processors, self.predictor)
        if found.value is None:
            return Estimate("no interval", verdict=OPEN)
        words = f"{told}: {100 * found.value:.2f} % {self.share}"
        if low is None or high is None:
            return counted(f"{words}, counted", found.value, runs=1)
        words += f" [{100 * low:.1f}, {100 * high:.1f}], {found.shakes} shakes"
        return Estimate(words, found.value, low, high, found.shakes, found.shakes - 1.0)


@dataclass(frozen=True, slots=True)
class DayShares:
    """By which share one share of the jobs under it is larger than another."""

    processors: int
    share: str
    than: str
    """Both of `SHARES`."""
    predictor: str

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it."""
        pairs = _pairs(evidence, self.processors, self.predictor)
        mine, others = (
            [_share(name, baseline, other) for baseline, other in pairs]
            for name in (self.share, self.than)
        )
        words = f"{_told(self.processors, self.predictor)}: {self.share} against {self.than}"
        return _difference(words, others, mine)


@dataclass(frozen=True, slots=True)
class Digits:
    """A run's figures, which are to be those of the paper's tables to the last digit."""

    processors: int
    figures: Mapping[str, str]
    """By name, as they stand in the paper; shares of `WAITS` in percent."""
    scheduler: str = "easy_bf"
    published: bool = False
    """Whether the run is the authors', by its published output, and not ours of the same inputs."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return which of them are other, judged."""
        day = evidence.day
        run = (
            day.published(self.processors, self.scheduler)
            if self.published
            else day.run(self.processors, self.scheduler, delays="batsim")
        )
        ours = {
            name: f"{100 * run.figures[name]:.2f}" if name in WAITS else f"{run.figures[name]:.6f}"
            for name in self.figures
        }
        other = [
            f"{name} {ours[name]}" for name, text in self.figures.items() if ours[name] != text
        ]
        words = "other: " + ", ".join(other) if other else f"all {len(self.figures)} the same"
        whose = "published output" if self.published else "simulated again"
        told = f"{self.scheduler}, {whose}: {words}"
        return Estimate(told, runs=1, verdict=FAILS if other else HOLDS)


@dataclass(frozen=True, slots=True)
class DayCounts:
    """How many jobs, profiles and jobs of the largest size there are, which are to be so many."""

    counts: Mapping[str, int]
    """By name, as `Day.counts` has them."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return them, judged."""
        ours = {name: evidence.day.counts[name] for name in self.counts}
        said = ", ".join(f"{name} {value:,.0f}" for name, value in ours.items())
        same = all(ours[name] == value for name, value in self.counts.items())
        return Estimate(f"published output: {said}, counted", verdict=HOLDS if same else FAILS)


def _told(processors: int, predictor: str) -> str:
    whose = "published output" if predictor == PUBLISHED else predictor
    return f"{processors:,} processors, {whose}"


def _pairs(evidence: "Evidence", processors: int, predictor: str) -> list[tuple[DayRun, DayRun]]:
    """Return runs under `easy_bf` and shortest predicted first: the day's shakes, or theirs."""
    day, given = evidence.day, {"predictor": predictor}
    if predictor == PUBLISHED:
        return [(day.published(processors, "easy_bf"), day.published(processors, "pred_aware"))]
    return [
        (
            day.run(processors, "easy_bf", seed=seed),
            day.run(processors, "pred_aware", given, seed=seed),
        )
        for seed in range(1, evidence.shakes + 1)
    ]


def _difference(words: str, baseline: list[float], mine: list[float]) -> Estimate:
    """Return a relative difference over shakes; of the authors' one run it is counted."""
    found = paired_difference(baseline, mine)
    if found.shakes == 1 and found.value is not None:
        return counted(f"{words}: {100 * found.value:+.2f} %, counted", found.value, runs=1)
    return from_difference(words, found)


def _share(name: str, baseline: DayRun, mine: DayRun) -> float:
    if name in mine.figures:
        return mine.figures[name]
    return float(SHARES[name](np.array(baseline.waits), np.array(mine.waits)).mean())
