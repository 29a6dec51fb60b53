"""The blocks of a torus of midplanes, and the wires that they use up."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from schedulers.machine.block import Block
from workload_tools.batsim.intervals import Intervals


@dataclass(frozen=True, slots=True)
class Shape:
    """Blocks of one shape."""

    midplanes: tuple[int, ...]
    """Their length in midplanes in each dimension."""
    mesh: frozenset[int] = frozenset()
    """The dimensions in which they are no ring but a line, which takes only the wires between its
    own midplanes."""
    everywhere: frozenset[int] = frozenset()
    """The dimensions in which they begin at every midplane that leaves room for them; in the others
    only at multiples of their length."""
    around: frozenset[int] = frozenset()
    """The dimensions in which they may go around the end, too."""


@dataclass(frozen=True, slots=True)
class Torus:
    """A torus of midplanes.

    The wires of a dimension connect the midplanes of each line of it into a ring. A block that is
    a ring of more than one of them uses up the wires of the whole line, even if it has only some:
    all others of the line can then only be connected back to themselves (paper 004, II A). A block
    that has a whole line shares its wires with nobody anyway.
    """

    lengths: tuple[int, ...]
    """The number of midplanes in each dimension."""
    midplane: int
    """The processors of one, numbered midplane by midplane, the last dimension first."""
    spare: frozenset[int] = frozenset()
    """The dimensions in which there are wires enough for all."""

    def blocks(
        self, shapes: Iterable[Shape], *, name: Callable[[Sequence[range], int], str]
    ) -> Iterator[Block]:
        """Yield the blocks of some shapes.

        Their names are made of the midplanes in each dimension, as a range that may end beyond the
        last, and of the number of midplanes.

        Examples
        --------
        Of a ring of four midplanes, both halves need the same wires.

        >>> ring = Torus((4,), 512)
        >>> name = lambda where, midplanes: f"{where[0].start}+{midplanes}"
        >>> for block in ring.blocks([Shape((2,)), Shape((4,))], name=name):
        ...     print(block.name, block.processors, block.wires)
        0+2 ((0, 1023),) ('0:',)
        2+2 ((1024, 2047),) ('0:',)
        0+4 ((0, 2047),) ()
        """
        shapes = tuple(shapes)
        meshed = frozenset[int]().union(*(shape.mesh for shape in shapes))
        for shape in shapes:
            for where in product(*self._places(shape)):
                midplanes = [self._number(at) for at in product(*where)]
                yield Block(
                    name(where, len(midplanes)),
                    self._processors(sorted(midplanes)),
                    tuple(self._wires(where, shape.mesh, meshed)),
                )

    def _places(self, shape: Shape) -> Iterator[list[range]]:
        for dimension, (length, of) in enumerate(zip(shape.midplanes, self.lengths, strict=True)):
            step = 1 if dimension in shape.everywhere | shape.around else length
            last = of if dimension in shape.around and length < of else of - length + 1
            yield [range(first, first + length) for first in range(0, last, step)]

    def _number(self, at: Sequence[int]) -> int:
        number = 0
        for place, length in zip(at, self.lengths, strict=True):
            number = number * length + place % length
        return number

    def _processors(self, midplanes: list[int]) -> Intervals:
        intervals: list[tuple[int, int]] = []
        for number in midplanes:
            first = number * self.midplane
            if intervals and intervals[-1][1] == first - 1:
                first = intervals.pop()[0]
            intervals.append((first, (number + 1) * self.midplane - 1))
        return tuple(intervals)

    def _wires(
        self, where: Sequence[range], mesh: frozenset[int], meshed: frozenset[int]
    ) -> Iterator[str]:
        for dimension, (have, length) in enumerate(zip(where, self.lengths, strict=True)):
            if len(have) in (1, length) or dimension in self.spare:
                continue
            others = [
                {place % of for place in places}
                for places, of in zip(where, self.lengths, strict=True)
            ]
            del others[dimension]
            for line in product(*map(sorted, others)):
                wire = f"{dimension}:{'.'.join(map(str, line))}"
                if dimension not in meshed:
                    yield wire
                    continue
                # one wire from each midplane to the next
                used = have[:-1] if dimension in mesh else range(length)
                for place in used:
                    yield f"{wire}:{place % length}"
