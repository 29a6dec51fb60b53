"""How wrong a told change would be: known rules planted into a log, and inferred from it again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.execution.simulate import simulate
from pred_aware.log.workload import Workload
from pred_aware.recorded_queue.trust import Ground, Verdict, error_bar, ground_of
from pred_aware.site_inference.fitting import infer_site
from pred_aware.site_inference.queue_record import QueueRecord
from schedulers.site.site import Capacity, Freeze, Limit, Site, Window
from workload_tools.batsim.workload import WORKLOAD_PREFIX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from schedulers.site.site import Resource

HOUR, DAY = 3600.0, 86400.0
Watch: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Planted:
    """A made-up site."""

    site: Site | None
    known: bool = field(kw_only=True)
    """Whether inference knows rules of these forms."""
    policy: str = "easy"
    """Its scheduler."""
    held: Mapping[str, float] = field(default_factory=dict)
    """For how many seconds after its submission a job waits for something that no record tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestResult:
    """What would have been told of a site whose truth is known.

    Changes are of the mean wait, as shares of EASY's, or of the site's scheduler's.
    """

    site: str
    known: bool
    """Whether inference knows rules of these forms."""
    true: float
    counted: float
    """SelfTestResult by a machine without rules."""
    fitted: float
    """SelfTestResult with the rules that were inferred."""
    verdict: Verdict
    correlation: float
    """Of the fitted base, on the second half."""
    ratio: float = 1.0
    """Of its mean wait and the recorded one, there."""
    taken: int = 1
    """How many rules were inferred."""

    @property
    def told(self) -> float | None:
        """What the verdict lets be told; ``None`` where that is nothing."""
        if self.verdict == "none":
            return None
        return self.fitted

    @property
    def ground(self) -> Ground | None:
        """What it is told by."""
        return ground_of(self.verdict, rules=self.taken > 0)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What would have been told of sites with the found rules, and with others, on these jobs."""

    told: tuple[SelfTestResult, ...]
    ground: Ground | None
    """What changes of the log's own site are told by."""

    @property
    def error(self) -> float | None:
        """How far from the truth nine of ten changes are told at most; ``None``: none is told.

        In points of EASY's mean wait, by these sites with such a base and those that were tried on
        other logs.
        """
        if self.ground is None:
            return None
        apart = (
            100.0 * abs(one.told - one.true)
            for one in self.told
            if one.told is not None and one.ground == self.ground
        )
        return error_bar(self.ground, apart)

    @property
    def sentence(self) -> str:
        """The error bar, for somebody who decides."""
        if self.error is None:
            return "No change is told for this site, so that there is no error bar."
        return (
            f"Error bar of the base: {self.error:.0f} points. Of sites that were made up, "
            f"{len(self.told)} of them with the first jobs of this log, nine of ten changes were "
            "told within it."
        )

    @property
    def sentences(self) -> Iterator[str]:
        """What would have been told, and what is true, of each site."""
        for one in self.told:
            said = "nothing" if one.told is None else f"{100 * one.told:+.0f} %"
            yield (
                f"With {one.site} {said} would have been told, true is {100 * one.true:+.0f} %; "
                f"a machine without rules tells {100 * one.counted:+.0f} %."
            )
        yield self.sentence


def self_test(
    workload: Workload,
    found: Site,
    ground: Ground | None,
    *,
    jobs: int = 8000,
    policy: str = "recommended",
    until: float | None = None,
) -> SelfTest:
    """Plant found rules, and others in forms that inference does not know, and infer them again.

    Parameters
    ----------
    workload
        The jobs.
    found
        The rules that were found; an empty site if none was.
    ground
        What changes of the log's own site are told by.
    jobs
        So many of the first are looked at, since some twelve simulations are made for each site.
    policy
        Who is compared with EASY.
    until
        When the time for it is up, by the monotonic clock; a site that was begun is then left out.
        ``None`` for as long as it takes.
    """
    part = first_jobs(workload, jobs)
    sites = {name: one for name, one in planted_sites(part).items() if not one.known}
    if found.limits or found.windows or found.freezes:
        sites = {"the rules that were found": Planted(found, known=True), **sites}
    told: list[SelfTestResult] = []
    with suppress(TimeIsUp):
        for one in results_of(part, sites, policy=policy, watch=ends_at(until)):
            told.append(one)  # noqa: PERF402 - what was told before the time is up is kept
    return SelfTest(tuple(told), ground)


def first_jobs(workload: Workload, jobs: int) -> Workload:
    """Return a workload of the first jobs of another."""
    content = msgspec.json.decode(workload.raw.content)
    content["jobs"] = content["jobs"][:jobs]
    return Workload.of(content, workload.name)


