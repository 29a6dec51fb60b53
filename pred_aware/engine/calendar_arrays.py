"""OpenPBS's calendar as arrays."""

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.job_arrays import Floats
from pred_aware.engine.kernel.calendar_values import Calendar
from schedulers.backfilling.openpbs import OpenPbsCalendar


def calendar_of(
    backfilling: OpenPbsCalendar | None, asked: AskedOfSite | None, submit: Floats
) -> Calendar | None:
    """Return the calendar of a backfilling, with the dates of submission; `None` without one."""
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
    )
