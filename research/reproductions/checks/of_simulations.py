"""Quantities of simulations: differences of policies over the shakes of a log."""

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from pred_aware.metrics import MEASURES
from pred_aware.statistics import holm, in_view, mean_interval, paired_difference
from reproductions.checks.claim import FAILS, HOLDS, OPEN
from reproductions.checks.statement import Estimate, ends_in_words, from_difference, untried

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

WAIT = "mean_waiting_time"
SHORT, MEDIUM, LONG = (
    ("up to 1 min", "1 to 10 min", "10 min to 2 h"),
    ("2 to 24 h",),
    ("over 24 h",),
)
"""Paper 003's classes of jobs by run time, as the groups that are kept of runs."""


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs of some size or length."""

    by: str
    """``size`` or ``length``."""
    place: int
    """Its place among the classes of the simulations."""
    label: str


@dataclass(frozen=True, slots=True)
class PolicyDifference:
    """By which share a policy has more of a measure than another."""

    policy: str
    than: str
    measure: str = WAIT
    jobs: JobClass | None = None
    """The class of jobs that the policy is looked at in; ``None`` for all jobs."""
    others: JobClass | None = None
    """That of the other policy."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        found = evidence.simulated.difference(
            log, self.policy, self.than, self.measure, jobs=self.jobs, others=self.others
        )
        return from_difference(self._words(), found)

    def _words(self) -> str:
        words = _compared(self.policy, self.than, self.measure)
        if self.jobs is None or self.others is None:
            return words
        where = f"jobs of {self.jobs.label}"
        if self.jobs == self.others:
            return f"{where}, {words}"
        label = MEASURES[self.measure].label
        return f"{self.policy}, {where} against those of {self.others.label}, {label}"


@dataclass(frozen=True, slots=True)
class PolicyMean:
    """A policy's mean of a measure over the shakes."""

    policy: str
    measure: str = WAIT
    jobs: JobClass | None = None
    """The class of jobs that are looked at; ``None`` for all jobs."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        found = evidence.simulated.mean(log, self.policy, self.measure, jobs=self.jobs)
        words = f"{self.policy}, {MEASURES[self.measure].label}"
        return Estimate(words, found.value, found.low, found.high, found.shakes, found.shakes - 1.0)


@dataclass(frozen=True, slots=True)
class LeastAmong:
    """A policy has the least of a measure among several, with all of the differences in view.

    It is judged by itself: surely less than each of them, or one of them surely less than it.
    """

    policy: str
    among: tuple[str, ...]
    """The others."""
    measure: str = WAIT
    most: bool = False
    """Whether it is to have the most instead."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of the difference from the nearest of the others, judged."""
        sign = -1 if self.most else 1
        found = [
            evidence.simulated.difference(log, self.policy, other, self.measure)
            for other in self.among
        ]
        known = [
            (sign * one.value, other, one)
            for other, one in zip(self.among, found, strict=True)
            if one.value is not None
        ]
        if not known:
            return untried(f"{self.policy}: was not simulated")
        worst = max(sign * one for one in in_view(found))
        p_values = holm([one.p_value for one in found])
        together = [1.0 if value is None else value for value in p_values]
        _, other, nearest = max(known, key=itemgetter(0))
        return Estimate(
            from_difference(_compared(self.policy, other, self.measure), nearest).words,
            nearest.value,
            nearest.low,
            nearest.high,
            nearest.shakes,
            verdict={-1: HOLDS, 0: OPEN, 1: FAILS}[worst],
            p_value=1.0 if worst == 0 else max(together) if worst < 0 else min(together),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two measures say the same of a policy beside another: both less of it, or both more.

    It is judged by itself: both differences are to be sure with the two in view.
    """

    policy: str
    than: str
    measure: str
    other: str = WAIT
    """The measure that it is to agree with."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of the difference in the first measure, judged beside the other."""
        measures = (self.measure, self.other)
        found = [
            evidence.simulated.difference(log, self.policy, self.than, one) for one in measures
        ]
        told = [
            from_difference(_compared(self.policy, self.than, measure), one)
            for measure, one in zip(measures, found, strict=True)
        ]
        if not found[0].shakes:
            return told[0]
        first, second = in_view(found)
        together = [1.0 if value is None else value for value in holm([x.p_value for x in found])]
        return replace(
            told[0],
            words="; ".join(one.words for one in told),
            verdict={-1: FAILS, 0: OPEN, 1: HOLDS}[first * second],
            p_value=max(together) if first * second else 1.0,
        )


@dataclass(frozen=True, slots=True)
class GainOfClass:
    """By how much more of a measure, as a share, a policy takes off one class of jobs."""

    policy: str
    than: str
    jobs: JobClass
    others: JobClass
    measure: str = WAIT

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        rests, gains = [], []
        for jobs in (self.jobs, self.others):
            baseline, mine = evidence.simulated.pairs(
                log, self.policy, self.than, self.measure, jobs=jobs, others=jobs
            )
            total = sum(baseline)
            if not baseline:
                return untried(f"{self.policy}: was not simulated")
            if not total:
                return Estimate(f"no jobs of {jobs.label}", verdict=OPEN)
            ratio = sum(mine) / total
            gains.append(1.0 - ratio)
            # of a ratio of means (Cochran 1977, section 6.4), as of all differences here
            mean = total / len(baseline)
            rests.append(
                [(new - ratio * old) / mean for old, new in zip(baseline, mine, strict=True)]
            )
        more = gains[0] - gains[1]
        found = mean_interval([more + theirs - own for own, theirs in zip(*rests, strict=True)])
        words = (
            f"{_compared(self.policy, self.than, self.measure)}: "
            f"gains {100 * gains[0]:+.1f} % of jobs of {self.jobs.label}, "
            f"{100 * gains[1]:+.1f} % of {self.others.label}: {100 * more:+.1f} points more"
            f"{ends_in_words(found.low, found.high, signed=True)}, {found.shakes} shakes"
        )
        return Estimate(words, more, found.low, found.high, found.shakes, found.shakes - 1.0)


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """By which share jobs of some groups have more of a measure than others, or under a policy."""

    policy: str
    group: tuple[str, ...]
    than_policy: str
    than_group: tuple[str, ...]
    measure: str = WAIT
    """One that is kept of groups: `WAIT` or ``mean_bounded_slowdown``."""
    by: str = "length"
    """What kind of groups: ``length`` or ``size``."""

    def estimate(self, log: str, evidence: "Evidence") -> Estimate:
        """Return what is known of it on a log."""
        sides = ((self.policy, self.group), (self.than_policy, self.than_group))
        mine, others = (
            evidence.simulated.of_group(log, policy, group, self.measure, by=self.by)
            for policy, group in sides
        )
        both = sorted(set(mine.index) & set(others.index))
        if not both:
            return untried("no such jobs")
        found = paired_difference(others[both].tolist(), mine[both].tolist())
        return from_difference(" against ".join(_jobs_under(*one) for one in sides), found)


def _compared(policy: str, than: str, measure: str) -> str:
    return f"{policy} against {than}, {MEASURES[measure].label}"


def _jobs_under(policy: str, group: tuple[str, ...]) -> str:
    named = {SHORT: "short", MEDIUM: "medium", LONG: "long"}.get(group, " and ".join(group))
    return f"{named} jobs under {policy}"
