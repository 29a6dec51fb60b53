"""Fit a combination of parts to a site: its machine, its rules, its order."""

from collections.abc import Callable
from functools import partial
from typing import Any

from schedulers.backfilling import Backfilling
from schedulers.core.machine import Machine
from schedulers.core.scheduler import Scheduler
from schedulers.orders import Order
from schedulers.orders.multifactor import Multifactor
from schedulers.site.gate import Gate
from schedulers.site.machine import machine_of
from schedulers.site.reader import calendar_of, site_in
from schedulers.site.scheduler import SiteScheduler
from schedulers.slurm.licences import rules_beside


class OnSite:
    """Fits the parts of a policy to the site of the option ``site``."""

    def __init__(self, given: Any) -> None:  # noqa: ANN401 - of options
        self.site = site_in(given)
        self._plans_licences = False

    def tell(self, backfilling: Backfilling, order: Order) -> None:
        """Give a backfilling rule the site, and the order's ranking of jobs in partitions."""
        told: Any = backfilling
        if hasattr(told, "on_site"):
            told.on_site(self.site)
        by_partition = order if isinstance(order, Multifactor) else None
        if by_partition and by_partition.differs_by_partition and hasattr(told, "ordered_by"):
            told.ordered_by(by_partition.key_in)
        self._plans_licences = getattr(told, "plans_licences", False)

    def machine_and_policy(self, machine: Machine) -> tuple[Machine, Callable[..., Scheduler]]:
        """Return the site's machine, and the function that makes a policy on it."""
        machine = machine_of(self.site, machine)
        if not self.site.has_rules and not hasattr(machine, "look"):
            return machine, Scheduler
        kept = rules_beside(self.site) if self._plans_licences else self.site
        return machine, partial(SiteScheduler, gate=Gate(kept, calendar_of(self.site)))
