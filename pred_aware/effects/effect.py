"""An effect: the change of a measure under a policy, with its interval."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

from pred_aware.metrics.table import MEASURES
from pred_aware.statistics import Interval, holm, significant_sign

Kind = Literal["shakes", "resamples", "weeks", "against"]
SHAKES: Kind = "shakes"
RESAMPLES: Kind = "resamples"
WEEKS: Kind = "weeks"
AGAINST: Kind = "against"
"""The measure itself compares two runs, so its mean over perturbed copies is the change."""


class EffectLabels(TypedDict, total=False):
    """The subject of an effect. `Effect` describes the fields."""

    log: str
    policy: str
    measure: str
    group: str
    jobs: int
    unperturbed: tuple[float | None, float | None]
    precision: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The change of a measure under a policy, relative to the baseline."""

    log: str = ""
    """Name of the log; empty if there is only one log."""
    policy: str
    measure: str
    group: str = ""
    """The group of jobs; empty for all jobs."""
    jobs: int = 0
    """Number of jobs in the group."""
    kind: Kind = SHAKES
    """What the interval is computed over: perturbed copies, resamples or weeks."""
    baseline: Interval
    """Value of the baseline. Over perturbed copies: a mean with its interval. Over resamples: a
    median. Over weeks: for a mean over jobs, the mean over all jobs of these weeks, otherwise the
    mean over the weeks.
    """
    value: Interval
    """Value of the policy, computed like `baseline`."""
    change: Interval
    """Relative difference of the policy from the baseline."""
    holm: float | None = None
    """The p value corrected for all effects that are shown together (`significant_sign`)."""
    unperturbed: tuple[float | None, float | None] = (None, None)
    """The measure on the unperturbed log under baseline and policy; ``None`` if unknown."""
    precision: float | None = None
    """Requested precision of the change, as a fraction of the baseline's value."""

    @property
    def significant_sign(self) -> int:
        """-1 for a significant decrease, 1 for a significant increase, else 0; uses `holm`."""
        return significant_sign(self.change, self.holm)

    @property
    def gain(self) -> int:
        """1 if the policy is significantly better, -1 if significantly worse, else 0."""
        return -better_sign(self.measure) * self.significant_sign

    @property
    def same(self) -> bool:
        """True if baseline and policy have equal values in every perturbed copy."""
        change = self.change
        return change.value == 0.0 and change.low in (0.0, None) and change.high in (0.0, None)

    @property
    def reached(self) -> bool | None:
        """True if the requested precision is reached; ``None`` if none was requested."""
        half = self.change.half_width
        return None if self.precision is None else half is not None and half <= self.precision

    @property
    def absolute(self) -> float:
        """Mean difference in the measure's unit; 0 if there is no difference."""
        return getattr(self.change, "absolute", None) or 0.0

    @property
    def total(self) -> float:
        """The mean difference times the number of jobs: the total increase of the jobs' waits."""
        return self.jobs * self.absolute

    def to_dict(self, names: Iterable[str] = ()) -> dict[str, Any]:
        """Return the values by name.

        Parameters
        ----------
        names
            Names of the values to return; by default the names for the effect's kind.
        """
        of_group = ("log", "policy", *OF_GROUP)
        return {
            name: self._value_of(name)
            for name in names or (of_group if self.group else NAMES[self.kind])
        }

    def _value_of(self, name: str) -> Any:  # noqa: ANN401 - what JSON has
        if name in {"baseline", "value"}:
            return getattr(self, name).value
        if name == "as_it_is":
            return self.unperturbed[1]
        if name in _OWN:
            return getattr(self, name)
        return getattr(self.change, _OF_CHANGE.get(name, name))


OF_CHANGE = ("change", "low", "high", "p_value", "holm", "significant")
OF_GROUP = (
    "group", "jobs", "baseline", "value", "difference", "low", "high", "absolute", "shakes",
    "significant", "p_value", "holm",
)  # fmt: skip
OF_RESAMPLES = (
    "baseline", "value", "median_change", "low", "high", "level", "resamples", "less", "more",
)  # fmt: skip
OF_WEEKS = ("baseline", "value", "change", "low", "high", "level", "weeks", "block", "significant")
NAMES: Mapping[Kind, tuple[str, ...]] = {
    SHAKES: (
        "log", "policy", "measure", "as_it_is", "baseline", "value", "difference", "low", "high",
        "level", "absolute", "shakes", "significant", "p_value", "holm", "precision", "reached",
    ),
    RESAMPLES: ("log", "policy", "measure", *OF_RESAMPLES),
    WEEKS: ("log", "policy", "measure", *OF_WEEKS),
    AGAINST: ("log", "policy", "measure", "as_it_is", "value", "low", "high", "level", "shakes"),
}  # fmt: skip
"""Names of the values in JSON and data frames, for each kind."""
_OWN = frozenset({"log", "policy", "measure", "group", "jobs", "holm", "precision", "reached"})
_OF_CHANGE = {
    "difference": "value", "median_change": "value", "change": "value", "resamples": "shakes",
    "weeks": "shakes",
}  # fmt: skip


def holm_corrected(several: Iterable[Sequence[Effect]]) -> Iterator[list[Effect]]:
    """Yield the same effects, with p values corrected for all of them.

    Parameters
    ----------
    several
        All effects that are shown together, in parts.
    """
    every = [list(some) for some in several]
    p_values = iter(holm([getattr(one.change, "p_value", None) for some in every for one in some]))
    for some in every:
        yield [replace(one, holm=next(p_values)) for one in some]


def nested(
    effects: Iterable[Effect], names: Sequence[str], *, policies: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return the effects on one log for JSON: by policy, and by measure.

    Parameters
    ----------
    effects
        Effects on all jobs.
    names
        Names of the values, as for `Effect.to_dict`.
    policies
        The policies, including those without an effect.
    """
    found: dict[str, dict[str, Any]] = {policy: {} for policy in policies}
    for one in effects:
        found[one.policy][one.measure] = one.to_dict(names)
    return found


def better_sign(measure: str) -> int:
    """Return 1 if smaller values of a measure are better, else -1."""
    return 1 if MEASURES[measure].better == "smaller" else -1
