"""The contract of an order."""

import math
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from predictors import Registry
from schedulers.errors import SchedulerError
from schedulers.foreign import Guard, described, failure, require
from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from schedulers.site.site import Site


class Order(Protocol):
    """The order in which jobs wait."""

    @property
    def changes(self) -> bool:
        """Whether the order of two waiting jobs may change while they wait.

        Then the queue is sorted anew at each pass. It counts once the site is known.
        """
        ...

    def key(self, job: Job, now: float) -> float:
        """Return what the queue is sorted by, smallest first; equal ones by submission.

        `now` is the date in seconds.
        """
        ...


@runtime_checkable
class KeysAtOnce(Protocol):
    """An order that computes the keys of a long queue at once, which is faster."""

    def keys(
        self,
        submitted: "NDArray[np.float64]",
        estimates: "NDArray[np.float64]",
        processors: "NDArray[np.float64]",
        now: float,
    ) -> "NDArray[np.float64]":
        """Return the key of each job, to the last bit as `Order.key` returns it.

        Dates of submission and estimates for queueing are in seconds; all of shape (jobs,).
        """
        ...


@runtime_checkable
class RowsAtOnce(Protocol):
    """An order that computes the keys of a long queue at once, of what it wants to know itself."""

    width: int
    """How many numbers it keeps of a job."""

    def row(self, job: Job) -> tuple[float, ...]:
        """Return numbers of a waiting job that do not change while it waits."""
        ...

    def keys_of_rows(self, rows: "NDArray[np.float64]", now: float) -> "NDArray[np.float64]":
        """Return the key of each job, as `Order.key` returns it.

        `rows` has the shape (width, jobs).
        """
        ...


class OnSite(Protocol):
    """An order that looks at the site; either method is called where it has it."""

    def on_site(self, site: "Site | None") -> None:
        """Take over a site's configuration, before anything else; ``None`` where there is none."""
        ...

    def begin(self, processors: int) -> None:
        """Take over an idle machine of so many processors; before the first job."""
        ...


class Observer(Protocol):
    """An order that is told what becomes of the jobs; each method is called where it has it.

    With ``needs_fields = True`` jobs have their `fields`.
    """

    def submitted(self, job: Job, now: float) -> None:
        """Note a job that will wait."""
        ...

    def started(self, job: Job, now: float) -> None:
        """Note a job that starts."""
        ...

    def ended(self, job: Job, now: float) -> None:
        """Note a job that has ended, of which it was told when it started.

        Jobs of the past that are told first, by the option `history`, have dates up to 0.
        """
        ...


OPTIONAL = ("on_site", "begin", "submitted", "started", "ended")
"""The methods that an order may have beside `Order.key`."""

ORDERS = Registry("pred_aware.orders", "order")


class GuardedOrder:
    """An order of another package, which is named when it fails or its key is no number.

    One that does not say whether it changes is taken to.
    """

    def __init__(self, order: Order) -> None:
        require("order", order, "key")
        self.needs_fields = bool(getattr(order, "needs_fields", False))
        self._order = order
        guard = Guard("order", order)
        for name in OPTIONAL:
            if hasattr(order, name):
                setattr(self, name, getattr(guard, name))

    @property
    def changes(self) -> bool:
        """Whether it may change while jobs wait, as it says by now."""
        return bool(getattr(self._order, "changes", True))

    def key(self, job: Job, now: float) -> float:
        """Return the order's key; a `SchedulerError` where it fails or is no number."""
        try:
            key = float(self._order.key(job, now))
        except Exception as error:
            raise failure("order", self._order, error, job_id=job.id) from error
        if math.isnan(key):
            raise SchedulerError(
                f"order {described(self._order)} answered nan for job '{job.id}'; it must answer "
                "a number, smaller for what comes first"
            )
        return key


def guarded(order: Order) -> Order:
    """Guard an order from outside of this package; ours need none, and are asked very often."""
    if type(order).__module__.startswith("schedulers.orders."):
        return order
    return GuardedOrder(order)
