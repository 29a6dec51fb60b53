"""The registries of machines and allocation rules. Parts of other packages are guarded."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from predictors import OptionError, Registry
from predictors.registry import PartSpec, build, nearest
from schedulers.foreign import guarded_part, require
from schedulers.machine.block import BlockList
from schedulers.machine.rules import Allocation, FreeProcessors


class AllocationRegistry(Registry):
    """The allocation rules. Each simulation makes a new rule for its machine."""

    def maker(self, spec: PartSpec) -> Allocation:
        """Return the function that makes an allocation rule, or raise an `OptionError`."""
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
    """The machines, by name or by a file that names the kind of machine."""

    def split(self, spec: PartSpec) -> tuple[PartSpec, dict[str, Any]]:
        """Split a specification into name and options. A file names the kind of its machine."""
        if isinstance(spec, Path) or (isinstance(spec, str) and spec.endswith(".json")):
            from schedulers.machine.block_file import read_machine_file

            kind = read_machine_file(spec)["kind"]
            if kind not in self.names():
                raise OptionError(
                    f"machine file {spec}: its kind is {kind!r}, which is no machine's: "
                    f"{nearest(kind, self.names())}"
                )
            return kind, {"file": str(spec)}
        return super().split(in_words(spec))


def in_words(machine: PartSpec) -> PartSpec:
    """Return the specification of a machine for JSON: a path becomes text.

    Examples
    --------
    >>> in_words({"name": "blocks", "file": Path("mine.json")}), in_words("counting")
    ({'name': 'blocks', 'file': 'mine.json'}, 'counting')
    """
    file = machine.get("file") if isinstance(machine, Mapping) else machine
    if isinstance(file, BlockList):
        from schedulers.machine.block_file import KIND, content_of

        of_blocks = machine if isinstance(machine, Mapping) else {"name": KIND}
        return {**of_blocks, "file": content_of(file)}
    if isinstance(machine, Path):
        kind, options = MACHINES.split(machine)
        return {"name": kind, **options}
    return {**machine, "file": str(file)} if isinstance(file, Path) else machine


MACHINES = MachineRegistry("pred_aware.machines", "machine")
"""The machines by name."""
