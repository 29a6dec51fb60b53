"""Quantities that are counted: in a log, in one split of it, and of corrections themselves."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from predictors import Submission
from reproductions.checks.statement import Estimate, counted, unchecked
from schedulers.corrections import CORRECTIONS, Overrun

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

_IN_MINUTES = frozenset({"mae", "over_mean", "under_mean"})


@dataclass(frozen=True, slots=True)
class Count:
    """Something that is counted in a log: one of `COUNTS` or `OF_THE_LOG`."""

    name: str
    unit: str = "%"
    """What it is shown in: ``%``, ``h`` or nothing."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        value = evidence.counted(log).get(self.name)
        if value is None:
            return unchecked(evidence.missing(log) or "the log can't tell")
        shown = {"%": f"{100 * value:.1f} %", "h": f"{value / 3600:.1f} h"}.get(self.unit)
        plain = f"{value:,.0f}" if value == round(value) else f"{value:.3g}"
        return counted(f"{self.name}: {shown or plain}, counted", value)


@dataclass(frozen=True, slots=True)
class ExperimentFigure:
    """A measure of one of paper 001's prediction experiments, on one split of a log."""

    experiment: str
    model: str
    measure: str = "mae"
    """One of `reproductions.experiments.MEASURES`."""

    how = ", one split"
    between = ", "

    def value(self, log: str, evidence: "Evidence") -> float | None:
        """Return it; ``None`` where the log can't tell."""
        return evidence.experiments(log).get((self.experiment, self.model), {}).get(self.measure)

    def unknown(self, log: str, evidence: "Evidence") -> str:
        """Say why there is none."""
        made = (self.experiment, self.model) in evidence.experiments(log)
        return "the log can't tell" if made else "the log has not the fields for it"

    def told(self, value: float) -> str:
        """Say it beside another."""
        unit, factor = (" min", 60.0) if self.measure in _IN_MINUTES else ("", 1.0)
        return f"{self.experiment} {self.model} {self.measure} {value / factor:.3g}{unit}"

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it, a share, on a log."""
        value = self.value(log, evidence)
        if value is None:
            return unchecked("the log has not the fields for it")
        words = f"{self.experiment} {self.model} {self.measure} {100.0 * value:.1f} %{self.how}"
        return counted(words, value)


class Figure(Protocol):
    """A figure that is counted, and can be compared with another."""

    @property
    def how(self) -> str:
        """How it is counted, in words."""
        ...

    @property
    def between(self) -> str:
        """What stands between two of them."""
        ...

    def value(self, log: str, evidence: "Evidence") -> float | None:
        """Return it; ``None`` where the log can't tell."""
        ...

    def unknown(self, log: str, evidence: "Evidence") -> str:
        """Say why there is none."""
        ...

    def told(self, value: float) -> str:
        """Say it beside another."""
        ...


@dataclass(frozen=True, slots=True)
class Against:
    """A figure beside another that it is compared with; both are counted."""

    one: Figure
    other: Figure

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of them on a log."""
        mine, than = (figure.value(log, evidence) for figure in (self.one, self.other))
        if mine is None or than is None:
            missing = self.one if mine is None else self.other
            return unchecked(missing.unknown(log, evidence))
        words = f"{self.one.told(mine)}{self.one.between}{self.other.told(than)}{self.one.how}"
        return counted(words, mine, than=than)


@dataclass(frozen=True, slots=True)
class Steps:
    """In how many steps a correction reaches a job's end from a prediction, beside another."""

    predicted: float
    run_time: float
    """Both in seconds."""
    fewer: str
    than: str
    """The corrections' names."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return the steps of both; no log is needed."""
        mine, others = (
            steps(name, self.predicted, self.run_time) for name in (self.fewer, self.than)
        )
        hours = f"{self.run_time / 3600:g} h from {self.predicted / 3600:g} h"
        words = f"{hours}: {self.fewer} {mine} steps, {self.than} {others}"
        return counted(words, float(mine), than=others)


def steps(correction: str, predicted: float, run_time: float) -> int:
    """Return how often a correction lengthens an estimate until the job's run time is reached.

    As in paper 000's figure 5: it stops where the estimate is not below the run time any more.

    Examples
    --------
    >>> steps("simple", 6 * 3600.0, 8 * 3600.0), steps("power", 6 * 3600.0, 8 * 3600.0)
    (2, 4)
    """
    made, taken, estimate = CORRECTIONS.make(correction), 0, predicted
    job = Submission(id="1", submit_time=0.0, processors=1)
    while estimate < run_time:
        overrun = Overrun(
            elapsed=estimate,
            estimate=estimate,
            first_estimate=predicted,
            walltime=None,
            corrections=taken,
            submission=job,
        )
        estimate = made.correct(overrun)
        taken += 1
    return taken
