"""Results of the compared runs on perturbed copies and resamples of the workload."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.effects.effect import OF_CHANGE, OF_GROUP, OF_RESAMPLES, Effect, nested
from pred_aware.effects.groups import GAIN
from pred_aware.errors import PredAwareError
from pred_aware.statistics import Interval

if TYPE_CHECKING:
    import pandas as pd

NO_SHAKES: Mapping[str, Any] = {"shakes": 0, "says": "one run of each policy, so no interval"}
"""The JSON value for missing intervals."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The results of the compared runs on perturbed copies of the workload."""

    baseline: str
    seeds: tuple[int, ...]
    """The seeds of the copies, the same for all runs."""
    max_shift: float
    """The largest shift of a session, in seconds."""
    effects: tuple[Effect, ...]
    """The effects of each run except the baseline, on each measure."""
    waiting: tuple[Effect, ...]
    """The effects on the fraction of jobs that wait less than a time. `measure` names this time."""
    counts: Mapping[str, Mapping[str, Interval]]
    """For each run except the baseline: the mean fractions of jobs that wait at most as long as
    under the baseline, or that wait shorter or longer by certain times."""
    groups: Mapping[str, tuple[Effect, ...]]
    """The effects on groups of jobs, by grouping."""

    @property
    def level(self) -> float:
        """The confidence level of all intervals."""
        return self.waiting[0].baseline.level

    def effect(self, run: str, measure: str) -> Effect:
        """Return the effect of a run on a measure.

        Raises
        ------
        KeyError
            The run or the measure is unknown, or the run is the baseline.
        """
        for one in self.effects:
            if (one.policy, one.measure) == (run, measure):
                return one
        raise KeyError(run, measure)

    def of(self, run: str) -> list[Effect]:
        """Return the effects of a run on all measures."""
        return [one for one in self.effects if one.policy == run]

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each measure. For each run: means, changes, and the ends of their intervals."""
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
        """Return the changes of mean waiting times by group, over the perturbed copies.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user`` or ``queue``, or another grouping of the comparison.

        Returns
        -------
        pandas.DataFrame
            A row for each `run` (except the baseline) and each group: its number of `jobs`; the
            means under the baseline (`baseline`) and the run (`value`) in seconds; the `difference`
            as a fraction of the baseline's mean, with the ends of its interval (`low`, `high`); the
            difference in seconds (`absolute`); the number of copies (`shakes`); whether the
            difference is `significant`, its `p_value`, and the p value corrected for all groups of
            all runs (`holm`).

        Raises
        ------
        PredAwareError
            The comparison has no such grouping.
        """
        import pandas as pd

        rows = [
            {"run": one.policy, **one.to_dict(OF_GROUP)}
            for one in self.groups.get(by, ())
            if one.measure == GAIN
        ]
        if not rows:
            raise PredAwareError(
                f"the perturbed copies have no results by {by}; compare with by=['{by}'], and "
                "with a workload that has this field"
            )
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
                    "waiting": _as_dicts(
                        {one.measure: one.change for one in self.waiting if one.policy == name}
                    ),
                    "counts": _as_dicts(self.counts[name]),
                    "groups": {by: _measures(name, some) for by, some in self.groups.items()},
                }
                for name in names
            },
        }

    def _means(self, effects: Iterable[Effect], run: str) -> dict[str, Any]:
        """Return the means of a run or of the baseline."""
        if run == self.baseline:
            return _as_dicts({one.measure: one.baseline for one in effects})
        return _as_dicts({one.measure: one.value for one in effects if one.policy == run})


@dataclass(frozen=True, slots=True)
class Resampled:
    """The results of the compared runs on resamples of the workload."""

    seeds: tuple[int, ...]
    """The seeds of the resamples, the same for all runs."""
    runs: tuple[str, ...]
    """The runs except the baseline."""
    effects: tuple[Effect, ...]
    """The effects of each run except the baseline, on each measure."""

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


def _as_dicts(intervals: Mapping[str, Interval]) -> dict[str, dict[str, float | None]]:
    return {
        name: {"mean": one.value, "low": one.low, "high": one.high}
        for name, one in intervals.items()
    }
