"""How claims about paper 001's prediction experiments are tried."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reproductions.checks.claim import FAILS, HOLDS, UNCHECKED, Found

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

_IN_MINUTES = frozenset({"mae", "over_mean", "under_mean"})


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
        One of `reproductions.experiments.MEASURES`.
    than
        Another of them, where it is not the same of the other.
    within
        Where both are to be about the same: what share of the other's it may be off by.
    """

    log: str
    one: tuple[str, str]
    other: tuple[str, str]
    measure: str = "mae"
    than: str = ""
    within: float | None = None

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine, others = (evidence.experiments(self.log).get(key) for key in (self.one, self.other))
        if mine is None or others is None:
            return Found(self.log, "the log has not the fields for it", UNCHECKED)
        value, than = mine[self.measure], others[self.than or self.measure]
        if value is None or than is None:
            return Found(self.log, "the log can't tell", UNCHECKED)
        unit, factor = (" min", 60.0) if self.measure in _IN_MINUTES else ("", 1.0)
        said = ", ".join(
            f"{' '.join((*name, measure))} {number / factor:.3g}{unit}"
            for name, measure, number in (
                (self.one, self.measure, value),
                (self.other, self.than or self.measure, than),
            )
        )
        held = value < than
        if self.within is not None:
            held = abs(value - than) <= self.within * abs(than)
        verdict = HOLDS if held else FAILS
        return Found(self.log, f"{said}, one split", verdict, value)


@dataclass(frozen=True, slots=True)
class Level:
    """A share that an experiment measures lies above or below a bound.

    Parameters
    ----------
    log
        The log.
    one
        Experiment and model.
    measure
        As for `Experiment`.
    above, below
        One of the two.
    """

    log: str
    one: tuple[str, str]
    measure: str
    above: float | None = None
    below: float | None = None

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine = evidence.experiments(self.log).get(self.one)
        value = None if mine is None else mine[self.measure]
        if value is None:
            return Found(self.log, "the log has not the fields for it", UNCHECKED)
        said = f"{' '.join((*self.one, self.measure))} {100.0 * value:.1f} %, one split"
        held = value < self.below if self.below is not None else value > (self.above or 0.0)
        return Found(self.log, said, HOLDS if held else FAILS, value)
