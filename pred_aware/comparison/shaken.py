"""Runs on many shakes of their workload: means, and differences with their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.runs.figures import WAITING_BOUNDS, WAITING_OVER
from pred_aware.statistics import Difference, Interval, holm, mean_interval, paired_difference

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.comparison.comparison import Comparison
    from pred_aware.comparison.summaries import AgainstBase

MEASURED = frozenset({"scheduling_time"})
"""Figures that are measured, so that they differ from machine to machine."""

WAITING = (*WAITING_BOUNDS, WAITING_OVER)

COUNTS = (
    "at_most_the_same",
    "shorter_by_10_min",
    "shorter_by_1_h",
    "longer_by_10_min",
    "longer_by_1_h",
)
"""What is counted job by job, as in `AgainstBase`."""


@dataclass(frozen=True, slots=True)
class ShakenRun:
    """A run over all shakes.

    Parameters
    ----------
    figures
        The mean of each figure, times in seconds.
    waiting
        The mean share of jobs that wait less than a given time, from 0 to 1.
    """

    figures: Mapping[str, Interval]
    waiting: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class ShakenAgainstBase:
    """A run against the base, over all shakes.

    Parameters
    ----------
    figures
        By what share of the base's mean each figure differs.
    waiting
        By how much the shares of jobs that wait less than a given time differ.
    counts
        The mean share of jobs that wait at most as long, and so much shorter or longer.
    """

    figures: Mapping[str, Difference]
    waiting: Mapping[str, Interval]
    counts: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class Shaken:
    """What many shakes of the workload say of the runs that are compared.

    Parameters
    ----------
    seeds
        Of the shakes, the same for all runs.
    reach
        By how many seconds a session begins at most earlier or later.
    runs
        The runs by name; the first is the base.
    against_base
        The others against it.
    """

    seeds: tuple[int, ...]
    reach: float
    runs: Mapping[str, ShakenRun]
    against_base: Mapping[str, ShakenAgainstBase]

    @property
    def level(self) -> float:
        """The level of each interval."""
        run = next(iter(self.runs.values()))
        return next(iter(run.figures.values())).level

    def holm(self) -> Mapping[tuple[str, str], float | None]:
        """Return the p value of each difference, by run and figure, with all of them in view."""
        pairs = {
            (name, figure): difference.p_value
            for name, other in self.against_base.items()
            for figure, difference in other.figures.items()
        }
        return dict(zip(pairs, holm(list(pairs.values())), strict=True))

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure; for each run the means, the changes and their intervals' ends."""
        import pandas as pd

        columns = {}
        for name, run in self.runs.items():
            columns[name] = {figure: one.value for figure, one in run.figures.items()}
            if name in self.against_base:
                changes = self.against_base[name].figures.items()
                columns[f"change in {name}"] = {figure: one.value for figure, one in changes}
                columns[f"low of {name}"] = {figure: one.low for figure, one in changes}
                columns[f"high of {name}"] = {figure: one.high for figure, one in changes}
        return pd.DataFrame(columns, dtype="float64").rename_axis("figure")

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        together = self.holm()
        return {
            "shakes": len(self.seeds),
            "seeds": self.seeds,
            "reach": self.reach,
            "level": self.level,
            "runs": {
                name: {**_told(run.figures), "waiting": _told(run.waiting)}
                for name, run in self.runs.items()
            },
            "against_base": {
                name: {
                    **{
                        figure: {
                            "change": difference.value,
                            "low": difference.low,
                            "high": difference.high,
                            "p_value": difference.p_value,
                            "holm": together[name, figure],
                            "told_apart": difference.told_apart,
                        }
                        for figure, difference in other.figures.items()
                    },
                    "waiting": _told(other.waiting),
                    "counts": _told(other.counts),
                }
                for name, other in self.against_base.items()
            },
        }


NO_SHAKES: Mapping[str, Any] = {"shakes": 0, "says": "one run each: no interval"}
"""What stands in JSON for intervals that there are not."""


def shaken_of(comparisons: "Sequence[Comparison]", *, seeds: Sequence[int], reach: float) -> Shaken:
    """Put the comparisons on single shakes together.

    Parameters
    ----------
    comparisons
        Of the same runs, one for each seed.
    seeds, reach
        Of the shakes.
    """
    names = [run.name for run in comparisons[0].runs]
    figures = [name for name in comparisons[0].shown if name not in MEASURED]
    values = [
        {name: [one.runs[place].figures[name] for one in comparisons] for name in figures}
        for place in range(len(names))
    ]
    shares = [
        {
            name: [
                _share(one.runs[place].waiting[name], one.runs[place].jobs) for one in comparisons
            ]
            for name in WAITING
        }
        for place in range(len(names))
    ]
    runs = {
        name: ShakenRun(_means(values[place]), _means(shares[place]))
        for place, name in enumerate(names)
    }
    against_base = {
        name: ShakenAgainstBase(
            {one: paired_difference(values[0][one], values[place][one]) for one in figures},
            _means({one: _changes(shares[0][one], shares[place][one]) for one in WAITING}),
            _means(_counted([one.against_base[place - 1] for one in comparisons])),
        )
        for place, name in enumerate(names[1:], 1)
    }
    return Shaken(tuple(seeds), reach, runs, against_base)


Values = list[float | None]


def _share(count: int, jobs: int) -> float | None:
    return count / jobs if jobs else None


def _changes(base: Values, other: Values) -> Values:
    return [
        None if old is None or new is None else new - old
        for old, new in zip(base, other, strict=True)
    ]


def _counted(others: "Sequence[AgainstBase]") -> dict[str, Values]:
    return {name: [_share(getattr(one, name), one.jobs) for one in others] for name in COUNTS}


def _means(values: Mapping[str, Values]) -> dict[str, Interval]:
    return {name: mean_interval(some) for name, some in values.items()}


def _told(intervals: Mapping[str, Interval]) -> dict[str, dict[str, float | None]]:
    return {
        name: {"mean": one.value, "low": one.low, "high": one.high}
        for name, one in intervals.items()
    }
