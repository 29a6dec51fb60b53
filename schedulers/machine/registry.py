"""The machines and the allocation rules by name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from predictors import OptionError, Registry
from predictors.registry import build, nearest
from schedulers.foreign import guarded_part, require
from schedulers.machine.allocation import Allocation, FreeProcessors
from schedulers.machine.block import BlockList
from schedulers.machine.block_file import KIND, content_of, read_machine_file


class AllocationRegistry(Registry):
    """The allocation rules: each is made anew for the machine of a simulation."""

    def maker(self, spec: Any) -> Allocation:  # noqa: ANN401 - from JSON
        """Return the maker of a machine's free processors by a rule, or raise an `OptionError`."""
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
"""The rules by which a job gets free processors."""


class MachineRegistry(Registry):
    """The machines: by name, or by a file that has its kind."""

    def split(self, spec: Any) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401
        """Take a specification apart; a file has the kind of its machine."""
        if isinstance(spec, Path) or (isinstance(spec, str) and spec.endswith(".json")):
            kind = read_machine_file(spec)["kind"]
            if kind not in self.names():
                raise OptionError(
                    f"machine file {spec}: its kind is {kind!r}, which is no machine's: "
                    f"{nearest(kind, self.names())}"
                )
            return kind, {"file": str(spec)}
        return super().split(in_words(spec))


def in_words(machine: Any) -> Any:  # noqa: ANN401 - a name, a mapping, a class or an object
    """Return a machine of blocks as JSON has it, any other as it is.

    Examples
    --------
    >>> in_words({"name": "blocks", "file": Path("mine.json")}), in_words("counting")
    ({'name': 'blocks', 'file': 'mine.json'}, 'counting')
    """
    if isinstance(machine, BlockList):
        return {"name": KIND, "file": content_of(machine)}
    if isinstance(machine, Path):
        kind, options = MACHINES.split(machine)
        return {"name": kind, **options}
    file = machine.get("file") if isinstance(machine, Mapping) else None
    if isinstance(file, BlockList):
        return {**machine, "file": content_of(file)}
    return {**machine, "file": str(file)} if isinstance(file, Path) else machine


MACHINES = MachineRegistry("pred_aware.machines", "machine")
"""The machines by name."""
