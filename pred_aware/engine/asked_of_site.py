"""What jobs ask a site for, as arrays of shape (jobs,)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.job_arrays import Floats, Integers
from schedulers.job import Job
from schedulers.machine.machine import NEVER
from schedulers.site.kinds import Kind


@dataclass(frozen=True, slots=True)
class AskedOfSite:
    """What the jobs ask a site for; arrays of shape (jobs,), in the order of the kernel's jobs."""

    groups: Integers
    """The same number for jobs that have the same in the fields that make a difference."""
    limits: Floats | None
    """After how many seconds they are killed, whatever their walltimes; NaN where that is not
    said."""
    eligible: Floats | None
    """From when on they can run by themselves, likewise."""
    throttled: Floats | None
    """How many tasks of their arrays may run at once, likewise."""
    make: Callable[[int], Job]
    """Makes a job, as the policy would be told of it."""

    def in_order(self, order: Integers) -> "AskedOfSite":
        """Return the same of jobs in another order."""
        return AskedOfSite(
            self.groups[order],
            None if self.limits is None else self.limits[order],
            None if self.eligible is None else self.eligible[order],
            None if self.throttled is None else self.throttled[order],
            lambda number: self.make(int(order[number])),
        )


def limited(walltime: Floats, limits: Floats | None) -> Floats:
    """Return walltimes, of jobs that are killed after a limit that limit; see `limit_walltime`."""
    if limits is None:
        return walltime
    known = (limits > 0.0) & (limits < walltime) & (walltime < NEVER)
    return np.where(known, limits, walltime)


def with_default(walltime: Floats, kinds: list[Kind], of_job: Integers) -> Floats:
    """Return walltimes, of jobs without one the default of the partition that takes them."""
    default = [NEVER if kind.walltime is None else kind.walltime for kind in kinds]
    return np.where(walltime < NEVER, walltime, np.array(default, np.float64)[of_job])


def told_apart(columns: list[NDArray[Any]]) -> tuple[Integers, Integers]:
    """Return the first of the jobs that have the same in all columns, and for each job which."""
    of_job = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, values = np.unique(column, return_inverse=True)
        _, of_job = np.unique(of_job * (values.max(initial=0) + 1) + values, return_inverse=True)
    _, firsts = np.unique(of_job, return_index=True)
    return firsts, of_job
