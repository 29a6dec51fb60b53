"""The blocks of Argonne's Blue Genes: Intrepid and Mira."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

from predictors.checks import require_choice, require_count
from schedulers.machine.block import Block, BlockList
from workload_tools.batsim.intervals import Intervals


@dataclass(frozen=True, slots=True)
class Shape:
    """The blocks of one shape, and where they may begin."""

    midplanes: tuple[int, ...]
    """The length of each block in midplanes, for each dimension."""
    mesh: frozenset[int] = frozenset()
    """The dimensions in which a block is a line of midplanes and not a ring.

    A line uses only the wires between its own midplanes.
    """
    everywhere: frozenset[int] = frozenset()
    """The dimensions in which a block may begin at every midplane with room for it.

    In the other dimensions, blocks begin only at multiples of their length.
    """
    around: frozenset[int] = frozenset()
    """The dimensions in which a block may continue from the last midplane to the first."""


@dataclass(frozen=True, slots=True)
class Torus:
    """A torus of midplanes.

    The wires of a dimension connect the midplanes of each line into a ring. A block of several
    midplanes that form a ring uses all wires of the line, even if it has only some midplanes of the
    line. Each other midplane of the line can then only be a block by itself in this dimension (Tang
    et al., paper 004, II A). If a block has a whole line, its wires are not listed, because no
    other block can use them.
    """

    lengths: tuple[int, ...]
    """The number of midplanes in each dimension."""
    midplane: int
    """The number of processors of a midplane. Processors are numbered midplane by midplane, and
    midplanes along the last dimension first."""
    spare: frozenset[int] = frozenset()
    """The dimensions in which all blocks have enough wires, so that no wires are listed."""

    def blocks(
        self, shapes: Iterable[Shape], *, name: Callable[[Sequence[range], int], str]
    ) -> Iterator[Block]:
        """Yield the blocks of some shapes.

        `name` makes a block's name from the ranges of midplanes in each dimension and the number
        of midplanes. A range may end beyond the last midplane.

        Examples
        --------
        In a ring of four midplanes, both halves need the same wires.

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


NODES = 512
"""The nodes of a midplane."""

_FIRST, _SECOND, _THIRD, _FOURTH = range(4)

_ABOUT_INTREPID = """
Known: Intrepid has 40,960 nodes in midplanes of 512 nodes: two midplanes in a rack, eight racks in
a row, five rows (Tang et al., paper 004; the Parallel Workloads Archive's page of the log).

Known: a block consists of neighbouring midplanes and has the same length in each dimension
throughout. Of the blocks of several midplanes on one set of wires, only one can be used at a time,
except in the first dimension (paper 004, II A).

Known: a rack's block of 1,024 nodes uses wires of a neighbouring rack. The two racks form a block
of 2,048 nodes (the example of partitions that comes with Cobalt). There are 20 such pairs. In the
log at most 19 jobs of 1,024 nodes run at once.

Known: blocks of 64, 128 and 256 nodes exist in eight racks only (the archive's page). In the log,
jobs of these sizes hardly ever use more than 1,024 nodes together.

Assumed: the torus is 5 x 4 x 4 midplanes (rows, pairs of racks, midplanes of a pair). A block of
4,096 nodes is half a row and uses the row's wires. Larger blocks are one to five neighbouring rows.
The blocks of less than a midplane are in the first rows. Every block is a torus and none is a mesh.
No node is down or reserved.
"""
_ABOUT_MIRA = """
Known: Mira has 49,152 nodes in midplanes of 512 nodes. Its blocks have 512, 1,024, 2,048, 4,096,
8,192, 12,288, 16,384, 24,576, 32,768 and 49,152 nodes. All blocks are a full torus, except the
blocks of 1,024 and 32,768 nodes, which are a mesh in one dimension (Argonne's page about
partitions on Mira).

Known: Mira has 2 x 3 x 4 x 4 midplanes. The positions of the blocks of 512, 8,192, 16,384, 32,768
and 49,152 nodes follow from their names, such as MIR-04000-77FF1-16384, in the tests that come with
Cobalt: the digits are two corners. One block of 32,768 nodes continues from the last midplane to
the first.

Assumed: a block of 1,024 nodes is two midplanes of a line of the fourth dimension, and a block of
2,048 nodes the whole line. A block of 4,096 nodes is two such lines, a block of 12,288 a layer of
the third dimension, and a block of 24,576 half of the first dimension. Jobs of less than 512 nodes
run on a midplane. No node is down or reserved.
"""


