"""The orders by name, guarded where they come from other packages."""

import math

from predictors import Registry
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure, require
from schedulers.job import Job
from schedulers.orders.order import Order

ORDERS = Registry("pred_aware.orders", "order")


class GuardedOrder:
    """An order of another package, which is named when it fails or its key is no number.

    One that does not say whether it changes is taken to.
    """

    def __init__(self, order: Order) -> None:
        require("order", order, "key")
        self.changes = bool(getattr(order, "changes", True))
        self._order = order

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
