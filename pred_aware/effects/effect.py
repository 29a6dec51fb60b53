"""The one row of results: what a policy changes in a measure, with its interval."""

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
"""Measured of a run against another one, over shakes: the value itself is the change."""


class Of(TypedDict, total=False):
    """What an effect is of; the fields are those of `Effect`."""

    log: str
    policy: str
    measure: str
    group: str
    jobs: int
    as_it_is: tuple[float | None, float | None]
    precision: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a policy changes in a measure against the baseline."""

    log: str = ""
    """Empty where there is one."""
    policy: str
    measure: str
    group: str = ""
    """Which jobs are measured; empty for all of them."""
    jobs: int = 0
    """How many jobs the group has."""
    kind: Kind = SHAKES
    """What the interval tells: how the runs differ that it is made of."""
    baseline: Interval
    """Of the baseline: over shakes a mean with its interval, over resamples a median; over weeks
    that of all jobs of these weeks for a mean, and else the mean over the weeks."""
    value: Interval
    """Of the policy, likewise."""
    change: Interval
    """By what share of the baseline's the policy's differs."""
    holm: float | None = None
    """The p value with all effects of its family in view (`significant_sign`)."""
    as_it_is: tuple[float | None, float | None] = (None, None)
    """The measure of the log as it is, of the baseline and of the policy, where that is known."""
    precision: float | None = None
    """To which share of the baseline's the change is to be known, if that was asked."""

    @property
    def significant_sign(self) -> int:
        """-1 where it is surely smaller, 1 where surely larger, else 0: of all in its family."""
        return significant_sign(self.change, self.holm)

    @property
    def gain(self) -> int:
        """1 where the policy is surely better, -1 where surely worse, else 0."""
        return -better_sign(self.measure) * self.significant_sign

    @property
    def same(self) -> bool:
        """Whether both are the same in every shake."""
        change = self.change
        return change.value == 0.0 and change.low in (0.0, None) and change.high in (0.0, None)

    @property
    def reached(self) -> bool | None:
        """Whether the change is known to the precision; ``None`` where none was asked for."""
        half = self.change.half_width
        return None if self.precision is None else half is not None and half <= self.precision

    @property
    def absolute(self) -> float:
        """The mean of the differences, in the measure's unit; 0 where there is none."""
        return getattr(self.change, "absolute", None) or 0.0

    @property
    def total(self) -> float:
        """The difference times the jobs: by how much all of them together wait longer."""
        return self.jobs * self.absolute

    def to_dict(self, names: Iterable[str] = ()) -> dict[str, Any]:
        """Return the row flat, a value by name.

        Parameters
        ----------
        names
            Which values; by default those of its kind.
        """
        of_group = ("log", "policy", *OF_GROUP)
        return {
            name: self._told(name)
            for name in names or (of_group if self.group else NAMES[self.kind])
        }

    def _told(self, name: str) -> Any:  # noqa: ANN401 - what JSON has
        if name in {"baseline", "value"}:
            return getattr(self, name).value
        if name == "as_it_is":
            return self.as_it_is[1]
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
"""What is told of each kind, in JSON and frames."""
_OWN = frozenset({"log", "policy", "measure", "group", "jobs", "holm", "precision", "reached"})
_OF_CHANGE = {
    "difference": "value", "median_change": "value", "change": "value", "resamples": "shakes",
    "weeks": "shakes",
}  # fmt: skip


def together(several: Iterable[Sequence[Effect]]) -> Iterator[list[Effect]]:
    """Yield the same effects, with the p values that they have with all of them in view.

    Parameters
    ----------
    several
        A family, in parts.
    """
    every = [list(some) for some in several]
    p_values = iter(holm([getattr(one.change, "p_value", None) for some in every for one in some]))
    for some in every:
        yield [replace(one, holm=next(p_values)) for one in some]


def nested(
    effects: Iterable[Effect], names: Sequence[str], *, policies: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return effects as JSON has them of one log: by policy, and by measure.

    Parameters
    ----------
    effects
        Of all jobs.
    names
        Which values of each, as `Effect.to_dict` takes them.
    policies
        The policies, also those of which there is no effect.
    """
    found: dict[str, dict[str, Any]] = {policy: {} for policy in policies}
    for one in effects:
        found[one.policy][one.measure] = one.to_dict(names)
    return found


def better_sign(measure: str) -> int:
    """Return 1 for a measure that is better the smaller it is, else -1."""
    return 1 if MEASURES[measure].better == "smaller" else -1
