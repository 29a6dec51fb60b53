"""The papers' figures of predictions, from replays."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.prediction import TWENTIETHS
from pred_aware.report import Bar, BarChart, Part
from pred_aware.statistics import by_weeks
from reproductions.figures.figures import Labelled, gain_bar, known

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class WeeklyShares:
    """A share of the jobs, or a mean as a share of the walltimes', of predictors on each log.

    Parameters
    ----------
    place, title, axis
        Of the figure.
    logs, predictors
        A group of bars for each log, and a bar for each predictor.
    measure
        What is kept by week of replays.
    against_walltimes
        Whether it is by how much less than that of the walltimes, and not the share itself.
    """

    place: str
    title: str
    axis: str
    logs: tuple[str, ...]
    predictors: tuple[str, ...]
    measure: str
    against_walltimes: bool = False

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        bars = tuple(
            bar
            for log in self.logs
            if not evidence.missing(log)
            for name in self.predictors
            for bar in self._bars(evidence, log, name)
        )
        return BarChart(self.place, self.title, self.axis, (Part("", known(bars)),))

    def _bars(self, evidence: "Evidence", log: str, name: str) -> Iterator[Bar]:
        weekly = evidence.replay(log, name).weekly
        mine = weekly[self.measure]
        if not self.against_walltimes:
            found = by_weeks(mine.counts, mine.sums)
            low, high = (None if end is None else end + 1.0 for end in (found.low, found.high))
            yield Bar(log, name, mine.mean, low, high)
            return
        other = weekly.get(f"walltime_{self.measure}")
        # a log may have walltimes in some weeks only
        if other is not None and other.mean and len(other.sums) == len(mine.sums):
            yield gain_bar(log, name, by_weeks(other.sums, mine.sums))


@dataclass(frozen=True, slots=True)
class CountedShares:
    """Shares that are counted over all jobs or users of a replay, on each log.

    Parameters
    ----------
    place, title, axis
        Of the figure.
    logs, predictor
        Of the replays.
    figures
        A bar each, by label.
    """

    place: str
    title: str
    axis: str
    logs: tuple[str, ...]
    predictor: str
    figures: Labelled

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        bars = tuple(
            Bar(log, label, evidence.replay(log, self.predictor).figures.get(name))
            for log in self.logs
            if not evidence.missing(log)
            for label, name in self.figures
        )
        return BarChart(self.place, self.title, self.axis, (Part("", known(bars)),))


@dataclass(frozen=True, slots=True)
class ErrorBoxes:
    """The errors of predictors on each log, by the jobs' lengths: a part for each kind.

    Parameters
    ----------
    place, title
        Of the figure.
    logs
        A group of boxes each.
    parts
        What each is called, and its boxes: label, predictor, and the name of what is kept of its
        replay (`Replay.spreads`).
    """

    place: str
    title: str
    logs: tuple[str, ...]
    parts: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        here = [log for log in self.logs if not evidence.missing(log)]
        parts = tuple(
            Part(
                called,
                tuple(
                    Bar(log, label, quartiles[1], quartiles[0], quartiles[2])
                    for log in here
                    for label, predictor, name in boxes
                    if (quartiles := evidence.replay(log, predictor).spreads.get(name))
                ),
            )
            for called, boxes in self.parts
        )
        return BarChart(self.place, self.title, "estimate - run time", parts, "boxes", "h")


@dataclass(frozen=True, slots=True)
class UsersGain:
    """What users gain, from those who lose most to those who gain most: a line for each log.

    Parameters
    ----------
    place, title
        Of the figure.
    logs, predictor
        Of the replays.
    """

    place: str
    title: str
    logs: tuple[str, ...]
    predictor: str

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        bars = tuple(
            Bar(f"{100 * share:.0f} % of the users", log, value)
            for log in self.logs
            if not evidence.missing(log)
            for share, value in zip(
                TWENTIETHS,
                evidence.replay(log, self.predictor).spreads.get("users", ()),
                strict=False,
            )
        )
        axis = "error saved, on the mean"
        return BarChart(self.place, self.title, axis, (Part("", bars),), "lines", "h")
