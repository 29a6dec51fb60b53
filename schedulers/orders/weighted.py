"""A weighted sum of orders."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from predictors import OptionError
from predictors.checks import require_number
from schedulers.core.job import Job
from schedulers.guarded import OPTIONAL, guarded_order
from schedulers.orders import ORDERS, Order


@dataclass(eq=False)
class Weighted(Order):
    """Sorts jobs by the weighted sum of other orders' keys, the smallest sum first.

    The keys are not scaled, so choose weights that suit their units. `fcfs` counts submissions,
    `sjf` seconds and `saf` processor seconds. The keys of `lxf` and `wfp` are minus their scores.

    Examples
    --------
    >>> order = Weighted({"sjf": 1.0, "wfp": 600.0})
    >>> job = Job("w0!1", 0.0, 4, 60.0, queueing=60.0)
    >>> order.key(job, 0.0), order.key(job, 60.0)
    (60.0, -2340.0)
    """

    weights: Mapping[str, float]
    """The weight of each order, by its name."""

    def __post_init__(self) -> None:
        """Check the options."""
        weights = self.weights
        if not isinstance(weights, Mapping) or not weights:
            raise OptionError(
                f'weights is {weights!r}; it must be an object such as {{"sjf": 1, "wfp": 600}}'
            )
        self.weights = {
            name: require_number(f"the weight of '{name}'", weight, least=-math.inf)
            for name, weight in weights.items()
        }
        self.parts = [
            (weight, guarded_order(ORDERS.make(name))) for name, weight in self.weights.items()
        ]
        self.needs_fields = any(getattr(order, "needs_fields", False) for _, order in self.parts)
        for name in OPTIONAL:
            methods = [getattr(order, name) for _, order in self.parts if hasattr(order, name)]
            if methods:
                setattr(self, name, partial(_tell, methods))

    @property
    def changes(self) -> bool:  # type: ignore[override]
        """Whether the order of two jobs may change while they wait. It may depend on the site."""
        return any(order.changes for _, order in self.parts)

    def key(self, job: Job, now: float) -> float:
        """Return the weighted sum. An order with weight 0 is ignored.

        A job without an estimate may have an infinite key in one order and a negative infinite key
        in another. Such a job comes last.
        """
        key = 0.0
        # not sum(), which rounds differently from Python 3.12 on
        for weight, order in self.parts:
            if weight:
                key += weight * order.key(job, now)
        return math.inf if math.isnan(key) else key


def _tell(methods: list[Callable[..., None]], *what: Any) -> None:  # noqa: ANN401 - as they have it
    for method in methods:
        method(*what)
