"""The machines and the allocation rules by name."""

from typing import Any

from predictors import OptionError, Registry
from predictors.registry import build
from schedulers.foreign import guarded_part, require
from schedulers.machine.allocation import Allocation, FreeProcessors


class AllocationRegistry(Registry):
    """The allocation rules: each is made anew for the machine of a simulation."""

    def maker(self, spec: Any) -> Allocation:  # noqa: ANN401 - from JSON
        """Return what makes the free processors of a machine, from a rule's name.

        Raises
        ------
        UnknownNameError, OptionError
            No rule has the name, or something else was given.
        """
        name, options = self.split(spec)
        if options:
            raise OptionError(f"allocation '{self.label(name)}' has no options")
        rule = self.load(name)

        def free_processors(processors: int) -> FreeProcessors:
            made = build("allocation", self.label(name), lambda: rule(processors), {})
            require("allocation", made, "allocate", "release")
            guard: FreeProcessors = guarded_part("allocation", made)
            return guard

        return free_processors


ALLOCATIONS = AllocationRegistry("pred_aware.allocations", "allocation")
"""Which of the free processors a job gets."""

MACHINES = Registry("pred_aware.machines", "machine")
"""What jobs run on: which of them have room beside each other."""
