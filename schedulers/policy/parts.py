"""What a combined policy is made of, for who decides as it does."""

from collections.abc import Mapping
from dataclasses import dataclass

from schedulers.backfilling import Backfilling
from schedulers.corrections import Correction
from schedulers.machine.machine import Machine
from schedulers.orders import Order
from schedulers.policy.estimates import EstimateSource


@dataclass(frozen=True, slots=True)
class PolicyParts:
    """The parts of a `CombinedPolicy`, as they were given to it."""

    order: Order
    backfilling: Backfilling
    estimates: Mapping[str, EstimateSource]
    """By role."""
    correction: Correction
    machine: Machine
    by_id: bool
    call_margin: float | None
    """In seconds."""
