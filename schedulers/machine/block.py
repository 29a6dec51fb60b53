"""Blocks of processors, and checked lists of blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from predictors.errors import OptionError
from predictors.registry import nearest
from workload_tools.batsim.intervals import Intervals, count

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Block:
    """Processors that a job gets all together, and that only one job can have.

    Two blocks that share a processor or a wire exclude each other: while one block is in use, no
    job can get the other block.
    """

    name: str
    processors: Intervals
    """The block's processors, in ascending order."""
    wires: tuple[str, ...] = ()
    """Names of other resources that only one block can use at a time, such as wires of a torus."""
    excludes: tuple[str, ...] = ()
    """Names of other blocks that exclude this block. The exclusion is mutual."""

    @property
    def size(self) -> int:
        """The number of processors."""
        return count(self.processors)


@dataclass(frozen=True)
class BlockList:
    """A machine that gives out processors only as blocks.

    Raises
    ------
    OptionError
        A block is invalid; the message names the block.

    Examples
    --------
    >>> halves = [Block("left", ((0, 1),)), Block("right", ((2, 3),))]
    >>> machine = BlockList("small", 4, (*halves, Block("both", ((0, 3),))))
    >>> [bin(excluded) for excluded in machine.excluded]
    ['0b101', '0b110', '0b111']
    """

    name: str
    processors: int
    blocks: tuple[Block, ...]
    """The blocks. Each processor of the machine is in at least one block."""
    about: tuple[str, ...] = ()
    """Sentences on what is known of the machine and what is assumed."""

    def __post_init__(self) -> None:
        """Check the blocks."""
        _check_each(self.blocks, self.processors)
        _check_names(self.blocks)
        _check_that_all_differ(self.blocks)
        _check_that_none_is_left_out(self.blocks, self.processors)

    @cached_property
    def excluded(self) -> tuple[int, ...]:
        """For each block, a bit mask of the blocks that it excludes, including itself."""
        users: dict[object, int] = {}
        atoms = _Atoms(self.blocks)
        used: list[list[object]] = [[*atoms.of(block), *block.wires] for block in self.blocks]
        for place, things in enumerate(used):
            for thing in things:
                users[thing] = users.get(thing, 0) | 1 << place
        masks = [0] * len(used)
        for place, things in enumerate(used):
            for thing in things:
                masks[place] |= users[thing]
        places = {block.name: place for place, block in enumerate(self.blocks)}
        for place, block in enumerate(self.blocks):
            for other in block.excludes:
                masks[place] |= 1 << places[other]
                masks[places[other]] |= 1 << place
        return tuple(masks)


class _Atoms:
    """The pieces of a machine that is cut wherever a block begins or ends."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        edges = {edge for b in blocks for first, last in b.processors for edge in (first, last + 1)}
        self._places = {edge: place for place, edge in enumerate(sorted(edges))}

    def of(self, block: Block) -> "Iterator[int]":
        """Return the numbers of the pieces in a block."""
        places = self._places
        for first, last in block.processors:
            yield from range(places[first], places[last + 1])


def _check_each(blocks: Iterable[Block], processors: int) -> None:
    for block in blocks:
        if not block.processors:
            raise OptionError(f"block '{block.name}' has no processors")
        reached = -1
        for first, last in block.processors:
            if first <= reached or last < first:
                raise OptionError(
                    f"block '{block.name}' names a processor twice, or not in ascending order"
                )
            reached = last
        if reached >= processors:
            raise OptionError(
                f"block '{block.name}' has processor {reached}; the machine has {processors}, "
                "numbered from 0"
            )


def _check_names(blocks: Iterable[Block]) -> None:
    names: set[str] = set()
    for block in blocks:
        if block.name in names:
            raise OptionError(f"block '{block.name}' is in the list twice")
        names.add(block.name)
    for block in blocks:
        for other in block.excludes:
            if other == block.name:
                raise OptionError(f"block '{block.name}' excludes itself")
            if other not in names:
                raise OptionError(
                    f"block '{block.name}' excludes '{other}', which is not a block: "
                    f"{_like(other, names)}"
                )


def _like(name: str, names: Iterable[str]) -> str:
    hint = nearest(name, names)
    return hint.partition("?")[0] + "?" if hint.startswith("did") else "the list has no such name"


def _check_that_all_differ(blocks: Iterable[Block]) -> None:
    """Raise an error if two blocks are equal, because comparisons would count both of them."""
    seen: dict[object, str] = {}
    for block in blocks:
        what = (block.processors, frozenset(block.wires), frozenset(block.excludes))
        if what in seen:
            raise OptionError(
                f"block '{block.name}' has the processors, wires and exclusions of "
                f"'{seen[what]}'; leave one out"
            )
        seen[what] = block.name


def _check_that_none_is_left_out(blocks: Iterable[Block], processors: int) -> None:
    reached = 0
    for first, last in sorted(interval for block in blocks for interval in block.processors):
        if first > reached:
            break
        reached = max(reached, last + 1)
    if reached < processors:
        raise OptionError(f"processor {reached} is in no block; the machine has {processors}")
