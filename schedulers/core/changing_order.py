"""The waiting jobs in an order that computes the keys of many jobs at once."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from schedulers.core.job import Job, place_of, take_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONG = 100
"""Keys are computed for all waiting jobs at once when at least this many wait."""


@runtime_checkable
class RowsAtOnce(Protocol):
    """An order that computes the keys of a long queue at once, from rows of numbers."""

    width: int
    """The number of values that the order keeps for each job."""

    def key(self, job: Job, now: float) -> float:
        """Return the key of one job; see `Order`."""
        ...

    def row(self, job: Job) -> tuple[float, ...]:
        """Return the values of a job that do not change while it waits."""
        ...

    def keys_of_rows(self, rows: "NDArray[np.float64]", now: float) -> "NDArray[np.float64]":
        """Return the `key` of each job. `rows` has the shape (width, jobs)."""
        ...


class SortedRows:
    """Sorts the waiting jobs as of a date.

    The queue itself stays in the order of submission, which breaks ties. For a long queue, the rows
    of values are kept between passes. With `only_fitting`, the result has the jobs that fit and the
    first job that does not.
    """

    def __init__(self, order: RowsAtOnce, *, only_fitting: bool) -> None:
        self._order = order
        self._only_fitting = only_fitting
        self._columns: NDArray[np.float64] | None = None
        self._count = 0

    def ordered(self, queue: list[Job], free: int, now: float) -> list[Job]:
        """Return the waiting jobs sorted as of `now`, with `free` free processors.

        Between calls, jobs may be appended to the queue. Use `take_out` to remove jobs.
        """
        if len(queue) < LONG:
            self._count = 0
            if len(queue) == 1:
                return queue[:]
            key = self._order.key
            return sorted(queue, key=lambda job: key(job, now))
        import numpy as np

        columns = self._filled(queue)
        processors = columns[0]
        keys = self._order.keys_of_rows(columns[1:], now)
        if not self._only_fitting:
            return [queue[place] for place in np.argsort(keys, kind="stable").tolist()]
        wanted = processors <= free
        others = np.flatnonzero(~wanted)
        if others.size:
            wanted[others[keys[others].argmin()]] = True
        places = np.flatnonzero(wanted)
        places = places[np.argsort(keys[places], kind="stable")]
        return [queue[place] for place in places.tolist()]

    def _filled(self, queue: list[Job]) -> "NDArray[np.float64]":
        """Return sizes and values of the jobs, one column for each job."""
        import numpy as np

        count, known = len(queue), self._count
        columns = self._columns
        if columns is None or count > columns.shape[1]:
            columns = np.empty((1 + self._order.width, 2 * count))
            if self._columns is not None:
                columns[:, :known] = self._columns[:, :known]
            self._columns = columns
        if known < count:
            new = queue[known:]
            columns[0, known:count] = [job.processors for job in new]
            columns[1:, known:count] = np.array([self._order.row(job) for job in new]).T
            self._count = count
        return columns[:, :count]

    def forget(self) -> None:
        """Forget the kept values, because the queue was replaced."""
        self._count = 0

    def take_out(self, queue: list[Job], jobs: list[Job]) -> None:
        """Remove jobs that start from the queue."""
        count, columns = self._count, self._columns
        if not count or columns is None:
            take_out(queue, jobs)
            return
        for job in jobs:
            place = place_of(queue, job)
            del queue[place]
            columns[:, place : count - 1] = columns[:, place + 1 : count]
            count -= 1
        self._count = count
