"""Quantities that are counted, in a log and of corrections, and those of prediction experiments."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.statistics import Interval, mean_interval, paired_difference
from reproductions.checks.claim import OPEN
from reproductions.checks.statement import Estimate, counted, untried
from reproductions.experiments import CONSECUTIVE, OVERLAP
from schedulers import Job
from schedulers.corrections import CORRECTIONS

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
            return untried(evidence.missing(log) or "the log cannot tell")
        shown = {"%": f"{100 * value:.1f} %", "h": f"{value / 3600:.1f} h"}.get(self.unit)
        plain = f"{value:,.0f}" if value == round(value) else f"{value:.3g}"
        return counted(f"{self.name}: {shown or plain}, counted", value)


@dataclass(frozen=True, slots=True)
class ExperimentFigure:
    """A measure of one of paper 001's prediction experiments, over random splits of a log."""

    experiment: str
    model: str
    measure: str = "mae"
    """One of `reproductions.experiments.MEASURES`."""

    def values(self, log: str, evidence: "Evidence") -> list[float | None]:
        """Return it of each split; of the last experiment of one, with the models' seeds."""
        made = evidence.experiments(log).get((self.experiment, self.model), [])
        return [one[self.measure] for one in made]

    def told(self, value: float | None) -> str:
        """Say it beside another."""
        unit, factor = (" min", 60.0) if self.measure in _IN_MINUTES else ("", 1.0)
        said = "unknown" if value is None else f"{value / factor:.3g}{unit}"
        return f"{self.experiment} {self.model} {self.measure} {said}"

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it, a share, on a log."""
        values = self.values(log, evidence)
        found = mean_interval(values, overlap=OVERLAP)
        if found.value is None:
            return untried(_NO_FIELDS if not values else "the log cannot tell")
        words = f"{self.experiment} {self.model} {self.measure} {100.0 * found.value:.1f} %"
        return _over_splits(words, found, one=self.experiment == CONSECUTIVE)


@dataclass(frozen=True, slots=True)
class ExperimentDifference:
    """By which share a measure of one experiment is larger than that of another, over splits.

    Of shares of the variance, which may be negative, by how much. Beside the last experiment, which
    has one split and as many models, stand the random splits of the other.
    """

    one: ExperimentFigure
    other: ExperimentFigure

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        mine, than = (each.values(log, evidence) for each in (self.one, self.other))
        if not mine or not than:
            return untried(_NO_FIELDS)
        found: Interval
        if self.one.measure == "r2":
            apart = [
                None if a is None or b is None else a - b for a, b in zip(mine, than, strict=True)
            ]
            found = mean_interval(apart, overlap=OVERLAP)
            shown, factor = "", 1.0
        else:
            found = paired_difference(than, mine, overlap=OVERLAP)
            shown, factor = " %", 100.0
        if found.value is None:
            return untried("the log cannot tell")
        words = (
            f"{self.one.told(_mean(mine))}, {self.other.told(_mean(than))}: "
            f"{factor * found.value:+.3g}{shown}"
        )
        one = self.one.experiment == self.other.experiment == CONSECUTIVE
        return _over_splits(words, found, factor, one=one)


_NO_FIELDS = "the log has not the fields for it"


def _mean(values: list[float | None]) -> float | None:
    return mean_interval(values).value


def _over_splits(words: str, found: Interval, factor: float = 100.0, *, one: bool) -> Estimate:
    """Return what splits tell; one alone tells no chance."""
    if one or found.low is None or found.high is None:
        return Estimate(f"{words}, one split", found.value, runs=1, verdict=OPEN)
    words += f" [{factor * found.low:.3g}, {factor * found.high:.3g}], {found.shakes} splits"
    return Estimate(words, found.value, found.low, found.high, found.shakes, found.shakes - 1.0)


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
    job = Job("w0!1", 0.0, 1, first_estimate=predicted)
    while estimate < run_time:
        job.running, job.corrections = estimate, taken
        estimate = made.correct(job, estimate)
        taken += 1
    return taken
