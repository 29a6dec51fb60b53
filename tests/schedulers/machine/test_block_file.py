"""Lists of blocks: each mistake gives a one-line error that names the block."""

import json
from pathlib import Path
from typing import Any

import pytest

from predictors import OptionError
from schedulers import make_policy
from schedulers.machine.block import Block, BlockList
from schedulers.machine.block_file import blocks_of, content_of, read_blocks, text_of
from schedulers.machine.blocks import Blocks
from schedulers.specification import specify
from tests.suites import each_case

LEFT = {"name": "left", "processors": "0-1"}
RIGHT = {"name": "right", "processors": "2-3", "size": 2, "wires": ["w"], "excludes": ["left"]}
TOLD = {"kind": "blocks", "name": "small", "processors": 4, "blocks": [LEFT, RIGHT]}


def told(*blocks: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**TOLD, "blocks": list(blocks), **more}


@each_case(
    ("content", "message"),
    [
        (told(LEFT, {**RIGHT, "size": 3}), "block 'right' lists 2 processors, but its size is 3"),
        (told(LEFT, {**RIGHT, "processors": "3-4"}), "block 'right' has processor 4; the ma"),
        (told(LEFT, {**RIGHT, "processors": "2-3 3"}), "block 'right': '2-3 3' names a proces"),
        (told(LEFT, {**RIGHT, "processors": "2..3"}), "block 'right': '2..3' is not a set of proc"),
        (told(LEFT, {**RIGHT, "processors": [2, 3]}), "blocks 'right': processors is .2, 3.; it"),
        (told(LEFT, {**RIGHT, "excludes": ["lefd"]}), "block 'right' excludes 'lefd', whi"),
        (told(LEFT, {**RIGHT, "excludes": ["right"]}), "block 'right' excludes itself"),
        (told(LEFT, {**RIGHT, "excludes": "left"}), "blocks 'right': excludes is 'left'; it must"),
        (told(LEFT, {**RIGHT, "wire": []}), "blocks 'right' has no key 'wire': did you mean"),
        (told(LEFT, RIGHT, LEFT), "block 'left' is in the list twice"),
        (told(LEFT, RIGHT, {**LEFT, "name": "x"}), "block 'x' has the processors, wires and excl"),
        (told(LEFT), "processor 2 is in no block; the machine has 4"),
        (told({"processors": "0-3"}), "blocks 1 lacks 'name'"),
        (told(), "blocks is ..; it must be a list that is not empty"),
        (told(LEFT, RIGHT, processors="4"), "processors is '4'; it must be a whole number"),
        (told(LEFT, RIGHT, size=4), "there is no key 'size': known: kind, processors"),
        ({**TOLD, "kind": "nodes"}, "kind is 'nodes': known: blocks"),
    ],
)  # fmt: skip
def test_a_bad_list_gives_one_clear_error_with_the_block(
    tmp_path: Path, content: dict[str, Any], message: str
) -> None:
    file = tmp_path / "machine.json"
    file.write_text(json.dumps(content))
    with pytest.raises(OptionError, match=f"^machine file {file}: {message}") as raised:
        read_blocks(file)
    assert "\n" not in str(raised.value)


@each_case(
    ("text", "message"),
    [
        (None, "No such file or directory"),
        ("{", "not JSON"),
        ("[1]", "not an object with a kind"),
        ('{"kind": "tapes"}', "its kind is 'tapes', which is not a known kind: known: blocks, c"),
    ],
)
def test_an_invalid_machine_file_gives_one_clear_error(
    tmp_path: Path, text: str | None, message: str
) -> None:
    file = tmp_path / "machine.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(OptionError, match=f"machine file {file}: {message}"):
        make_policy("easy", {"machine": str(file)})


def test_blocks_made_in_a_script_are_also_checked() -> None:
    with pytest.raises(OptionError, match="'b' names a processor twice, or not in ascending"):
        BlockList("m", 4, (Block("a", ((0, 3),)), Block("b", ((2, 3), (0, 1)))))


def test_wires_and_exclusions_are_symmetric() -> None:
    blocks = [
        {"name": "a", "processors": "0", "wires": ["w"]},
        {"name": "b", "processors": "1", "wires": ["w", "v"]},
        {"name": "c", "processors": "2", "excludes": ["d"]},
        {"name": "d", "processors": "3"},
    ]
    assert blocks_of(told(*blocks)).excluded == (0b0011, 0b0011, 0b1100, 0b1100)


def test_a_written_file_can_be_read_again(tmp_path: Path) -> None:
    machine = blocks_of({**TOLD, "about": ["Made up."]})
    (tmp_path / "machine.json").write_text(text_of(machine))
    assert read_blocks(tmp_path / "machine.json") == machine


def test_a_file_its_content_and_its_blocks_give_the_same_machine(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(json.dumps(TOLD))
    blocks = blocks_of(TOLD)
    machines = [Blocks(str(file)), Blocks(file), Blocks(TOLD), Blocks(blocks)]
    assert [machine.machine for machine in machines] == [blocks] * 4
    told_of = [specify("easy", {"machine": one}).options["machine"] for one in (str(file), blocks)]
    options = {"name": "blocks", "sizes": "smallest", "choice": "blocks_least"}
    assert told_of == [{**options, "file": str(file)}, {**options, "file": content_of(blocks)}]
