"""The rules of a site, chosen among those for which its log has evidence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import JobLog
from pred_aware.recorded_queue.likeness import Likeness
from pred_aware.site_configuration import site_in
from pred_aware.site_inference.holds import holds_of
from pred_aware.site_inference.inferred_site import InferredSite, Step
from pred_aware.site_inference.limits import (
    FoundLimit,
    limits_of,
    limits_of_queues,
    never_above,
    stopped_by,
)
from pred_aware.site_inference.queue_order import (
    STATED,
    QueueOrder,
    agreement,
    find_order,
    passing,
)
from pred_aware.site_inference.queue_pictures import drawn_queue
from pred_aware.site_inference.queue_record import QueueRecord, Stopped
from pred_aware.site_inference.windows import windows_of
from schedulers.site.in_words import rules_in_words
from schedulers.site.site import Limit, Site

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.site_inference.holds import Holds

LEAST_IN_EACH = 0.0125
"""By so much unlikeness must fall in each quarter of the first half,"""
LEAST_ON_MEAN = 0.05
"""and by so much on their mean."""
TRIED = 4
"""Limits that are simulated at most, those for which most was waited."""
TOLD = 4
"""Limits that are refused by evidence and told of at most."""
CHANCE = 2.0
"""So many times as much must be closed as EASY's own queue shows, where nothing is."""


def infer_site(
    workload: "JobLog | Workload",
    *,
    site: Any = None,  # noqa: ANN401 - a site, its file or its content
    queue_limits: bool = False,
    progress: Callable[[str], None] | None = None,
    watch: Callable[[int, int], None] | None = None,
    held: "Callable[[], Holds | None] | None" = None,
) -> InferredSite:
    """Infer the rules of a site from its log.

    Limits first, then start windows, which limits look like. A rule is tried only on evidence in
    the first half of the jobs, which EASY's own queue must not show as well, and taken only if
    EASY's queue with it is more like the recorded one in both quarters of that half. The second
    half judges. Downtime is never inferred: the site states it.

    Parameters
    ----------
    workload
        A log, or a workload with the recorded waits, as `pred-aware convert` writes it.
    site
        What the site states: a `Site`, its file, or the file's content. Its rules are kept, and no
        others of their kinds are inferred.
    queue_limits
        Whether each queue's highest number of running jobs in the first half is tried as its limit.
        No log alone can show that it is one.
    progress
        Told what is simulated next.
    watch
        Called while it simulates, as `simulate` calls its `progress`; it may raise to end it.
    held
        Gives what `holds_of` gives of the workload, if something else works that out meanwhile.

    Returns
    -------
    InferredSite
        With the rules that were taken.

    Raises
    ------
    PredAwareError
        The log does not tell the machine's size, or when its jobs started.
    SiteError
        The site can't be what it says.
    """
    jobs = workload.workload if isinstance(workload, JobLog) else workload
    stated = None if site is None else site_in(site)
    told = progress or (lambda _: None)
    fit = _Fit(jobs, stated, told, queue_limits=queue_limits, watch=watch, held=held)
    return fit.infer()


Rule = Callable[[QueueRecord], Stopped]
"""Says of a queue whom a rule stops."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    adds: str
    rule: str
    evidence: str
    site: Site
    stopped: Rule | None = None


@dataclass(frozen=True, slots=True)
class _Base:
    """EASY's queue with some rules."""

    like: list[Likeness]
    """On the quarters of the first half, on that half, and on the second."""
    wait: "NDArray[np.float64]"
    """Seconds, shape (jobs,); not a number for jobs that did not run."""


