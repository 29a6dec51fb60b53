"""How claims about a log itself, and about groups of its jobs, are tried."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pred_aware.statistics import paired_difference
from reproductions.checks.checks import found_of
from reproductions.checks.claim import FAILS, HOLDS, UNCHECKED, Check, Found, decided

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

SHORT, MEDIUM, LONG = (
    ("up to 1 min", "1 to 10 min", "10 min to 2 h"),
    ("2 to 24 h",),
    ("over 24 h",),
)
"""Paper 003's classes of jobs by run time, as the groups that are kept of runs."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that is counted in a log lies below or above a bound, or is as the paper says.

    It has no interval: the log is all that the claim is about.

    Parameters
    ----------
    log, name
        Their names; what is counted is one of `COUNTS` or `OF_THE_LOG`.
    below, above
        One of the two, or both.
    equal
        What it is to be, in place of them, to the nearest whole number.
    unit
        What it is shown in: ``%``, ``h`` or nothing.
    """

    log: str
    name: str
    below: float | None = None
    above: float | None = None
    equal: float | None = None
    unit: str = "%"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        value = evidence.counted(self.log).get(self.name)
        if value is None:
            why = evidence.missing(self.log) or "the log can't tell"
            return Found(self.log, why, UNCHECKED)
        if self.equal is not None:
            held = round(value) == self.equal
        else:
            above = self.above is None or value > self.above
            held = above and (self.below is None or value < self.below)
        shown = {"%": f"{100 * value:.1f} %", "h": f"{value / 3600:.1f} h"}.get(self.unit)
        plain = f"{value:,.0f}" if value == round(value) else f"{value:.3g}"
        ours = f"{self.name}: {shown or plain}, counted"
        return Found(self.log, ours, HOLDS if held else FAILS, value)


@dataclass(frozen=True, slots=True)
class GroupLess:
    """Jobs of some lengths have less of a measure than those of others, or than under a policy.

    It holds if the 95 % interval of the difference over shakes lies below 0 as a whole, and does
    not if it lies above.

    Parameters
    ----------
    log
        The log.
    policy, group
        Of the jobs that have less: the policy, and the names of the groups that they are of.
    than_policy, than_group
        Of the others.
    measure
        One that is kept of groups: ``mean_waiting_time`` or ``mean_bounded_slowdown``.
    by
        What kind of groups: ``length`` or ``size``.
    """

    log: str
    policy: str
    group: tuple[str, ...]
    than_policy: str
    than_group: tuple[str, ...]
    measure: str = "mean_waiting_time"
    by: str = "length"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine, others = (
            evidence.simulated.of_group(self.log, policy, group, self.measure, by=self.by)
            for policy, group in (
                (self.policy, self.group),
                (self.than_policy, self.than_group),
            )
        )
        both = sorted(set(mine.index) & set(others.index))
        if not both:
            return Found(self.log, "no such jobs", UNCHECKED)
        found = paired_difference(others[both].tolist(), mine[both].tolist())
        words = (
            f"{_told(self.policy, self.group)} against {_told(self.than_policy, self.than_group)}"
        )
        return found_of(self.log, words, decided(found.low, found.high), found)


@dataclass(frozen=True, slots=True)
class FigureLess:
    """A figure over some jobs of a replay is less than another; both are counted.

    Parameters
    ----------
    log
        The log.
    one, other
        Predictor and name of each figure.
    unit
        What both are shown in: ``%`` or ``h``.
    """

    log: str
    one: tuple[str, str]
    other: tuple[str, str]
    unit: str = "h"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine, others = (
            evidence.replay(self.log, predictor).figures.get(name)
            for predictor, name in (self.one, self.other)
        )
        if mine is None or others is None:
            return Found(self.log, "no such jobs", UNCHECKED)
        factor = 100.0 if self.unit == "%" else 1 / 3600
        ours = " and ".join(
            f"{' '.join(key)} {factor * value:.3g} {self.unit}"
            for key, value in ((self.one, mine), (self.other, others))
        )
        verdict = HOLDS if mine < others else FAILS
        return Found(self.log, f"{ours}, counted over all jobs", verdict, mine)


def _told(policy: str, group: tuple[str, ...]) -> str:
    named = {SHORT: "short", MEDIUM: "medium", LONG: "long"}.get(group, " and ".join(group))
    return f"{named} jobs under {policy}"


def each(logs: Sequence[str], *checks: Counted | GroupLess | FigureLess) -> tuple[Check, ...]:
    """Return the checks on each of several logs.

    Examples
    --------
    >>> [one.log for one in each(("KTH", "Gaia"), Counted("", "run under 1 h", above=0.5))]
    ['KTH', 'Gaia']
    """
    return tuple(replace(check, log=log) for log in logs for check in checks)