def intrepid(*, node_processors: int = 4, part_racks: int = 8) -> BlockList:
    """Return the blocks of Intrepid, Argonne's Blue Gene/P of 40,960 nodes.

    `BlockList.about` states what is known and what is assumed. Set `node_processors` to 1 if the
    log counts nodes and not processors. In the first `part_racks` racks, midplanes are also divided
    into blocks of 64, 128 and 256 nodes.

    Examples
    --------
    >>> machine = intrepid()
    >>> machine.processors, len(machine.blocks), machine.blocks[80].name
    (163840, 389, 'ANL-R00-1024')
    """
    midplane = NODES * require_count("node_processors", node_processors)
    racks = require_count("part_racks", part_racks, least=0)
    torus = Torus((5, 4, 4), midplane, spare=frozenset({_FIRST}))
    rows = frozenset({_FIRST})
    shapes = [
        Shape((1, 1, 1)), Shape((1, 1, 2)), Shape((1, 1, 4)), Shape((1, 2, 4)),
        *(Shape((length, 4, 4), everywhere=rows) for length in range(1, 6)),
    ]  # fmt: skip
    blocks = list(torus.blocks(shapes, name=_rack_name))
    parts = [
        Block(f"{rack}-N{16 * place // parts:02d}-{NODES // parts}", ((first, first + size - 1),))
        for number in range(min(2 * racks, 80))
        for rack in [blocks[number].name.removesuffix("-512")]
        for parts in (8, 4, 2)
        for size in [midplane // parts]
        for place in range(parts)
        for first in [number * midplane + place * size]
    ]
    return BlockList("Intrepid", 80 * midplane, (*blocks, *parts), _sentences(_ABOUT_INTREPID))


def mira(*, node_processors: int = 1) -> BlockList:
    """Return the blocks of Mira, Argonne's Blue Gene/Q of 49,152 nodes.

    `BlockList.about` states what is known and what is assumed. `node_processors` is the number of
    processors that the log counts for each node.

    Examples
    --------
    >>> machine = mira()
    >>> machine.processors, len(machine.blocks), machine.blocks[-1].name
    (49152, 199, 'MIR-00000-7BFF1-49152')
    """
    torus = Torus((2, 3, 4, 4), NODES * require_count("node_processors", node_processors))
    around = frozenset({_SECOND})
    shapes = [
        Shape((1, 1, 1, 1)), Shape((1, 1, 1, 2), mesh=frozenset({_FOURTH})), Shape((1, 1, 1, 4)),
        Shape((1, 1, 2, 4)), Shape((1, 1, 4, 4)), Shape((2, 3, 1, 4)), Shape((2, 1, 4, 4)),
        Shape((1, 3, 4, 4)), Shape((2, 2, 4, 4), mesh=around, around=around), Shape((2, 3, 4, 4)),
    ]  # fmt: skip
    blocks = tuple(torus.blocks(shapes, name=_corner_name))
    return BlockList("Mira", 96 * torus.midplane, blocks, _sentences(_ABOUT_MIRA))


BLUE_GENES: Mapping[str, Callable[..., BlockList]] = MappingProxyType(
    {"intrepid": intrepid, "mira": mira}
)


def blue_gene(name: str, *, node_processors: int | None = None) -> BlockList:
    """Return the blocks of one of Argonne's Blue Genes, ``intrepid`` or ``mira``.

    A node counts as `node_processors` processors: by default 4 on Intrepid and 1 on Mira, as in
    their logs.

    Raises
    ------
    OptionError
        There is no such machine.

    Examples
    --------
    >>> blue_gene("mira").processors
    49152
    """
    factory = BLUE_GENES[require_choice("machine", name, tuple(BLUE_GENES))]
    return factory() if node_processors is None else factory(node_processors=node_processors)


def _rack_name(where: Sequence[range], midplanes: int) -> str:
    rows, pairs, in_pair = where
    first = f"R{rows.start}{2 * pairs.start + in_pair.start // 2}"
    last = f"R{rows[-1]}{2 * pairs[-1] + in_pair[-1] // 2}"
    nodes = midplanes * NODES
    if midplanes == 1:
        return f"ANL-{first}-M{in_pair.start % 2}-{nodes}"
    return f"ANL-{first}-{nodes}" if first == last else f"ANL-{first}-{last}-{nodes}"


def _corner_name(where: Sequence[range], midplanes: int) -> str:
    first = "".join(f"{4 * places.start:X}" for places in where)
    last = "".join(
        f"{4 * (places[-1] % of) + 3:X}" for places, of in zip(where, (2, 3, 4, 4), strict=True)
    )
    return f"MIR-{first}0-{last}1-{midplanes * NODES}"


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(" ".join(lines.split()) for lines in text.split("\n\n"))
