"""Infer the rules of a site from its log."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import JobLog
from pred_aware.recorded_queue.free_processors import WaitingMoments, waiting
from pred_aware.recorded_queue.limits import ApparentLimit, find_limits
from pred_aware.site_configuration import site_in
from pred_aware.site_inference.inferred_site import InferredSite, Step
from pred_aware.site_inference.queue_order import (
    STATED,
    Like,
    QueueOrder,
    agreement,
    find_order,
    overtaking,
)
from pred_aware.site_inference.queue_record import QueueRecord
from pred_aware.site_inference.windows import windows_of
from schedulers.site.in_words import rules_in_words, window_in_words
from schedulers.site.site import Limit, Site

if TYPE_CHECKING:
    from pred_aware.log.workload import Workload


def infer_site(
    workload: "JobLog | Workload",
    *,
    site: Any = None,  # noqa: ANN401 - a site, its file or its content
    progress: Callable[[str], None] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> InferredSite:
    """Infer the rules of a site and the order of its queue from its log.

    The function infers limits, then closed hours, then the priority order. A rule is accepted if it
    explains why jobs waited although they could have started without delaying another job, and if
    hardly any job started against the rule. The rules come from the first half of the jobs, and the
    second half tests the rules. Downtime is never inferred; the site must state downtime.

    Parameters
    ----------
    workload
        A log, or a workload with the recorded waits, as `pred-aware convert` writes it.
    site
        The stated rules: a `Site`, its file, or the file's content. A stated order replaces the
        inferred one. If limits, windows, nodes or partitions are stated, no rules are inferred.
    progress
        Called with a description of the next simulation.
    watch
        Called during simulations, as `simulate` calls its `progress`. An exception that `watch`
        raises ends the inference.

    Returns
    -------
    InferredSite
        The site with the accepted rules.

    Raises
    ------
    PredAwareError
        The log has no machine size, or too few jobs with known starts.
    SiteError
        The stated site is invalid.
    """
    jobs = workload.workload if isinstance(workload, JobLog) else workload
    stated = None if site is None else site_in(site)
    return _Inference(jobs, stated, progress or (lambda _: None), watch).infer()


@dataclass
class _Inference:
    workload: "Workload"
    stated: Site | None
    progress: Callable[[str], None]
    watch: Callable[[int, int], None] | None
    steps: list[Step] = field(default_factory=list)

    def infer(self) -> InferredSite:
        size = None if self.stated is None else self.stated.size
        self.record = record = QueueRecord.of(self.workload, processors=size)
        self.progress("the machine without rules")
        counted = now = self._simulated(None)
        site = Site(name=self.workload.name, above="alone", impossible="waits")
        if self.stated is not None:
            site = self.stated
            now = self._simulated(site)
            rules = "; ".join(rules_in_words(site, names=True)) or "what the site states"
            self.steps.append(Step(rule=rules, evidence="stated"))
        seen = waiting(record.schedule)
        # jobs submitted early waited for jobs that the log does not contain
        seen = seen.only(seen.job >= record.begin)
        site, unexplained = self._rules(site, seen)
        if any(step.adds and step.refused is None for step in self.steps):
            self.progress("the rules that were found")
            now = self._simulated(site)
        order, site, now = self._ordered(site, now, unexplained)
        return InferredSite(
            log=self.workload.name,
            site=site,
            order=order,
            steps=tuple(self.steps),
            counted=(counted[2], counted[3]),
            fitted=(now[2], now[3]),
            record=record,
            waiting=seen,
            unexplained=unexplained,
        )

    def _simulated(self, site: Site | None) -> Like:
        """Simulate EASY and compare its waits with the recorded waits.

        The result has four comparisons: for the two quarters of the first half of the jobs, for the
        first half, and for the second half.
        """
        run = simulate(self.workload, "easy", site=site, progress=self.watch)
        wait, begin, half = self.record.waits_in(run), self.record.begin, self.record.half
        middle = (begin + half) // 2
        parts = slice(begin, middle), slice(middle, half), slice(begin, half), slice(half, None)
        return [self.record.similarity(wait, part) for part in parts]

    def _rules(self, site: Site, seen: WaitingMoments) -> tuple[Site, float | None]:
        """Return the site with limits and closed hours, and the unexplained share of waiting."""
        until = self.record.until
        total = max(1, int((seen.date < until).sum()))
        left = seen.startable.only(seen.startable.date < until)
        if site.limits or site.windows or site.nodes or site.partitions:
            # infer no rules, because the log does not show which stated rule stopped a job
            return site, None
        found, left = find_limits(self.record.schedule, seen, self.record.labels, until=until)
        for one in found:
            limit = _limit(one)
            self.steps.append(Step(rule=_in_words(limit), evidence=str(one), adds="limits"))
            site = msgspec.structs.replace(site, limits=(*site.limits, limit))
        start = self.record.start_time
        if start is None:
            return site, len(left) / total
        zones = dict.fromkeys((self.record.time_zone or "UTC", "UTC"))
        tried = [windows_of(self.record, left, zone, until=until) for zone in zones]
        best = max(tried, key=lambda each: sum(one.share for one in each if not one.refusal))
        explained = np.zeros(len(left), bool)
        for hours in best:
            rule = f"{window_in_words(hours.window)}, {hours.time_zone}"
            step = Step(rule=rule, evidence=str(hours), adds="windows", refused=hours.refusal)
            self.steps.append(step)
            if hours.refusal is None:
                explained |= hours.explained
                site = msgspec.structs.replace(
                    site, windows=(*site.windows, hours.window), time_zone=hours.time_zone,
                    start=datetime.fromtimestamp(start, UTC),
                )  # fmt: skip
        return site, float((~explained).sum()) / total

    def _ordered(
        self, site: Site, now: Like, unexplained: float | None
    ) -> tuple[QueueOrder, Site, Like]:
        """Return the order of the queue, the site with this order, and the simulated waits' fit."""

        def based(order: Any) -> Like:  # noqa: ANN401 - a value of the option `order`
            self.progress("the priority order of the queue")
            return self._simulated(msgspec.structs.replace(site, order=order))

        if site.order is not None:
            evidence = f"{overtaking(self.record)}; {agreement(now)}"
            return QueueOrder(name=STATED, evidence=evidence, order=site.order), site, now
        found = find_order(self.record, now, based, unexplained=unexplained or 0.0)
        if found.order is None:
            return found, site, now
        step = Step(rule=f"priority order: {found.name}", evidence=found.evidence, adds="order")
        self.steps.append(step)
        return found, msgspec.structs.replace(site, order=found.order), based(found.order)


def _limit(found: ApparentLimit) -> Limit:
    of, per = found.of, found.per
    most = {"most": found.most} if found.name is None else {"by": {found.name: found.most}}
    return Limit(of=of, per=per, above="alone", inferred=True, **most)  # type: ignore[arg-type]


def _in_words(limit: Limit) -> str:
    return rules_in_words(Site(limits=(limit,)), names=True)[0]
