"""How claims about classes of jobs are tried: who waits, and who gains."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.metrics import MEASURES
from pred_aware.statistics import mean_interval
from reproductions.checks.checks import ends_in_words, found_of, in_words
from reproductions.checks.claim import OPEN, UNCHECKED, Found, decided

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs of some size or length.

    Parameters
    ----------
    by
        ``size`` or ``length``.
    place
        Its place among the classes of the simulations.
    label
        What it is called.
    """

    by: str
    place: int
    label: str


@dataclass(frozen=True, slots=True)
class LessInClass:
    """A policy has less of a measure in a class of jobs than another, or the same in another class.

    It holds if the 95 % interval of the difference over shakes lies below 0 as a whole, and does
    not if it lies above.

    Parameters
    ----------
    log, policy, than, measure
        Their names.
    jobs, others
        The class of both policies.
    """

    log: str
    policy: str
    than: str
    jobs: JobClass
    others: JobClass
    measure: str = "mean_waiting_time"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        found = evidence.simulated.difference(
            self.log, self.policy, self.than, self.measure, jobs=self.jobs, others=self.others
        )
        where = f"jobs of {self.jobs.label}"
        words = f"{where}, {in_words(self.policy, self.than, self.measure)}"
        if self.jobs != self.others:
            label = MEASURES[self.measure].label
            words = f"{self.policy}, {where} against those of {self.others.label}, {label}"
        return found_of(self.log, words, decided(found.low, found.high), found)


@dataclass(frozen=True, slots=True)
class GainsMore:
    """A policy takes a larger share off a measure in one class of jobs than in another.

    It holds if the 95 % interval of the difference of both shares over shakes lies above 0.

    Parameters
    ----------
    log, policy, than, measure
        Their names.
    jobs, others
        The class that gains more, and the other.
    """

    log: str
    policy: str
    than: str
    jobs: JobClass
    others: JobClass
    measure: str = "mean_waiting_time"

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        rests, gains = [], []
        for jobs in (self.jobs, self.others):
            base, mine = evidence.simulated.pairs(
                self.log, self.policy, self.than, self.measure, jobs=jobs, others=jobs
            )
            total = sum(base)
            if not total:
                why = f"no jobs of {jobs.label}" if base else f"{self.policy}: was not simulated"
                return Found(self.log, why, OPEN if base else UNCHECKED)
            ratio = sum(mine) / total
            gains.append(1.0 - ratio)
            # of a ratio of means (Cochran 1977, section 6.4), as of all differences here
            mean = total / len(base)
            rests.append([(new - ratio * old) / mean for old, new in zip(base, mine, strict=True)])
        more = gains[0] - gains[1]
        found = mean_interval([more + theirs - own for own, theirs in zip(*rests, strict=True)])
        low, high = found.low, found.high
        ends = (None, None) if low is None or high is None else (-high, -low)
        ours = (
            f"{in_words(self.policy, self.than, self.measure)}: "
            f"gains {100 * gains[0]:+.1f} % of jobs of {self.jobs.label}, "
            f"{100 * gains[1]:+.1f} % of {self.others.label}: {100 * more:+.1f} points more"
            f"{ends_in_words(low, high, percent=True, signed=True)}, {found.shakes} shakes"
        )
        return Found(self.log, ours, decided(*ends), more, low, high, found.shakes)
