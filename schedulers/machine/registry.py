"""The allocation rules by name."""

from functools import partial
from typing import Any

from predictors import OptionError, Registry
from schedulers.machine.counting import Allocation


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
        return partial(self.load(name))


ALLOCATIONS = AllocationRegistry("pred_aware.allocations", "allocation")
