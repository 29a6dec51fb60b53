"""Runs on many shakes of their workload: means, and differences with their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pred_aware.comparison.shaken_groups import (
    GAIN,
    Changes,
    Frames,
    changes_in_json,
    changes_over,
)
from pred_aware.errors import PredAwareError
from pred_aware.metrics.figures import WAITING_BOUNDS, WAITING_OVER
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


class OneShake(NamedTuple):
    """What there is of one shake.

    Parameters
    ----------
    comparison
        The runs on it in figures, without the runs themselves.
    groups
        Their groups of jobs.
    """

    comparison: "Comparison"
    groups: Frames


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
    groups
        What becomes of groups of jobs.
    """

    figures: Mapping[str, Difference]
    waiting: Mapping[str, Interval]
    counts: Mapping[str, Interval]
    groups: Changes


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

    def gains(self, by: str) -> "pd.DataFrame":
        """Tell who gains and who loses against the base, in mean waiting time, over the shakes.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user`` or ``queue``, and what the comparison was asked for.

        Returns
        -------
        pandas.DataFrame
            A row for each `run` but the base and each group: its `jobs`, the means under the base
            (`base`) and the run (`value`) in seconds, the `difference` as a share of the base's
            with the ends of its interval (`low`, `high`), and in seconds (`absolute`); over how
            many `shakes`, whether it is `told_apart`, its `p_value`, and that with all groups of
            all runs in view (`holm`).

        Raises
        ------
        PredAwareError
            Nothing is known of such groups.
        """
        import pandas as pd

        rows = [
            {"run": name, **one.to_dict()}
            for name, other in self.against_base.items()
            for one in other.groups.get(by, {}).get(GAIN, ())
        ]
        if not rows:
            raise PredAwareError(f"nothing is known of jobs by {by} over the shakes")
        return pd.DataFrame(rows)

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
                    "groups": changes_in_json(other.groups),
                }
                for name, other in self.against_base.items()
            },
        }


NO_SHAKES: Mapping[str, Any] = {"shakes": 0, "says": "one run each: no interval"}
"""What stands in JSON for intervals that there are not."""


def shaken_of(shakes: Sequence[OneShake], *, seeds: Sequence[int], reach: float) -> Shaken:
    """Put the comparisons on single shakes together.

    Parameters
    ----------
    shakes
        Of the same runs, one for each seed.
    seeds, reach
        Of the shakes.
    """
    comparisons = [one.comparison for one in shakes]
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
    groups = changes_over([one.groups for one in shakes], names)
    against_base = {
        name: ShakenAgainstBase(
            {one: paired_difference(values[0][one], values[place][one]) for one in figures},
            _means({one: _changes(shares[0][one], shares[place][one]) for one in WAITING}),
            _means(_counted([one.against_base[place - 1] for one in comparisons])),
            groups[name],
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
