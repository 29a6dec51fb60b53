"""Results of the compared runs on copies of the workload, shaken or resampled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.effects.effect import OF_CHANGE, OF_GROUP, OF_RESAMPLES, Effect, nested
from pred_aware.effects.groups import GAIN
from pred_aware.errors import PredAwareError
from pred_aware.statistics import Interval

if TYPE_CHECKING:
    import pandas as pd

NO_SHAKES: Mapping[str, Any] = {"shakes": 0, "says": "one run each: no interval"}
"""What stands in JSON for intervals that there are not."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """What many shakes of the workload say of the runs that are compared."""

    baseline: str
    seeds: tuple[int, ...]
    """Of the shakes, the same for all runs."""
    max_shift: float
    """By how many seconds a session begins at most earlier or later."""
    effects: tuple[Effect, ...]
    """By run but the baseline, and by figure."""
    waiting: tuple[Effect, ...]
    """Of the shares of jobs that wait less than a given time, which stands for the measure."""
    counts: Mapping[str, Mapping[str, Interval]]
    """By run but the baseline: the mean share of jobs that wait at most as long as under the
    baseline, and so much shorter or longer."""
    groups: Mapping[str, tuple[Effect, ...]]
    """On groups of jobs, by what they are grouped."""

    @property
    def level(self) -> float:
        """The level of each interval."""
        return self.waiting[0].baseline.level

    def effect(self, run: str, measure: str) -> Effect:
        """Return what a run changes in a measure.

        Raises
        ------
        KeyError
            There is no such run but the baseline, or no such measure.
        """
        for one in self.effects:
            if (one.policy, one.measure) == (run, measure):
                return one
        raise KeyError(run, measure)

    def of(self, run: str) -> list[Effect]:
        """Return what a run changes in all measures."""
        return [one for one in self.effects if one.policy == run]

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure; for each run the means, the changes and their intervals' ends."""
        import pandas as pd

        columns = {self.baseline: {one.measure: one.baseline.value for one in self.effects}}
        for name in self.counts:
            mine = self.of(name)
            columns[name] = {one.measure: one.value.value for one in mine}
            columns[f"change in {name}"] = {one.measure: one.change.value for one in mine}
            columns[f"low of {name}"] = {one.measure: one.change.low for one in mine}
            columns[f"high of {name}"] = {one.measure: one.change.high for one in mine}
        return pd.DataFrame(columns, dtype="float64").rename_axis("figure")

    def gains(self, by: str) -> "pd.DataFrame":
        """Tell who gains and who loses against the baseline, in mean waiting time, over the shakes.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user`` or ``queue``, and what the comparison was asked for.

        Returns
        -------
        pandas.DataFrame
            A row for each `run` but the baseline and each group: its `jobs`, the means under the
            baseline (`baseline`) and the run (`value`) in seconds, the `difference` as a share of
            the baseline's with the ends of its interval (`low`, `high`), and in seconds
            (`absolute`); over how many `shakes`, whether it is `significant`, its `p_value`, and
            that with all groups of all runs in view (`holm`).

        Raises
        ------
        PredAwareError
            Nothing is known of such groups.
        """
        import pandas as pd

        rows = [
            {"run": one.policy, **one.to_dict(OF_GROUP)}
            for one in self.groups.get(by, ())
            if one.measure == GAIN
        ]
        if not rows:
            raise PredAwareError(f"nothing is known of jobs by {by} over the shakes")
        return pd.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        names = [*self.counts]
        figures = nested(self.effects, OF_CHANGE, policies=names)
        return {
            "shakes": len(self.seeds),
            "seeds": self.seeds,
            "max_shift": self.max_shift,
            "level": self.level,
            "runs": {
                name: {
                    **self._means(self.effects, name),
                    "waiting": self._means(self.waiting, name),
                }
                for name in (self.baseline, *names)
            },
            "against_baseline": {
                name: {
                    **figures[name],
                    "waiting": _told(
                        {one.measure: one.change for one in self.waiting if one.policy == name}
                    ),
                    "counts": _told(self.counts[name]),
                    "groups": {by: _measures(name, some) for by, some in self.groups.items()},
                }
                for name in names
            },
        }

    def _means(self, effects: Iterable[Effect], run: str) -> dict[str, Any]:
        """Return the means of a run, the baseline too."""
        if run == self.baseline:
            return _told({one.measure: one.baseline for one in effects})
        return _told({one.measure: one.value for one in effects if one.policy == run})


@dataclass(frozen=True, slots=True)
class Resampled:
    """What resamples of the workload say of the runs that are compared."""

    seeds: tuple[int, ...]
    """Of the resamples, the same for all runs."""
    runs: tuple[str, ...]
    """All but the baseline."""
    effects: tuple[Effect, ...]
    """By run but the baseline, and by figure."""

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        return {
            "resamples": len(self.seeds),
            "seeds": self.seeds,
            "against_baseline": nested(self.effects, OF_RESAMPLES, policies=self.runs),
        }


def _measures(run: str, effects: Iterable[Effect]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in effects:
        if one.policy == run:
            found.setdefault(one.measure, []).append(one.to_dict(OF_GROUP))
    return found


def _told(intervals: Mapping[str, Interval]) -> dict[str, dict[str, float | None]]:
    return {
        name: {"mean": one.value, "low": one.low, "high": one.high}
        for name, one in intervals.items()
    }
