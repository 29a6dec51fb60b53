"""Adapt a combination of parts to a site: to its machine, its rules and its order."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from predictors.registry import PartSpec
from schedulers.backfilling import Backfilling
from schedulers.core.counting import CountedAvailability, Counting
from schedulers.core.job import Job
from schedulers.core.machine import NEVER, Machine
from schedulers.core.scheduler import Scheduler
from schedulers.orders import Order
from schedulers.orders.multifactor import Multifactor
from schedulers.site.gate import Gate
from schedulers.site.reader import calendar_of, site_in
from schedulers.site.scheduler import SiteScheduler
from schedulers.site.site import Site, SiteError
from schedulers.slurm.licences import without_own_limits


class CountingInTime(Counting):
    """A counting machine whose number of processors changes over time. Running jobs continue.

    `steps` holds dates in seconds, ascending, and the number of processors from each date on. The
    scheduler does not know a change before its date. While running jobs have more processors than
    the machine, no processor is free.

    Examples
    --------
    >>> machine = CountingInTime([(60.0, 2)])
    >>> machine.begin(4)
    >>> machine.free, machine.look(60.0), machine.free, machine.next_change(60.0)
    (4, True, 2, inf)
    """

    def __init__(self, steps: Sequence[tuple[float, int]], allocation: PartSpec = "lowest") -> None:
        super().__init__(allocation)
        self.dates = [date for date, _ in steps]
        """The dates at which the number of processors changes, in seconds."""
        self.sizes = [size for _, size in steps]
        """The number of processors from each of these dates on."""
        self._there = 0

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        super().begin(processors)
        self._there = processors

    def look(self, now: float) -> bool:
        """Advance to a date in seconds; return ``True`` if the number of processors has changed."""
        place = bisect_right(self.dates, now)
        there = min(self.sizes[place - 1], self.size) if place else self.size
        changed = there != self._there
        self.free += there - self._there
        self._there = there
        return changed

    def next_change(self, now: float) -> float:
        """Return the next date at which the machine may change, in seconds."""
        place = bisect_right(self.dates, now)
        return self.dates[place] if place < len(self.dates) else NEVER

    def lasting_refusal(self, job: Job) -> tuple[float, str]:
        """Return the date from which on a job never has room, or `NEVER`, and the reason."""
        if not self.sizes or job.processors <= self.sizes[-1]:
            return NEVER, ""
        why = f"asks for {job.processors} processors; from now on, the machine has {self.sizes[-1]}"
        return self.dates[-1], why

    def availability(self, now: float) -> CountedAvailability:
        """Return the free processors from now on, as if no job ran; see `Machine`."""
        return CountedAvailability(self, self._there, now)


def machine_of(site: Site, machine: Machine) -> Machine:
    """Return a machine with the site's nodes, or the given machine with the site's capacity.

    Raises
    ------
    SiteError
        The given machine does not count processors, but the site has nodes or a capacity.
    """
    if not site.nodes and not site.capacity:
        return machine
    if not isinstance(machine, Counting):
        raise SiteError("the site's nodes or capacity define the machine: leave out 'machine'")
    seconds = calendar_of(site).seconds
    if site.nodes:
        # imported here, because policies without a site do not need it
        from schedulers.machine.nodes import Nodes

        return Nodes(site, seconds)
    steps = [(seconds(one.begin), one.processors) for one in site.capacity if not one.partition]
    return CountingInTime(sorted([one for one in steps if one[0] < NEVER]), machine.allocation)


class OnSite:
    """Adapts the parts of a policy to the site of the option ``site``."""

    def __init__(self, given: Any) -> None:  # noqa: ANN401 - of options
        self.site = site_in(given)
        self._plans_licences = False

    def give_site(self, backfilling: Backfilling, order: Order) -> None:
        """Pass a backfilling rule the site, and the order's sort keys of jobs in partitions."""
        rule: Any = backfilling
        if hasattr(rule, "on_site"):
            rule.on_site(self.site)
        by_partition = order if isinstance(order, Multifactor) else None
        if by_partition and by_partition.differs_by_partition and hasattr(rule, "ordered_by"):
            rule.ordered_by(by_partition.key_in)
        self._plans_licences = getattr(rule, "plans_licences", False)

    def machine_and_policy(self, machine: Machine) -> tuple[Machine, Callable[..., Scheduler]]:
        """Return the site's machine, and the function that makes a policy on this machine."""
        machine = machine_of(self.site, machine)
        if not self.site.has_rules and not hasattr(machine, "look"):
            return machine, Scheduler
        kept = without_own_limits(self.site) if self._plans_licences else self.site
        return machine, partial(SiteScheduler, gate=Gate(kept, calendar_of(self.site)))
