"""The allocation rules, and the registries of machines and of these rules."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from procset import ProcSet

from predictors import OptionError, Registry
from predictors.registry import PartSpec, build, nearest
from schedulers.foreign import guarded_part, require
from schedulers.machine.block import BlockList
from workload_tools.batsim.intervals import Intervals


class FreeProcessors(Protocol):
    """Chooses which free processors a job gets. The machine itself counts the free processors."""

    def allocate(self, size: int) -> Intervals:
        """Take `size` free processors. The caller makes sure that enough are free."""
        ...

    def release(self, intervals: Intervals) -> None:
        """Give processors back."""
        ...


Allocation: TypeAlias = Callable[[int], FreeProcessors]
"""Makes a `FreeProcessors` for an idle machine with this number of processors."""


class ByRule:
    """Stores the free processors as a ``ProcSet``. Subclasses define `choose`."""

    def __init__(self, processors: int) -> None:
        self._processors = ProcSet((0, processors - 1))

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Return `size` of the free processors. At least `size` are free."""
        raise NotImplementedError

    def allocate(self, size: int) -> Intervals:
        """Take processors; see `FreeProcessors`."""
        chosen = self.choose(self._processors, size)
        assert len(chosen) == size
        assert chosen <= self._processors
        self._processors -= chosen
        return tuple((block.inf, block.sup) for block in chosen.intervals())

    def release(self, intervals: Intervals) -> None:
        """Give processors back; see `FreeProcessors`."""
        self._processors |= ProcSet(*intervals)


def _blocks(free: ProcSet) -> Iterator[tuple[int, int]]:
    for block in free.intervals():
        yield block.inf, block.sup - block.inf + 1


def _lowest(free: ProcSet, size: int) -> ProcSet:
    return ProcSet(*islice(free, size))


class Contiguous(ByRule):
    """Takes the lowest run of free processors that holds the job, else the lowest processors.

    Examples
    --------
    >>> rule = Contiguous(10)
    >>> rule.allocate(2), rule.allocate(4)
    (((0, 1),), ((2, 5),))
    >>> rule.release(((0, 1),))
    >>> rule.allocate(3), rule.allocate(3)
    (((6, 8),), ((0, 1), (9, 9)))
    """

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Choose processors; see `ByRule`."""
        for first, length in _blocks(free):
            if length >= size:
                return ProcSet((first, first + size - 1))
        return _lowest(free, size)


class BestFit(ByRule):
    """Takes the shortest run of free processors that holds the job, else the lowest processors.

    Of several runs of this length, it takes the lowest.

    Examples
    --------
    >>> rule = BestFit(10)
    >>> rule.allocate(2), rule.allocate(4)
    (((0, 1),), ((2, 5),))
    >>> rule.release(((0, 1),))
    >>> rule.allocate(1), rule.allocate(3)
    (((0, 0),), ((6, 8),))
    """

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Choose processors; see `ByRule`."""
        holding = [(length, first) for first, length in _blocks(free) if length >= size]
        if not holding:
            return _lowest(free, size)
        _, first = min(holding)
        return ProcSet((first, first + size - 1))


class AllocationRegistry(Registry):
    """The allocation rules. Each simulation makes a new rule for its machine."""

    def maker(self, spec: PartSpec) -> Allocation:
        """Return the function that makes an allocation rule, or raise an `OptionError`."""
        name, options = self.split(spec)
        if options:
            raise OptionError(f"allocation '{self.label(name)}' has no options")
        rule = self.load(name)

        def free_processors(processors: int) -> FreeProcessors:
            allocation = build("allocation", self.label(name), lambda: rule(processors), {})
            require("allocation", allocation, "allocate", "release")
            guard: FreeProcessors = guarded_part("allocation", allocation)
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
                    f"machine file {spec}: its kind is {kind!r}, which is not a known kind: "
                    f"{nearest(kind, self.names())}"
                )
            return kind, {"file": str(spec)}
        return super().split(in_words(spec))


def in_words(machine: PartSpec) -> PartSpec:
    """Return the specification of a machine in a form for JSON, in which a path is text.

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
