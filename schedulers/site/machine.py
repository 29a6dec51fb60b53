"""The machine of a site."""

from schedulers.core.counting import Counting
from schedulers.core.machine import NEVER, Machine
from schedulers.machine.capacity import CountingInTime
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site, SiteError


def machine_of(site: Site, machine: Machine) -> Machine:
    """Return a machine with the site's nodes, or the given machine with the site's capacity.

    Raises `SiteError`: the given machine does not count processors, but the site has nodes or a
    capacity.
    """
    if not site.nodes and not site.capacity:
        return machine
    if not isinstance(machine, Counting):
        raise SiteError("nodes and capacity are those of a counted machine: leave out 'machine'")
    seconds = calendar_of(site).seconds
    if site.nodes:
        # imports NumPy, which policies without a site do not need
        from schedulers.machine.nodes import Nodes

        return Nodes(site, seconds)
    steps = [(seconds(one.begin), one.processors) for one in site.capacity if not one.partition]
    return CountingInTime(sorted([one for one in steps if one[0] < NEVER]), machine.allocation)
