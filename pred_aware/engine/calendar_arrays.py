"""OpenPBS's calendar as arrays."""

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.job_arrays import Floats
from pred_aware.engine.kernel.calendar_values import Calendar, LimitsOverTime
from pred_aware.engine.site_arrays import SiteArrays
from schedulers.backfilling.openpbs import OpenPbsCalendar


def calendar_of(
    backfilling: OpenPbsCalendar | None,
    asked: AskedOfSite | None,
    submit: Floats,
    *,
    site: SiteArrays | None,
    processors: int,
) -> Calendar | None:
    """Return the calendar of a backfilling for a machine of some size; `None` without one."""
    if backfilling is None or asked is None:
        return None
    since, told = submit, backfilling.told
    if asked.eligible is not None:
        since = np.where(np.isnan(asked.eligible), submit, asked.eligible)
    return Calendar(
        # of each job an end, or the start and end of a place
        events=np.zeros(2 * len(submit)),
        since=since,
        at=np.array([0.0, np.inf, np.inf]),
        counts=np.zeros(1, np.int64),
        strict=told.strict_ordering,
        depth=told.backfill_depth,
        window=backfilling.window,
        epoch=backfilling.epoch,
        starves_after=told.max_starve,
        iteration=float(told.scheduler_iteration),
        limits=None if site is None else _limits(backfilling, site, processors),
    )


def _limits(backfilling: OpenPbsCalendar, site: SiteArrays, processors: int) -> LimitsOverTime:
    gate = site.gate
    jobs = len(gate.jobs.alike)
    counters = int(np.diff(gate.alikes.stopping).max(initial=0))
    running = min(jobs, processors)
    return LimitsOverTime(
        there=backfilling.plain is None and site.has_limits,
        whole=np.zeros(jobs, np.int64),
        stopped=np.zeros(jobs, np.int64),
        running=np.zeros(running, np.int64),
        begins=np.zeros(counters + 1, np.int64),
        ends=np.zeros(counters * running),
        amounts=np.zeros(counters * running),
        rates=np.zeros(counters * running),
        tops=np.zeros(jobs, np.int64),
        dates=np.zeros((jobs, 2)),
        counts=np.zeros(3, np.int64),
    )
