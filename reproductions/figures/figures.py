"""The papers' figures and tables, from what was simulated and replayed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pred_aware.report import LESS, Bar, BarChart, Part, Table
from pred_aware.statistics import Interval
from reproductions.checks.of_simulations import JobClass

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


class PaperFigure(Protocol):
    """A figure of a paper."""

    def drawn(self, evidence: "Evidence") -> BarChart | Table | None:
        """Return it with its values on the logs that are at hand; ``None`` where there are none."""
        ...


Labelled = tuple[tuple[str, str], ...]
"""Labels with names."""
Variants = tuple[tuple[str, str], ...]
"""Suffixes of names with what they are called."""

_WAIT = "mean_waiting_time"


def _gain(base: str) -> str:
    return f"{LESS} under {base.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class Gains:
    """By how much policies have less of some measures than another, on each log.

    Parameters
    ----------
    place, title
        Of the figure.
    logs
        A part each.
    policies, measures
        Labels and names, in their order.
    base
        What the policies are compared with.
    variants
        Suffixes of the policies' names, with what they are called.
    """

    place: str
    title: str
    logs: tuple[str, ...]
    policies: Labelled
    base: str
    measures: Labelled
    variants: Variants = (("", ""),)

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        parts = tuple(self._parts(evidence))
        return BarChart(self.place, self.title, _gain(self.base), parts)

    def _parts(self, evidence: "Evidence") -> Iterator[Part]:
        for log, suffix, called in _cases(evidence, self.logs, self.variants):
            bars = [
                gain_bar(
                    label,
                    shown,
                    evidence.simulated.difference(log, name + suffix, self.base + suffix, measure),
                )
                for label, name in self.policies
                for shown, measure in self.measures
            ]
            yield Part(called, known(bars))


@dataclass(frozen=True, slots=True)
class AcrossLogs:
    """By how much policies have less of a measure than another: a group of bars for each log.

    Parameters
    ----------
    place, title
        Of the figure.
    logs
        A group of bars each.
    policies
        A bar each, by label and name.
    base, measure
        What they are compared with, and in.
    """

    place: str
    title: str
    logs: tuple[str, ...]
    policies: Labelled
    base: str
    measure: str

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        bars = tuple(
            gain_bar(log, label, evidence.simulated.difference(log, name, self.base, self.measure))
            for log in self.logs
            if not evidence.missing(log)
            for label, name in self.policies
        )
        return BarChart(self.place, self.title, _gain(self.base), (Part("", known(bars)),))


@dataclass(frozen=True, slots=True)
class Starts:
    """How policies start jobs, as shares of them; the parameters are those of `Gains`."""

    place: str
    title: str
    logs: tuple[str, ...]
    policies: Labelled
    kinds: Labelled
    variants: Variants = (("", ""),)

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        parts = tuple(self._parts(evidence))
        return BarChart(self.place, self.title, "of the jobs", parts, kind="stacks")

    def _parts(self, evidence: "Evidence") -> Iterator[Part]:
        for log, suffix, called in _cases(evidence, self.logs, self.variants):
            found = [
                (label, shown, evidence.simulated.mean(log, name + suffix, measure))
                for label, name in self.policies
                for shown, measure in self.kinds
            ]
            bars = [
                Bar(label, shown, mean.value, mean.low, mean.high) for label, shown, mean in found
            ]
            yield Part(called, known(bars))


@dataclass(frozen=True, slots=True)
class WaitsInClasses:
    """How long classes of jobs wait under policies, or by how much less than under another.

    Parameters
    ----------
    place, title, logs, policies, variants
        As for `Gains`.
    classes
        A group of bars each.
    base
        What the policies are compared with; empty for the waits themselves.
    """

    place: str
    title: str
    logs: tuple[str, ...]
    policies: Labelled
    classes: tuple[JobClass, ...]
    base: str = ""
    variants: Variants = (("", ""),)

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return it with its values."""
        parts = tuple(
            Part(
                called,
                known(
                    self._bar(evidence, log, jobs, label=label, name=name, suffix=suffix)
                    for jobs in self.classes
                    for label, name in self.policies
                ),
            )
            for log, suffix, called in _cases(evidence, self.logs, self.variants)
        )
        if self.base:
            return BarChart(self.place, self.title, _gain(self.base), parts)
        return BarChart(self.place, self.title, "mean wait", parts, unit="h")

    def _bar(
        self,
        evidence: "Evidence",
        log: str,
        jobs: JobClass,
        *,
        label: str,
        name: str,
        suffix: str,
    ) -> Bar:
        policy, simulated = name + suffix, evidence.simulated
        if not self.base:
            mean = simulated.mean(log, policy, _WAIT, jobs=jobs)
            return Bar(jobs.label, label, mean.value, mean.low, mean.high)
        base = self.base + suffix
        found = simulated.difference(log, policy, base, _WAIT, jobs=jobs, others=jobs)
        return gain_bar(jobs.label, label, found)


def _cases(
    evidence: "Evidence", logs: tuple[str, ...], variants: Variants
) -> Iterator[tuple[str, str, str]]:
    """Yield the logs that are at hand in each variant: log, suffix, and what both are called."""
    for suffix, called in variants:
        for log in logs:
            if not evidence.missing(log):
                yield log, suffix, log + called


def known(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """Leave out bars without a value."""
    return tuple(bar for bar in bars if bar.value is not None)


def gain_bar(category: str, series: str, found: Interval) -> Bar:
    """Return a bar of by how much less a difference is."""
    # and not -0.0 where nothing changes
    value, low, high = (
        None if end is None else 0.0 - end for end in (found.value, found.high, found.low)
    )
    return Bar(category, series, value, low, high)