def planted_sites(workload: Workload) -> dict[str, Planted]:
    """Return sites that make the jobs of a workload wait, by what they are called.

    Numbers are taken from what EASY has running without rules, so that they stop some jobs of any
    log.
    """
    record = _easy(workload)
    longest = float(np.quantile(record.walltime[np.isfinite(record.walltime)], 0.7))
    last = float(record.schedule.start_time.max())
    days = np.arange(3.0 * DAY, last, max(last / 24.0, 3.0 * DAY)).tolist()
    per_jobs, per_processors = (_most(record, of) for of in ("jobs", "processors"))
    machine = record.schedule.machine
    night = Window(days="Mon-Fri", closed="08:00-18:00", longer_than=longest)
    jobs, processors = _limit("jobs", per_jobs), _limit("processors", per_processors)
    down = tuple(Freeze(begin=date, end=date + 12.0 * HOUR) for date in days)
    weeks = np.arange(0.0, last, max(last / 100.0, 14.0 * DAY)).tolist()
    smaller = tuple(
        Capacity(begin=date, processors=machine if place % 2 else round(0.7 * machine))
        for place, date in enumerate(weeks)
    )
    # the last jobs may be as large as the machine
    smaller += (Capacity(begin=last + 14.0 * DAY, processors=machine),)
    minutes = float(np.quantile(record.schedule.processors * record.walltime / 60.0, 0.98)) * 2.0
    pair = Limit(of="jobs", per=("user", "queue"), most=max(2.0, per_jobs / 2.0), above="alone")
    ended = (
        Window(days="Mon-Fri", ended_by="08:00", longer_than=HOUR),
        Window(days="Mon-Fri", ended_by="17:00", longer_than=HOUR),
    )
    moved = (
        msgspec.structs.replace(jobs, end=last / 2.0),
        _limit("jobs", max(2.0, per_jobs // 2.0), begin=last / 2.0),
    )
    known = {
        "jobs a user": Site(limits=(jobs,)),
        "processors a user": Site(limits=(processors,)),
        "closed hours": Site(windows=(night,)),
        "downtime": Site(freezes=down),
        "jobs a user, closed hours": Site(limits=(jobs,), windows=(night,)),
        "jobs a user, downtime": Site(limits=(jobs,), freezes=down),
    }
    unknown = {
        "processor minutes a user": Site(limits=(_limit("processor_minutes", minutes),)),
        "jobs a user and queue": Site(limits=(pair,)),
        "a limit that is moved": Site(limits=moved),
        "must end by": Site(windows=ended),
        "fewer processors for weeks": Site(capacity=smaller),
        "a pass every 20 min": Site(cycle=1200.0),
    }
    return {name: Planted(site, known=name in known) for name, site in {**known, **unknown}.items()}


def results_of(
    workload: Workload,
    sites: Mapping[str, Planted],
    *,
    policy: str | Mapping[str, Any] = "recommended",
    refused: bool = True,
    watch: Watch | None = None,
) -> Iterator[SelfTestResult]:
    """Yield what would be told of a policy on sites that are known.

    Parameters
    ----------
    workload
        Its jobs; waits that it has recorded are not looked at.
    sites
        As `planted_sites` gives them.
    policy
        Who is compared with EASY, and in truth with the site's scheduler.
    refused
        Whether those are simulated on, too, of which nothing may be told.
    watch
        Called while it simulates, as `simulate` calls its `progress`; it may raise to end it.
    """
    change = partial(_change, policy=policy, watch=watch)
    counted = None
    for name, one in sites.items():
        found = infer_site(recorded_by(workload, one), watch=watch)
        if found.verdict == "none" and not refused:
            continue
        if counted is None:
            counted = change(workload, None)
        true = change(_held(workload, one), one.site, against=one.policy)
        fitted = change(workload, found.site) if found.taken else counted
        yield SelfTestResult(
            site=name,
            known=one.known,
            true=true,
            counted=counted,
            fitted=fitted,
            verdict=found.verdict,
            correlation=found.fitted[1].correlation,
            ratio=found.fitted[1].ratio,
            taken=len(found.taken),
        )


def recorded_by(workload: Workload, planted: Planted) -> Workload:
    """Return a workload that has recorded the waits of a simulation."""
    run = simulate(_held(workload, planted), planted.policy, site=planted.site)
    waits = dict(zip(run.ids_in_workload, run.ran["waiting_time"].tolist(), strict=True))
    content: dict[str, Any] = msgspec.json.decode(workload.raw.content)
    for job in content["jobs"]:
        job["wait_time"] = waits.get(str(job["id"]).removeprefix(WORKLOAD_PREFIX))
        # what a job had on the real machine is no part of this
        job.pop("allocated_processors", None)
    return Workload.of(content, workload.name)


def _held(workload: Workload, planted: Planted) -> Workload:
    if not planted.held:
        return workload
    content: dict[str, Any] = msgspec.json.decode(workload.raw.content)
    for job in content["jobs"]:
        if (lasts := planted.held.get(str(job["id"]))) is not None:
            job["eligible_time"] = job["subtime"] + lasts
    return Workload.of(content, workload.name)


def _change(
    workload: Workload,
    site: Site | None,
    *,
    policy: str | Mapping[str, Any],
    against: str = "easy",
    watch: Watch | None = None,
) -> float:
    """Return by which share the mean wait changes."""
    old, new = (
        float(simulate(workload, one, site=site, progress=watch).ran["waiting_time"].mean())
        for one in (against, policy)
    )
    return new / old - 1.0 if old else 0.0


def _easy(workload: Workload) -> QueueRecord:
    return QueueRecord.of(recorded_by(workload, Planted(None, known=True)))


def _limit(of: "Resource", most: float, *, begin: float | None = None) -> Limit:
    return Limit(of=of, per="user", most=most, begin=begin, above="alone")


def _most(record: QueueRecord, of: str) -> float:
    """Return half of what a busy user has running without a limit."""
    return float(max(2.0, np.floor(np.quantile(highest_of(record, of, "user"), 0.9) / 2.0)))


def highest_of(record: QueueRecord, of: str, per: str) -> "NDArray[np.float64]":
    """Return the most that each user, queue ... has running, shape (users,)."""
    schedule, codes = record.schedule, record.labels[per].codes
    each = schedule.processors if of == "processors" else np.ones(len(codes))
    highest = []
    for key in np.unique(codes):
        his = codes == key
        when = np.concatenate([schedule.end_time[his], schedule.start_time[his]])
        change = np.concatenate([-each[his], each[his]])
        highest.append(float(np.cumsum(change[np.argsort(when, kind="stable")]).max()))
    return np.array(highest)
