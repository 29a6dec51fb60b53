"""The blocks of Argonne's Blue Genes: Intrepid and Mira."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from predictors.checks import require_choice, require_count
from schedulers.machine.block import Block, BlockList
from schedulers.machine.torus import Shape, Torus

NODES = 512
"""The nodes of a midplane."""

_FIRST, _SECOND, _THIRD, _FOURTH = range(4)

_ABOUT_INTREPID = """
Known: 40,960 nodes in 512-node midplanes, two a rack, eight racks a row, five rows (paper 004;
the Parallel Workloads Archive's page of the log).

Known: blocks of neighbours, of uniform length in each dimension; of the blocks of several
midplanes on a wire set only one can be used at a time, except in the first dimension (paper 004,
II A).

Known: a rack's block of 1,024 nodes takes wires of the rack beside it, with which it makes a
block of 2,048 (the example of partitions that comes with Cobalt). In the log at most 19 jobs of
1,024 nodes run at once, where there are 20 such pairs.

Known: parts of 64, 128 and 256 nodes exist in eight racks only (the archive's page). In the log
jobs of these sizes hardly ever take more than 1,024 nodes together.

Assumed: the torus is 5 x 4 x 4 midplanes (rows, pairs of racks, midplanes of a pair); 4,096 nodes
are half a row, which takes the row's wires; larger blocks are one to five neighbouring rows; the
parts are in the first rows; every block is a torus and none a mesh; nothing is down or reserved.
"""
_ABOUT_MIRA = """
Known: 49,152 nodes in 512-node midplanes; blocks of 512, 1,024, 2,048, 4,096, 8,192, 12,288,
16,384, 24,576, 32,768 and 49,152 nodes; all are a full torus, except those of 1,024 and 32,768,
which are a mesh in one dimension (Argonne's page about partitions on Mira).

Known: 2 x 3 x 4 x 4 midplanes; where the blocks of 512, 8,192, 16,384, 32,768 and 49,152 nodes
are, of which one of 32,768 goes around the end (names such as MIR-04000-77FF1-16384 in the tests
that come with Cobalt, in which the digits are corners).

Assumed: 1,024 nodes are two and 2,048 all four midplanes of a line of the fourth dimension, 4,096
two such lines, 12,288 a layer of the third dimension, 24,576 half of the first; jobs of less than
512 nodes run on a midplane; nothing is down or reserved.
"""


def intrepid(*, node_processors: int = 4, part_racks: int = 8) -> BlockList:
    """Return the blocks of Intrepid, Argonne's Blue Gene/P of 40,960 nodes.

    `BlockList.about` says what of it is known and what is assumed. `node_processors` is 1 if jobs
    are counted in nodes; in `part_racks` midplanes are parted into blocks of 64, 128 and 256 nodes.

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

    `BlockList.about` says what of it is known and what is assumed. `node_processors` is 1 if jobs
    are counted in nodes.

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
    """Return the blocks of one of Argonne's Blue Genes.

    Parameters
    ----------
    name
        ``intrepid`` or ``mira``.
    node_processors
        How many processors a node has; 4 on Intrepid, as in its log, and 1 on Mira.

    Raises
    ------
    OptionError
        There is no such machine.

    Examples
    --------
    >>> blue_gene("mira").processors
    49152
    """
    made_by = BLUE_GENES[require_choice("machine", name, tuple(BLUE_GENES))]
    return made_by() if node_processors is None else made_by(node_processors=node_processors)


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
