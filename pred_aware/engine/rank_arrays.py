"""The order of OpenPBS as ranks, where jobs keep their places while they wait."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite, told_apart
from pred_aware.engine.job_arrays import Floats, JobArrays
from schedulers.job import Job
from schedulers.orders.pbs import Pbs

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ranks_of(
    order: Pbs | None,
    asked: AskedOfSite | None,
    jobs: JobArrays,
    settle: Callable[[Job, float], None] | None,
) -> Floats:
    """Return the place of each job among all; of none where the order has no ranks.

    Parameters
    ----------
    order
        The order, if it has.
    asked, jobs
        What the jobs ask for, as the kernel has it.
    settle
        Gives a job that is submitted what its site gives it.
    """
    if order is None or asked is None:
        return np.zeros(0)
    columns: list[NDArray[Any]] = [asked.by(order.fields)]
    if order.by_request:
        columns += [jobs.processors, jobs.walltime]
    firsts, of_kind = told_apart(columns)
    kinds = []
    for first in firsts.tolist():
        job = asked.make(first)
        if settle is not None:
            settle(job, float(jobs.submit[first]))
        kinds.append(order.unchanging(job))
    places = {kind: place for place, kind in enumerate(sorted({*kinds}))}
    of_kinds = np.array([places[kind] for kind in kinds], np.int64)
    ranks = np.empty(len(of_kind))
    ranks[np.argsort(of_kinds[of_kind], kind="stable")] = np.arange(len(of_kind))
    return ranks