@dataclass
class _Fit:
    workload: "Workload"
    stated: Site | None
    progress: Callable[[str], None]
    queue_limits: bool = field(kw_only=True)
    watch: Callable[[int, int], None] | None = field(kw_only=True, default=None)
    held: "Callable[[], Holds | None] | None" = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        size = None if self.stated is None else self.stated.size
        self.record = record = QueueRecord.of(self.workload, processors=size)
        begin, half = record.begin, record.half
        quarter = (begin + half) // 2
        self._parts = [
            slice(begin, quarter), slice(quarter, half), slice(begin, half), slice(half, None)
        ]  # fmt: skip
        self._rules: list[Rule] = []
        self.steps: list[Step] = []

    def infer(self) -> InferredSite:
        self.progress("the machine without rules")
        counted = now = self._base(None)
        queues = [drawn_queue("recorded", self.record, self.record.wait)]
        queues.append(drawn_queue("simulated without rules", self.record, now.wait))
        site = Site(name=self.workload.name, above="alone", impossible="waits")
        if self.stated is not None:
            site = self.stated
            self.progress("what the site states")
            now = self._base(site)
            queues.append(drawn_queue("with what is stated", self.record, now.wait))
            told = "; ".join(rules_in_words(site, names=True)) or "what the site states"
            first, second = now.like[2:]
            self.steps.append(
                Step(rule=told, evidence="stated", refused=None, first=first, second=second)
            )
        for candidates in (self._limits, self._windows):
            while True:
                tried = [(one, self._tried(one)) for one in candidates(site, now)]
                best = _best([one for one in tried if _falls(now.like, one[1].like)])
                for found, base in tried:
                    is_it = best is not None and found is best[0]
                    if is_it or best is None:
                        refused = None if is_it else _why_not(now.like, base.like)
                        self._tell(found, base, refused)
                if best is None:
                    break
                site, now = best[0].site, best[1]
                queues.append(drawn_queue(f"+ {best[0].rule}", self.record, now.wait))
                if best[0].stopped is not None:
                    self._rules.append(best[0].stopped)
        order, site, now = self._ordered(site, now)
        if site.order is not None:
            queues.append(drawn_queue(f"+ {order.name}", self.record, now.wait))
        self.progress("what jobs waited for beside processors")
        return InferredSite(
            log=self.workload.name,
            site=site,
            order=order,
            steps=tuple(self.steps),
            counted=(counted.like[2], counted.like[3]),
            fitted=(now.like[2], now.like[3]),
            holds=(self.held and self.held()) or holds_of(self.workload, record=self.record),
            queues=tuple(queues),
        )

    def _ordered(self, site: Site, now: "_Base") -> "tuple[QueueOrder, Site, _Base]":
        """Decide on the order of the queue, and return the site and EASY's queue with it."""

        def based(order: Any) -> _Base:  # noqa: ANN401 - as the option has it
            self.progress("the priority order of the queue")
            return self._base(msgspec.structs.replace(site, order=order))

        if site.order is not None:
            evidence = f"{passing(self.record)}; {agreement(now.like)}"
            return QueueOrder(name=STATED, evidence=evidence, order=site.order), site, now
        found = find_order(self.record, now.like, lambda order: based(order).like)
        if found.order is None:
            return found, site, now
        now = based(found.order)
        first, second = now.like[2:]
        self.steps.append(
            Step(
                rule=f"priority order: {found.name}", evidence=found.evidence, refused=None,
                adds="order", first=first, second=second,
            )
        )  # fmt: skip
        return found, msgspec.structs.replace(site, order=found.order), now

    def _tried(self, found: _Candidate) -> _Base:
        self.progress(found.rule)
        return self._base(found.site)

    def _base(self, site: Site | None) -> _Base:
        """Simulate EASY, and return its waits and how like the recorded ones they are."""
        run = simulate(self.workload, "easy", site=site, progress=self.watch)
        simulated = self.record.waits_in(run)
        like = [self.record.like(simulated, part) for part in self._parts]
        return _Base(like, simulated)

    def _stopped(self, queue: QueueRecord) -> tuple[Stopped, ...]:
        return tuple(rule(queue) for rule in self._rules)

    def _tell(self, found: _Candidate, base: _Base, refused: str | None) -> None:
        first, second = base.like[2:]
        rule, evidence = found.rule, found.evidence
        self.steps.append(
            Step(
                rule=rule, evidence=evidence, refused=refused, adds=found.adds,
                first=first, second=second,
            )
        )  # fmt: skip

    def _refuse(self, rule: str, evidence: str, why: str) -> None:
        if all(step.rule != rule for step in self.steps):
            self.steps.append(Step(rule=rule, evidence=evidence, refused=why))

    def _limits(self, site: Site, now: _Base) -> Iterator[_Candidate]:
        if self.stated is not None and self.stated.limits:
            return
        until, known = self.record.until, {(one.of, one.keys) for one in site.limits}
        own = {_key(one.limit) for one in self._by_chance(now) if one.refusal is None}
        told = 0
        tried = 0
        for one in limits_of(self.record, until=until):
            if (one.limit.of, one.limit.keys) in known:
                continue
            rule, evidence = _in_words(one.limit), one.evidence
            refusal = one.refusal
            if refusal is None and _key(one.limit) in own:
                refusal = "EASY's own queue, where nobody has a limit, shows it as well"
            if refusal is None and tried < TRIED:
                tried += 1
                yield self._with(site, one.limit, evidence)
            elif refusal is not None and told < TOLD:
                told += 1
                self._refuse(rule, evidence, refusal)
        for one in never_above(self.record, self.record.simulated(now.wait), until=until):
            if (one.limit.of, one.limit.keys) not in known and tried < TRIED:
                tried += 1
                yield self._with(site, one.limit, one.evidence)
        if ("jobs", ("queue",)) not in known:
            yield from self._queues(site)

    def _queues(self, site: Site) -> Iterator[_Candidate]:
        found = limits_of_queues(self.record, until=self.record.until)
        if found is None:
            return
        if found.shown is not None:
            yield self._with(site, found.shown, "in two months each had exactly this as its most")
        if self.queue_limits:
            yield self._with(site, found.every, "the most of each in the first half")
        elif found.every != found.shown:
            most = ", ".join(f"{number:g} in {name}" for name, number in found.every.by.items())
            rule = f"each queue's most running jobs ({most})"
            self._refuse(
                rule, "the most of each in the first half",
                "no log shows that this is a rule: ask the site, or try it (--queue-limits)",
            )  # fmt: skip

    def _with(self, site: Site, limit: Limit, evidence: str) -> _Candidate:
        limits = (*site.limits, limit)
        with_it = msgspec.structs.replace(site, limits=limits)
        return _Candidate(
            "limits", _in_words(limit), evidence, with_it, lambda queue: stopped_by(queue, limit)
        )

    def _by_chance(self, now: _Base) -> list[FoundLimit]:
        """Return the limits that EASY's own queue seems to have."""
        return limits_of(self.record.simulated(now.wait), until=self.record.until)

    def _windows(self, site: Site, now: _Base) -> Iterator[_Candidate]:
        start, record = self.record.start_time, self.record
        if site.windows:
            return
        if start is None:
            self._refuse("start windows", "", "the log does not tell when it begins")
            return
        own = record.simulated(now.wait)
        for zone in dict.fromkeys((record.time_zone or "UTC", "UTC")):
            dated = msgspec.structs.replace(
                site, time_zone=zone, start=datetime.fromtimestamp(start, UTC)
            )
            by_chance = windows_of(own, zone, until=record.until, rules=self._stopped(own))
            chance = 0.0 if by_chance is None else by_chance.closed
            found = windows_of(record, zone, until=record.until, rules=self._stopped(record))
            if found is None:
                continue
            rule = f"start windows, hours of {zone}"
            refusal = found.refusal
            if refusal is None and found.closed < CHANCE * chance:
                refusal = f"EASY's own queue, which has none, shows {100 * chance:.1f} %"
            if refusal is not None:
                self._refuse(rule, found.evidence, refusal)
                continue
            with_it = msgspec.structs.replace(dated, windows=found.windows)
            yield _Candidate("windows", rule, found.evidence, with_it, found.stopped)


def _best(tried: "list[tuple[_Candidate, _Base]]") -> "tuple[_Candidate, _Base] | None":
    """Return the rule with which the queue is most like the recorded one."""
    return min(tried, key=lambda one: _mean(one[1].like), default=None)


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


def _key(limit: Limit) -> tuple[object, ...]:
    return limit.of, limit.keys, limit.most


def _in_words(limit: Limit) -> str:
    return rules_in_words(Site(limits=(limit,)), names=True)[0]
