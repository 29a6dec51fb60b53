"""What predictors see of a workload's jobs, as columns."""

from functools import cached_property
from typing import Any

import numpy as np

from pred_aware.engine.job_arrays import Floats, Integers
from predictors.regression.encoding import LARGEST, MISSING, TEXTS
from workload_tools.batsim.fields import BATSIM_NAMES, known
from workload_tools.batsim.workload import UNREADABLE, Distinct, RawWorkload, distinct
from workload_tools.changes.redated import RedatedDetails

_NOBODY = -1


class UnclearError(Exception):
    """A workload has what only job by job can be understood."""


class Submissions:
    """What predictors see of the jobs, in the order in which the kernel has them.

    Parameters
    ----------
    raw, order
        The workload, and the place in it of each of the kernel's jobs.
    processors, walltime
        Of these; infinite where there is no walltime.

    Raises
    ------
    UnclearError
        By each method: the field has what only job by job can be understood.
    """

    def __init__(
        self, raw: RawWorkload, order: Integers, *, processors: Integers, walltime: Floats
    ) -> None:
        self._raw = raw
        self._order = order
        self._given = {
            "processors": processors.astype(np.float64),
            "walltime": np.where(walltime < np.inf, walltime, np.nan),
        }

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        try:
            return self._raw.details.columns()
        except UNREADABLE as error:
            raise UnclearError from error

    def numbers(self, name: str) -> Floats:
        """Return a field that is a number, -1 where it is not known; shape (jobs,)."""
        column = self._given.get(name)
        if column is None:
            values, places = self._distinct(name)
            # None becomes NaN
            column = np.array(values, np.float64)[places]
        return np.where(np.isnan(column), MISSING, column)

    def inputs(self, name: str) -> Floats:
        """Return a field as a model takes it; see `known_number`. Texts are numbered."""
        if name in TEXTS:
            return self.texts(name).astype(np.float64)
        return np.clip(self.numbers(name), -LARGEST, LARGEST)

    def texts(self, name: str) -> Integers:
        """Return a number for each text of a field, -1 where it is not known; shape (jobs,)."""
        values, places = self._distinct(name)
        numbers = {None: _NOBODY}
        codes = [numbers.setdefault(value, len(numbers) - 1) for value in values]
        return np.array(codes, np.int64)[places]

    def _distinct(self, name: str) -> tuple[list[Any], Integers]:
        """Return the different values of a field, as predictors have them, and each job's."""
        keys = {BATSIM_NAMES.get(name, name), name} & self._names
        if not keys:
            return [None], np.zeros(len(self._order), np.int64)
        [key, *others] = keys
        # of two keys of one field each job has its own last
        found = None if others else self._found(key)
        if found is None:
            raise UnclearError
        wanted = frozenset({name})
        values = [known({key: value}, wanted).get(name) for value in found.values]
        return values, found.of_job[self._order]

    @cached_property
    def _names(self) -> set[str]:
        details = self._raw.details
        return {*(details.names if isinstance(details, RedatedDetails) else self._columns)}

    def _found(self, key: str) -> Distinct | None:
        details = self._raw.details
        if isinstance(details, RedatedDetails):
            try:
                return details.distinct(key)
            except UNREADABLE as error:
                raise UnclearError from error
        return distinct(self._columns[key])
