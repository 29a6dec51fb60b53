"""The blocks of Intrepid and Mira: what is known of them."""

from itertools import combinations

import pytest

from schedulers.machine.block import BlockList
from schedulers.machine.blue_gene import Shape, Torus, blue_gene, intrepid, mira


def excludes(machine: BlockList, one: str, other: str) -> bool:
    places = {block.name: place for place, block in enumerate(machine.blocks)}
    return bool(machine.excluded[places[one]] >> places[other] & 1)


def test_racks_that_share_wires_exclude_each_other_but_not_their_midplanes() -> None:
    machine = intrepid()
    assert excludes(machine, "ANL-R00-1024", "ANL-R01-1024")
    assert not excludes(machine, "ANL-R00-1024", "ANL-R02-1024")
    assert not excludes(machine, "ANL-R00-1024", "ANL-R01-M0-512")
    assert not excludes(machine, "ANL-R00-R01-2048", "ANL-R02-1024")
    assert excludes(machine, "ANL-R00-R03-4096", "ANL-R04-R07-4096")
    assert not excludes(machine, "ANL-R00-R03-4096", "ANL-R04-R05-2048")
    # in the first dimension there are wires enough
    assert not excludes(machine, "ANL-R00-R17-16384", "ANL-R20-R37-16384")


def test_parts_of_a_midplane_exclude_blocks_with_their_nodes() -> None:
    machine = intrepid()
    assert excludes(machine, "ANL-R00-M0-N02-64", "ANL-R00-M0-N00-128")
    assert not excludes(machine, "ANL-R00-M0-N02-64", "ANL-R00-M0-N04-128")
    assert excludes(machine, "ANL-R00-M0-N02-64", "ANL-R00-1024")
    assert not any("-N" in block.name for block in intrepid(part_racks=0).blocks)


def test_miras_blocks_of_32768_overlap_and_one_wraps_around() -> None:
    machine = mira()
    largest = [block.name for block in machine.blocks if block.size == 32768]
    assert largest == ["MIR-00000-77FF1-32768", "MIR-04000-7BFF1-32768", "MIR-08000-73FF1-32768"]
    assert all(excludes(machine, *pair) for pair in combinations(largest, 2))
    assert excludes(machine, "MIR-08000-73FF1-32768", "MIR-00000-73FF1-16384")
    assert not excludes(machine, "MIR-08000-73FF1-32768", "MIR-04000-77FF1-16384")
    assert not excludes(machine, "MIR-00000-33371-1024", "MIR-00080-333F1-1024")


@pytest.mark.parametrize("name", ["intrepid", "mira"])
def test_every_block_has_the_nodes_of_its_name(name: str) -> None:
    for block in blue_gene(name, node_processors=3).blocks:
        assert block.size == 3 * int(block.name.rpartition("-")[2])


def test_a_mesh_uses_only_wires_between_its_midplanes() -> None:
    ring = Torus((6,), 1)
    shapes = [Shape((2,), mesh=frozenset({0})), Shape((3,))]
    machine = BlockList(
        "ring", 6, tuple(ring.blocks(shapes, name=lambda where, size: f"{size}@{where[0].start}"))
    )
    assert not excludes(machine, "2@0", "2@2")
    assert excludes(machine, "2@0", "3@3")
    assert excludes(machine, "3@0", "3@3")
