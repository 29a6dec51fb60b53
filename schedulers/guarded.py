"""Wrappers for parts of other packages that the core uses. Errors then name the part."""

import math
from typing import Any, cast

from predictors.errors import is_ours
from schedulers.core.backfilling import Backfilling
from schedulers.core.job import Job, Plan
from schedulers.core.machine import Availability, Machine, Reservation
from schedulers.core.orders import Order
from schedulers.errors import SchedulerError
from schedulers.foreign import Guard, described, failure, require
from workload_tools.batsim.intervals import Intervals

OPTIONAL = ("on_site", "begin", "submitted", "started", "ended")
"""The optional methods of an order; only `Order.key` is required."""


class _GuardedOrder(Order):
    """An order of another package. If the order fails or its key is NaN, the error names it.

    An order without the attribute `changes` is sorted again at each pass.
    """

    def __init__(self, order: Any) -> None:  # noqa: ANN401 - anybody's
        require("order", order, "key")
        self.needs_fields = bool(getattr(order, "needs_fields", False))
        self._order = order
        guard = Guard("order", order)
        for name in OPTIONAL:
            if hasattr(order, name):
                setattr(self, name, getattr(guard, name))

    @property
    def changes(self) -> bool:  # type: ignore[override]
        """Whether the order may change while jobs wait. The attribute is read at each access."""
        return bool(getattr(self._order, "changes", True))

    def key(self, job: Job, now: float) -> float:
        """Return the order's key; raise a `SchedulerError` if it fails or is not a number."""
        try:
            key = float(self._order.key(job, now))
        except Exception as error:
            raise failure("order", self._order, error, job_id=job.id) from error
        if math.isnan(key):
            raise SchedulerError(
                f"order {described(self._order)} returned nan for job '{job.id}'; it must return "
                "a number; the job with the smallest number comes first"
            )
        return key


def guarded_order(order: Any) -> Order:  # noqa: ANN401 - anybody's
    """Wrap an order of another package. Our own orders stay unwrapped, for speed."""
    return cast("Order", order) if is_ours(type(order).__module__) else _GuardedOrder(order)


class _GuardedBackfilling(Backfilling):
    """A backfilling rule of another package; see `Backfilling`."""

    def __init__(self, inside: Any) -> None:  # noqa: ANN401 - anybody's
        self.plans = bool(inside.plans)
        # a rule without the attribute `remembers` is assumed to keep state between passes
        self.remembers = bool(getattr(inside, "remembers", True))
        self.only_fitting = bool(getattr(inside, "only_fitting", False))
        self.asks = bool(getattr(inside, "asks", hasattr(inside, "next_pass")))
        self._part = inside
        self._guard = Guard("backfilling", inside)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it has
        if "_guard" not in self.__dict__:
            # called while the object is being copied
            raise AttributeError(name)
        return getattr(self._guard, name)

    def begin(self, machine: Machine) -> None:
        self._guard.begin(machine)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        return list(self._guard.choose(queue, plan, now))

    def ended(self, job: Job, now: float) -> None:
        self._guard.ended(job, now)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        self._guard.corrected(job, planned_end, now)

    def withdrawn(self, job: Job, now: float) -> None:
        self._guard.withdrawn(job, now)

    def changed(self, plan: Plan, now: float) -> None:
        self._guard.changed(plan, now)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        return float(self._guard.next_pass(waiting, now, order_changes))


def guarded_backfilling(backfilling: Any) -> Backfilling:  # noqa: ANN401 - anybody's
    """Wrap a backfilling rule of another package. Our own rules stay unwrapped, for speed."""
    ours = is_ours(type(backfilling).__module__)
    return cast("Backfilling", backfilling) if ours else _GuardedBackfilling(backfilling)


class _GuardedReservation(Reservation):
    """A reservation of a machine of another package."""

    def __init__(self, inside: Any) -> None:  # noqa: ANN401 - anybody's
        super().__init__(float(inside.date), int(inside.extra))
        self.inside = inside


class _GuardedMachine(Machine):
    """A machine of another package; see `Machine`."""

    def __init__(self, inside: Any) -> None:  # noqa: ANN401 - anybody's
        self._part = inside
        self._guard = Guard("machine", inside)
        self.by_size = bool(inside.by_size)
        self.free = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it has
        # each call may change `free`
        if "_guard" not in self.__dict__:
            # called while the object is being copied
            raise AttributeError(name)
        found = getattr(self._guard, name)
        if not callable(found):
            return found
        return lambda *given, **named: self._counted(found(*given, **named))

    def _counted(self, answer: Any) -> Any:  # noqa: ANN401 - as it was given
        self.free = int(self._guard.free)
        return answer

    @property
    def processors(self) -> int:
        return int(self._guard.processors)

    def begin(self, processors: int) -> None:
        self._counted(self._guard.begin(processors))

    def refusal(self, job: Job) -> str | None:
        return cast("str | None", self._guard.refusal(job))

    def take(self, job: Job) -> bool:
        return bool(self._counted(self._guard.take(job)))

    def reserve(self, job: Job, running: list[Job], now: float) -> Reservation:
        found = self._guard.reserve(job, running, now)
        return found if isinstance(found, Reservation) else _GuardedReservation(found)

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        inside = reservation.inside if isinstance(reservation, _GuardedReservation) else reservation
        taken = bool(self._counted(self._guard.take_beside(job, inside, end)))
        reservation.extra = int(inside.extra)
        return taken

    def start(self, job: Job, availability: Availability) -> bool:
        return bool(self._counted(availability.start(job)))

    def give_back(self, job: Job) -> None:
        self._counted(self._guard.give_back(job))

    def allocate(self, job: Job) -> Intervals:
        return tuple(self._guard.allocate(job))

    def availability(self, now: float) -> Availability:
        found = self._guard.availability(now)
        ours = is_ours(type(found).__module__)
        return cast("Availability", found) if ours else _GuardedAvailability(found)


class _GuardedAvailability(Availability):
    """The availability of a machine of another package; see `Availability`."""

    def __init__(self, inside: Any) -> None:  # noqa: ANN401 - anybody's
        guard = Guard("machine", inside)
        for name in (
            "advance", "hold", "may_hold", "place", "place_at", "move_up", "give_back", "start",
        ):  # fmt: skip
            if hasattr(inside, name):
                setattr(self, name, getattr(guard, name))


def guarded_machine(machine: Any) -> Machine:  # noqa: ANN401 - anybody's
    """Wrap a machine of another package. Our own machines stay unwrapped, for speed."""
    ours = is_ours(type(machine).__module__)
    return cast("Machine", machine) if ours else _GuardedMachine(machine)
