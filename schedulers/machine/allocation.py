"""The contract of an allocation rule."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from workload_tools.batsim.intervals import Intervals


class FreeProcessors(Protocol):
    """The free processors of a machine, and the choice among them; others count them."""

    def allocate(self, size: int) -> Intervals:
        """Take processors; there are as many free."""
        ...

    def release(self, intervals: Intervals) -> None:
        """Give processors back."""
        ...


Allocation: TypeAlias = Callable[[int], FreeProcessors]
"""Makes the free processors of an idle machine of a size."""
