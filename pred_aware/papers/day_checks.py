"""How claims about paper 001's day, and its predictions, are tried."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.papers.checks import found_of
from pred_aware.papers.claim import FAILS, HOLDS, UNCHECKED, Found, decided
from pred_aware.statistics import paired_difference

if TYPE_CHECKING:
    from pred_aware.papers.evidence import Evidence

DAY = "Marconi100"


@dataclass(frozen=True, slots=True)
class Digits:
    """batsched's `easy_bf` gives the paper's figures, to the last digit.

    Parameters
    ----------
    processors
        Of the machine.
    published
        The figures by name, as they stand in the paper.
    """

    processors: int
    published: Mapping[str, str]
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        ours = evidence.day.figures(self.processors, "easy_bf", delays="batsim")
        other = [
            f"{name} {ours[name]:.6f}"
            for name, text in self.published.items()
            if f"{ours[name]:.6f}" != text
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
        One of `FIGURES`, or ``short_waits``.
    predictor
        Of the run times that it orders by.
    more
        Whether it has more of it instead.
    """

    processors: int
    figure: str
    predictor: str
    more: bool = False
    log: str = DAY

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        seeds = range(1, evidence.shakes + 1)
        base = [evidence.day.figures(self.processors, "easy_bf", seed=seed) for seed in seeds]
        given = {"predictor": self.predictor}
        mine = [
            evidence.day.figures(self.processors, "pred_aware", given, seed=seed) for seed in seeds
        ]
        found = paired_difference(
            [one[self.figure] for one in base], [one[self.figure] for one in mine]
        )
        low, high = found.low, found.high
        if self.more and low is not None and high is not None:
            low, high = -high, -low
        words = f"{self.processors:,} processors, {self.predictor}"
        return found_of(self.log, words, decided(low, high), found)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One of paper 001's prediction experiments has less of a measure than another.

    Parameters
    ----------
    log
        The log.
    one, other
        Experiment and model of both, such as ``("best_users", "decision_tree")``.
    measure
        ``mae``, ``r2``, ``over`` or ``effective``.
    """

    log: str
    one: tuple[str, str]
    other: tuple[str, str]
    measure: str = "mae"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine, others = (evidence.experiments(self.log).get(key) for key in (self.one, self.other))
        if mine is None or others is None:
            return Found(self.log, "the log has not the fields for it", UNCHECKED)
        value, than = mine[self.measure], others[self.measure]
        if value is None or than is None:
            return Found(self.log, "the log can't tell", UNCHECKED)
        unit, factor = (" min", 60.0) if self.measure == "mae" else ("", 1.0)
        said = ", ".join(
            f"{' '.join(name)} {number / factor:.3g}{unit}"
            for name, number in ((self.one, value), (self.other, than))
        )
        verdict = HOLDS if value < than else FAILS
        return Found(self.log, f"{said}, one split", verdict, value)


@dataclass(frozen=True, slots=True)
class Level:
    """A measure of an experiment lies above a bound.

    Parameters
    ----------
    log
        The log.
    one
        Experiment and model.
    measure
        As for `Experiment`.
    above
        The bound.
    """

    log: str
    one: tuple[str, str]
    measure: str
    above: float

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine = evidence.experiments(self.log).get(self.one)
        value = None if mine is None else mine[self.measure]
        if value is None:
            return Found(self.log, "the log has not the fields for it", UNCHECKED)
        said = f"{' '.join(self.one)} {100.0 * value:.1f} %, one split"
        return Found(self.log, said, HOLDS if value > self.above else FAILS, value)
