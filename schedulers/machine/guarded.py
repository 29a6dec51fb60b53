"""Machines of other packages."""

from typing import Any, cast

from predictors.failures import is_ours
from schedulers.foreign import Guard, guarded_part
from schedulers.machine.machine import Availability, Machine


class GuardedMachine(Guard):
    """A machine of another package, which is named when it or its availability fails."""

    def availability(self, now: float) -> Availability:
        """Return the machine over time, guarded; see `Machine`."""
        asked: Any = self.__getattr__("availability")
        guard: Availability = guarded_part(self._kind, asked(now))
        return guard


def guarded_machine(machine: Machine) -> Machine:
    """Guard a machine from outside of our packages; ours need none, and are asked very often."""
    if is_ours(type(machine).__module__):
        return machine
    return cast("Machine", GuardedMachine("machine", machine))
