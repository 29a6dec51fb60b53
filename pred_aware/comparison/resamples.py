"""Runs on many resamples of their workload: whether another year would agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from pred_aware.statistics import OtherYears, other_years

if TYPE_CHECKING:
    from pred_aware.comparison.comparison import Comparison

MEASURED = frozenset({"scheduling_time"})
"""Figures that differ from machine to machine."""

Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class InYears:
    """A measure of two runs over resamples of their workload.

    Parameters
    ----------
    base, value
        The medians over the resamples.
    change
        By how much it differs in them.
    """

    base: float | None
    value: float | None
    change: OtherYears

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        found = self.change
        return {
            "base": self.base, "value": self.value, "median_change": found.value,
            "low": found.low, "high": found.high, "level": found.level,
            "resamples": found.shakes, "less": found.less, "more": found.more,
        }  # fmt: skip


def in_years(base: Values, other: Values) -> InYears:
    """Compare a measure of two runs over resamples, in the same order."""
    return InYears(_median(base), _median(other), other_years(base, other))


@dataclass(frozen=True, slots=True)
class Resampled:
    """What resamples of the workload say of the runs that are compared.

    Parameters
    ----------
    seeds
        Of the resamples, the same for all runs.
    against_base
        By run, and by measure.
    """

    seeds: tuple[int, ...]
    against_base: Mapping[str, Mapping[str, InYears]]

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        return {
            "resamples": len(self.seeds),
            "seeds": self.seeds,
            "against_base": {
                name: {measure: one.to_dict() for measure, one in found.items()}
                for name, found in self.against_base.items()
            },
        }


def resampled_of(comparisons: "Sequence[Comparison]", *, seeds: Sequence[int]) -> Resampled:
    """Put the comparisons on single resamples together.

    Parameters
    ----------
    comparisons
        Of the same runs, one for each seed.
    seeds
        Of the resamples.
    """
    names = [run.name for run in comparisons[0].runs]
    figures = [name for name in comparisons[0].shown if name not in MEASURED]
    values = [
        {name: [one.runs[place].figures[name] for one in comparisons] for name in figures}
        for place in range(len(names))
    ]
    return Resampled(
        tuple(seeds),
        {
            name: {one: in_years(values[0][one], values[place][one]) for one in figures}
            for place, name in enumerate(names[1:], 1)
        },
    )


def _median(values: Values) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None
