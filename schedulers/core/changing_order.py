"""The waiting jobs in an order that changes while they wait."""

from typing import TYPE_CHECKING

from schedulers.backfilling.backfilling import LONG, place_of, take_out
from schedulers.job import Job
from schedulers.orders import Order
from schedulers.orders.order import KeysAtOnce, RowsAtOnce

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ChangingOrder:
    """Puts the waiting jobs in their order as of a date.

    The queue itself stays in the order of submission, which breaks ties. The keys of a long one
    are computed at once, where the order can, from columns that are kept from pass to pass. With
    `only_fitting`, of the jobs that ask for more processors than are free, the first alone is kept.
    """

    def __init__(self, order: Order, *, only_fitting: bool) -> None:
        self._key = order.key
        self._at_once = _at_once(order)
        self._only_fitting = only_fitting
        self._columns: NDArray[np.float64] | None = None
        self._count = 0

    def ordered(self, queue: list[Job], free: int, now: float) -> list[Job]:
        """Return the waiting jobs in their order at a date, with so many processors free.

        To the queue others may be appended; `take_out` removes from it.
        """
        if self._at_once is None or len(queue) < LONG:
            self._count = 0
            key = self._key
            return sorted(queue, key=lambda job: key(job, now))
        import numpy as np

        columns = self._filled(queue, self._at_once)
        processors = columns[0]
        keys = self._at_once.keys_of_rows(columns[1:], now)
        if not self._only_fitting:
            return [queue[place] for place in np.argsort(keys, kind="stable").tolist()]
        wanted = processors <= free
        others = np.flatnonzero(~wanted)
        if others.size:
            wanted[others[keys[others].argmin()]] = True
        places = np.flatnonzero(wanted)
        places = places[np.argsort(keys[places], kind="stable")]
        return [queue[place] for place in places.tolist()]

    def _filled(self, queue: list[Job], order: RowsAtOnce) -> "NDArray[np.float64]":
        """Return the sizes, and what the order wants to know, a column for each job."""
        import numpy as np

        count, known = len(queue), self._count
        columns = self._columns
        if columns is None or count > columns.shape[1]:
            columns = np.empty((1 + order.width, 2 * count))
            if self._columns is not None:
                columns[:, :known] = self._columns[:, :known]
            self._columns = columns
        if known < count:
            new = queue[known:]
            columns[0, known:count] = [job.processors for job in new]
            columns[1:, known:count] = np.array([order.row(job) for job in new]).T
            self._count = count
        return columns[:, :count]

    def forget(self) -> None:
        """Forget the queue, which has become another one."""
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


class _Asked:
    """An order that is asked by dates of submission, estimates and sizes, as one of rows."""

    width = 3

    def __init__(self, order: KeysAtOnce) -> None:
        self._keys = order.keys

    def row(self, job: Job) -> tuple[float, ...]:
        return job.submit_time, job.queueing, job.processors

    def keys_of_rows(self, rows: "NDArray[np.float64]", now: float) -> "NDArray[np.float64]":
        return self._keys(rows[0], rows[1], rows[2], now)


def _at_once(order: Order) -> RowsAtOnce | None:
    if isinstance(order, RowsAtOnce):
        return order
    return _Asked(order) if isinstance(order, KeysAtOnce) else None
