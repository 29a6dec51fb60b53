"""Runs compared over the weeks of one log: changes with intervals, without another simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.metrics.figures import TAU
from pred_aware.metrics.weekly import WeeklyMeasure, has_weeks, weekly
from pred_aware.statistics import ByWeeks, by_weeks

if TYPE_CHECKING:
    from pred_aware.runs.run import Run


@dataclass(frozen=True, slots=True)
class InWeeks:
    """A measure of two runs over the weeks of their log.

    Parameters
    ----------
    base, value
        Of a mean that of all jobs of these weeks; of other measures the mean over the weeks.
    change
        By how much it differs, with its interval.
    """

    base: float | None
    value: float | None
    change: ByWeeks

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        found = self.change
        return {
            "base": self.base, "value": self.value, "change": found.value, "low": found.low,
            "high": found.high, "level": found.level, "weeks": found.shakes, "block": found.block,
            "told_apart": found.told_apart,
        }  # fmt: skip


def in_weeks(base: WeeklyMeasure, other: WeeklyMeasure) -> InWeeks:
    """Compare a measure of two runs of the same jobs by the weeks in which both have it."""
    old, new, jobs = [], [], 0
    for before, after, count in zip(base.values, other.values, base.jobs, strict=False):
        if before is not None and after is not None:
            old.append(before)
            new.append(after)
            jobs += count
    change = by_weeks(old, new)
    return InWeeks(_mean(old, base, jobs), _mean(new, other, jobs), change)


def _mean(values: Sequence[float], of: WeeklyMeasure, jobs: int) -> float | None:
    number = jobs if of.summed else len(values)
    return sum(values) / number if number else None


@dataclass(frozen=True, slots=True)
class Weeks:
    """What the weeks of one run each say of the runs that are compared.

    Parameters
    ----------
    against_base
        By run, and by measure.
    """

    against_base: Mapping[str, Mapping[str, InWeeks]]

    @property
    def number(self) -> int:
        """How many weeks are looked at."""
        found = [one.change.shakes for run in self.against_base.values() for one in run.values()]
        return max(found, default=0)

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        return {
            "weeks": self.number,
            "against_base": {
                name: {measure: one.to_dict() for measure, one in found.items()}
                for name, found in self.against_base.items()
            },
        }


def weeks_of(runs: "Sequence[Run]", measures: Sequence[str], *, tau: float = TAU) -> Weeks:
    """Compare runs with the first over the weeks of their log.

    Parameters
    ----------
    runs
        The runs; the first is the base.
    measures
        Those that no week has, since they are of the whole run, are left out.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    """
    names = [name for name in measures if has_weeks(name)]
    base = {name: weekly(runs[0], name, tau=tau) for name in names}
    return Weeks(
        {
            run.name: {name: in_weeks(base[name], weekly(run, name, tau=tau)) for name in names}
            for run in runs[1:]
        }
    )
