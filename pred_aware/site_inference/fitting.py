"""The rules of a site, chosen among those for which its log has evidence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from pred_aware.execution.simulate import simulate
from pred_aware.site_inference.freezes import Stopped, freezes_of
from pred_aware.site_inference.likeness import Likeness, likeness
from pred_aware.site_inference.limits import limits_of, stopped_by
from pred_aware.site_inference.record import Record
from pred_aware.site_inference.windows import windows_of
from schedulers.site.in_words import rules_in_words
from schedulers.site.site import Site

if TYPE_CHECKING:
    from pred_aware.log.workload import Workload

LEAST_IN_EACH = 0.0125
"""By so much unlikeness must fall in each quarter of the first half,"""
LEAST_ON_MEAN = 0.05
"""and by so much on their mean."""
TRIED = 4
"""Limits that are simulated at most, those for which most was waited."""
RATIOS = (0.5, 2.0)
"""Between these the mean wait is like the recorded one,"""
CLOSE, FAIR = 0.85, 0.5
"""and from such rank correlations on a queue is close to the recorded one, or fairly so."""

Verdict = Literal["fitted", "about", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A rule that was looked at."""

    rule: str
    evidence: str
    refused: str | None
    """Why it was not taken; ``None`` if it was."""
    first: Likeness | None = None
    second: Likeness | None = None
    """Of the queue with it, on the halves of the log; ``None`` if it was not simulated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredSite:
    """A site as its log shows it, and how far its queue is the recorded one."""

    log: str
    site: Site
    steps: tuple[Step, ...]
    counted: tuple[Likeness, Likeness]
    """Of EASY on a counted machine, on the first half and on the second."""
    fitted: tuple[Likeness, Likeness]
    """With all rules that were taken."""

    @property
    def verdict(self) -> Verdict:
        """Whether what is simulated with these rules may be told of this site.

        By the second half, on which nothing was fitted: ``fitted``, ``about`` (within some
        10 points, no sign below 10), or ``none``.
        """
        test = self.fitted[1]
        if not RATIOS[0] <= test.ratio <= RATIOS[1] or test.correlation < FAIR:
            return "none"
        return "fitted" if test.correlation >= CLOSE else "about"


@dataclass(frozen=True, slots=True)
class _Candidate:
    rule: str
    evidence: str
    site: Site
    stopped: Stopped | None = None


def infer_site(
    workload: "Workload", *, progress: Callable[[str], None] | None = None
) -> InferredSite:
    """Infer the rules of a site from its log.

    Limits first, then start windows, then freezes, which the others look like. A rule is tried
    only on evidence in the first half of the jobs, and taken only if EASY's queue with it is more
    like the recorded one in both quarters of that half. The second half judges.

    Parameters
    ----------
    workload
        With the recorded waits, as `pred-aware convert` writes it.
    progress
        Told what is simulated next.

    Returns
    -------
    InferredSite
        Its freezes are read from the record of the very period, the second half's, too.

    Raises
    ------
    PredAwareError
        The log does not tell the machine's size, or when its jobs started.
    """
    return _Fit(workload, progress or (lambda _: None)).infer()


class _Fit:
    def __init__(self, workload: "Workload", progress: Callable[[str], None]) -> None:
        self._workload = workload
        self._progress = progress
        self.record = record = Record.of(workload)
        half = record.half
        self._parts = [
            slice(0, half // 2),
            slice(half // 2, half),
            slice(0, half),
            slice(half, None),
        ]
        self._rules: list[Stopped] = []

    def infer(self) -> InferredSite:
        self._progress("the counted machine")
        site = Site(name=self._workload.name, above="alone", impossible="waits")
        counted = now = self._likenesses(None)
        steps: list[Step] = []
        for candidates in (self._limits, self._windows, self._freezes):
            while True:
                tried = []
                for found in candidates(site, steps):
                    self._progress(found.rule)
                    tried.append((found, self._likenesses(found.site)))
                best = min(tried, key=lambda one: _mean(one[1]), default=None)
                taken = best is not None and _falls(now, best[1])
                for found, like in tried:
                    is_it = taken and best is not None and found is best[0]
                    if is_it or not taken:
                        steps.append(_step(found, like, None if is_it else _why_not(now, like)))
                if best is None or not taken:
                    break
                site, now = best[0].site, best[1]
                if best[0].stopped is not None:
                    self._rules.append(best[0].stopped)
        return InferredSite(
            log=self._workload.name,
            site=site,
            steps=tuple(steps),
            counted=(counted[2], counted[3]),
            fitted=(now[2], now[3]),
        )

    def _likenesses(self, site: Site | None) -> list[Likeness]:
        """Return how like the recorded queue EASY's is: on quarters of the first half, and halves."""
        run = simulate(self._workload, "easy", **({} if site is None else {"site": site}))
        wait = run.whole["waiting_time"]
        own = wait.index.str.partition("!").get_level_values(2)
        simulated = wait.set_axis(own).reindex(self.record.ids).to_numpy(float)
        ran = np.isfinite(simulated)
        return [
            likeness(self.record.wait[part][ran[part]], simulated[part][ran[part]])
            for part in self._parts
        ]

    def _limits(self, site: Site, steps: list[Step]) -> Iterator[_Candidate]:
        known = {(one.of, one.keys) for one in site.limits}
        before = {step.rule for step in steps}
        found = [
            one
            for one in limits_of(self.record, until=self.record.until)
            if (one.limit.of, one.limit.keys) not in known
        ]
        for one in found[: 2 * TRIED]:
            rule = _in_words(Site(limits=(one.limit,)))
            evidence = (
                f"{one.at_it} had exactly this as their most, {one.above} had more; "
                f"{100 * one.carried:.0f} % of the waiting ended with starts up to it, "
                f"{100 * one.broken:.1f} % of the starts break it"
            )
            if one.refusal is not None:
                if rule not in before:
                    steps.append(Step(rule=rule, evidence=evidence, refused=one.refusal))
                continue
            with_it = msgspec.structs.replace(site, limits=(*site.limits, one.limit))
            yield _Candidate(rule, evidence, with_it, stopped_by(self.record, one.limit))

    def _windows(self, site: Site, steps: list[Step]) -> Iterator[_Candidate]:
        start = self.record.start_time
        if site.windows:
            return
        if start is None:
            steps.append(
                Step(
                    rule="start windows", evidence="",
                    refused="the log does not tell when it begins",
                )
            )  # fmt: skip
            return
        for zone in dict.fromkeys((self.record.time_zone or "UTC", "UTC")):
            found = windows_of(self.record, zone, until=self.record.until, rules=tuple(self._rules))
            if found is None:
                continue
            with_it = msgspec.structs.replace(
                site,
                windows=found.windows,
                time_zone=zone,
                start=datetime.fromtimestamp(start, UTC),
            )
            evidence = (
                f"{100 * found.closed:.1f} % of the hours of classes of walltimes are closed; "
                f"{100 * found.broken:.1f} % of the starts are in them"
            )
            yield _Candidate(f"start windows, hours of {zone}", evidence, with_it, found.stopped)

    def _freezes(self, site: Site, steps: list[Step]) -> Iterator[_Candidate]:
        del steps
        if site.freezes:
            return
        found = freezes_of(self.record, rules=tuple(self._rules))
        if found is None:
            return
        with_it = msgspec.structs.replace(site, freezes=found.freezes)
        yield _Candidate(
            f"{len(found.freezes)} freezes, downtime read from the record",
            f"{100 * found.share:.1f} % of the time",
            with_it,
        )


