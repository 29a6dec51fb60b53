"""What jobs ask a site for, as arrays of shape (jobs,)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.job_arrays import Floats, Integers
from schedulers.job import Job
from schedulers.machine.machine import NEVER


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
    fields: tuple[str, ...] = ()
    """Those fields, by Batsim's names."""
    values: Sequence[tuple[object, ...]] = ()
    """What stands in them, by these numbers."""

    def by(self, fields: tuple[str, ...]) -> Integers:
        """Return the same number for jobs that have the same in some of the fields."""
        if fields == self.fields:
            return self.groups
        if not fields:
            return np.zeros(len(self.groups), np.int64)
        told = [*map(itemgetter(*map(self.fields.index, fields)), self.values)]
        numbers = {one: number for number, one in enumerate(dict.fromkeys(told))}
        return np.array([*map(numbers.__getitem__, told)], np.int64)[self.groups]

    def has_truth(self, fields: tuple[str, ...]) -> bool:
        """Say whether a truth value stands in some of the fields, which is equal to a number."""
        columns = (map(itemgetter(self.fields.index(name)), self.values) for name in fields)
        return any(bool in map(type, column) for column in columns)

    def in_order(self, order: Integers) -> "AskedOfSite":
        """Return the same of jobs in another order."""
        return AskedOfSite(
            self.groups[order],
            None if self.limits is None else self.limits[order],
            None if self.eligible is None else self.eligible[order],
            None if self.throttled is None else self.throttled[order],
            lambda number: self.make(int(order[number])),
            self.fields,
            self.values,
        )


def limited(walltime: Floats, limits: Floats | None) -> Floats:
    """Return walltimes, of jobs that are killed after a limit that limit; see `limit_walltime`."""
    if limits is None:
        return walltime
    known = (limits > 0.0) & (limits < walltime) & (walltime < NEVER)
    return np.where(known, limits, walltime)


def with_default(walltime: Floats, default: Sequence[float | None], of_job: Integers) -> Floats:
    """Return walltimes, of jobs without one the default of the partition that takes them."""
    told = [NEVER if one is None else one for one in default]
    return np.where(walltime < NEVER, walltime, np.array(told, np.float64)[of_job])


def told_apart(columns: list[NDArray[Any]]) -> tuple[Integers, Integers]:
    """Return the first of the jobs that have the same in all columns, and for each job which."""
    count = len(columns[0])
    of_job = np.zeros(count, np.int64)
    for column in columns:
        values = column
        if column.dtype.kind == "f" or column.min(initial=0) < 0:
            _, values = np.unique(column, return_inverse=True)
        of_job = _numbered(of_job * (int(values.max(initial=0)) + 1) + values)
    firsts = np.zeros(of_job.max(initial=-1) + 1, np.int64)
    firsts[of_job[::-1]] = np.arange(count)[::-1]
    return firsts, of_job


def _numbered(values: Integers) -> Integers:
    """Return the rank of each among the different values, none of which is negative."""
    most = int(values.max(initial=0))
    if most > _SPARSE * len(values):
        return np.unique(values, return_inverse=True)[1]
    there = np.zeros(most + 1, np.bool_)
    there[values] = True
    return np.cumsum(there)[values] - 1


_SPARSE = 20
"""Where so many times as many numbers as jobs are between the least and the largest, they are
sorted in place of being looked up."""
