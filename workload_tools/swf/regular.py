"""Many lines of a log in the Standard Workload Format at once, where nothing is the matter."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workload_tools.job_columns import JobColumns, counts, numbers, numerals
from workload_tools.swf.line import LARGEST_WHOLE, PARTIAL_STATUS, WHOLE_FIELDS
from workload_tools.swf.numbers import line_numbers_of

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]

_STATUS = 10
_NAMES = dict(
    zip(("user", "group", "executable", "queue", "partition"), range(11, 16), strict=True)
)
_PRECEDING = 16
_KIB_PER_GIB = 1 << 20


def regular_runs(block: bytes, *, above: float, least: int) -> Iterator[tuple[slice, Floats]]:
    """Yield the runs of lines that need not be looked at one by one.

    Comments do, and what can't be read, a job number that came before or is not as Python writes
    it, a job that may have several lines.

    Parameters
    ----------
    block
        Whole lines.
    above
        The highest job number that came before.
    least
        Of so many lines.

    Yields
    ------
    tuple
        Where the lines stand in the block, and their fields; shape (18, lines).
    """
    found = line_numbers_of(block)
    if found is None:
        return
    values, jobs = found.values, found.values[0]
    names = [*_NAMES.values(), _PRECEDING]
    regular = (
        np.isfinite(values).all(axis=0)
        & (values <= LARGEST_WHOLE).all(axis=0)
        & (values[[*WHOLE_FIELDS]] == np.rint(values[[*WHOLE_FIELDS]])).all(axis=0)
        & ~np.isin(values[_STATUS], PARTIAL_STATUS)
        & (found.as_python[names] | (values[names] < 0.0)).all(axis=0)
        & found.as_python[0]
        & (jobs > np.fmax.accumulate(np.append(max(above, 0.0), jobs))[:-1])
    )
    changes = np.flatnonzero(np.diff(regular, prepend=False, append=False)).tolist()
    for begin, end in zip(changes[::2], changes[1::2], strict=True):
        if end - begin >= least:
            yield slice(begin, end), values[:, begin:end]


@dataclass(frozen=True, slots=True, eq=False)
class RegularLines:
    """A run of lines, as jobs."""

    numbers: Floats
    """Their fields; shape (18, lines)."""
    kept: Marks
    """Which of them are jobs that ran."""
    sizes: Floats
    """The processors of those; shape (jobs,)."""
    other_sizes: int
    """How many of them have only the other number of processors."""

    @classmethod
    def of(cls, numbers: Floats, *, requested_first: bool) -> "RegularLines":
        """Say which lines are jobs.

        Parameters
        ----------
        numbers
            Of shape (18, lines).
        requested_first
            Whether a job takes the requested processors, where both are told.
        """
        size, other = (numbers[7], numbers[4]) if requested_first else (numbers[4], numbers[7])
        has_size = size > 0.0
        kept = (numbers[3] > 0.0) & (has_size | (other > 0.0)) & (numbers[1] >= 0.0)
        sizes = np.where(has_size, size, other)[kept]
        return cls(numbers, kept, sizes, int((kept & ~has_size).sum()))

    @property
    def lack_a_walltime(self) -> bool:
        """Whether any job does."""
        return bool((self.numbers[8, self.kept] <= 0.0).any())

    def out_of_order(self, latest: float) -> int:
        """Count the jobs that were submitted before the one above, the first of them at least."""
        submitted = self.numbers[1, self.kept]
        return int((submitted < np.append(latest, submitted)[:-1]).sum())

    def others(self) -> Iterator[tuple[int, str, list[float]]]:
        """Yield the lines that are no jobs: place, job number and fields."""
        for place in np.flatnonzero(~self.kept).tolist():
            fields = self.numbers[:, place].tolist()
            yield place, str(int(fields[0])), fields

    def jobs(self) -> JobColumns:
        """Make the jobs, as `workload_tools.swf.log.SwfLog` does line by line."""
        values, sizes = self.numbers[:, self.kept], self.sizes
        (
            number, submit, wait, run, allocated, _, used, requested, walltime, memory, status,
            *_, think,
        ) = values  # fmt: skip
        per_asked = np.where(requested > 0.0, requested, sizes)
        per_used = np.where(allocated > 0.0, allocated, sizes)
        ran = np.ones(len(sizes), np.bool_)
        columns = {
            "id": numerals(number),
            "submit_time": numbers(submit, ran),
            "processors": counts(sizes, ran),
            "run_time": numbers(run, ran),
            "walltime": numbers(walltime, walltime > 0.0),
            **{name: numerals(values[place]) for name, place in _NAMES.items()},
            "memory": numbers(memory * per_asked / _KIB_PER_GIB, memory >= 0.0),
            "used_memory": numbers(used * per_used / _KIB_PER_GIB, used >= 0.0),
            "requested_processors": counts(requested, requested > 0.0),
            "allocated_processors": counts(allocated, allocated > 0.0),
            "wait_time": numbers(wait, wait >= 0.0),
            "status": counts(status, status >= 0.0),
            "preceding_job": numerals(values[_PRECEDING]),
            "think_time": numbers(think, think >= 0.0),
        }
        return JobColumns({name: column for name, column in columns.items() if column is not None})