def _mean(like: list[Likeness]) -> float:
    return (like[0].unlikeness + like[1].unlikeness) / 2.0


def _falls(before: list[Likeness], after: list[Likeness]) -> bool:
    """Say whether unlikeness falls enough in both quarters, and not by longer waits alone."""
    falls = _by_quarter(before, after)
    gained = sum(
        new.correlation - old.correlation for old, new in zip(before[:2], after[:2], strict=True)
    )
    return min(falls) >= LEAST_IN_EACH and sum(falls) / 2.0 >= LEAST_ON_MEAN and gained >= 0.0


def _by_quarter(before: list[Likeness], after: list[Likeness]) -> list[float]:
    pairs = zip(before[:2], after[:2], strict=True)
    return [float(old.unlikeness - new.unlikeness) for old, new in pairs]


def _why_not(before: list[Likeness], after: list[Likeness]) -> str:
    one, other = _by_quarter(before, after)
    if min(one, other) >= LEAST_IN_EACH and one + other >= 2.0 * LEAST_ON_MEAN:
        return "with it waits are longer, and not more those of the jobs that waited"
    return (
        "the simulated queue is not more like the recorded one in both quarters of the first half "
        f"(unlikeness {-one:+.2f}, {-other:+.2f})"
    )


def _step(found: _Candidate, like: list[Likeness], refused: str | None) -> Step:
    return Step(
        rule=found.rule, evidence=found.evidence, refused=refused, first=like[2], second=like[3]
    )


def _in_words(site: Site) -> str:
    return "; ".join(rules_in_words(site, names=True))
