"""The file that describes the blocks of a machine."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from predictors.errors import OptionError
from schedulers.machine.block import Block, BlockList
from workload_tools.batsim.intervals import count, format_intervals, parse_intervals
from workload_tools.expected import in_words
from workload_tools.strict import StrictError, Text, structured

__all__ = ["read_blocks", "text_of"]

KIND = "blocks"
"""The `kind` of a file of blocks. Files of other machines have another kind."""


class _BlockEntry(Struct, forbid_unknown_fields=True):
    name: Text
    processors: str
    size: int | None = None
    wires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


class _MachineOfBlocks(Struct, forbid_unknown_fields=True):
    kind: Literal["blocks"]
    processors: Annotated[int, Meta(ge=1)]
    blocks: Annotated[tuple[_BlockEntry, ...], Meta(min_length=1)]
    name: str = ""
    about: tuple[str, ...] = ()


def read_machine_file(path: str | Path) -> dict[str, Any]:
    """Read a machine file of any kind: a JSON object with a ``kind``, or raise `OptionError`."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"machine file {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OptionError(f"machine file {path}: not JSON: {in_words(error)}") from error
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise OptionError(
            f'machine file {path}: not an object with a kind, such as {{"kind": "{KIND}", ...}}'
        )
    return content


def read_blocks(path: str | Path) -> BlockList:
    """Read the blocks of a machine from its file.

    Raises
    ------
    OptionError
        The file cannot be read, or a block is invalid. The message names the block.

    Examples
    --------
    >>> read_blocks("nowhere.json")
    Traceback (most recent call last):
    ...
    predictors.errors.OptionError: machine file nowhere.json: No such file or directory
    """
    try:
        return blocks_of(read_machine_file(path))
    except OptionError as error:
        message = str(error)
        if message.startswith("machine file"):
            raise
        raise OptionError(f"machine file {path}: {message}") from error


def blocks_of(content: Mapping[str, Any]) -> BlockList:
    """Return the blocks of a machine from its file's content. Errors are those of `read_blocks`.

    The content is an object with ``kind`` (``blocks``), ``name``, ``processors`` (the number),
    ``about`` (optional, a list of sentences) and ``blocks``. Each block is an object with ``name``
    and ``processors`` (such as ``0-511 1024-1535``). Optional keys of a block are ``size`` (which
    is checked), ``wires`` and ``excludes`` (lists of names).

    Examples
    --------
    >>> blocks = [{"name": "left", "processors": "0-1"}, {"name": "all", "processors": "0-3"}]
    >>> machine = blocks_of({"kind": "blocks", "name": "m", "processors": 4, "blocks": blocks})
    >>> [block.size for block in machine.blocks]
    [2, 4]
    """
    try:
        machine = structured(content, _MachineOfBlocks)
    except StrictError as error:
        raise OptionError(str(error)) from None
    return BlockList(
        machine.name, machine.processors, tuple(map(_block, machine.blocks)), machine.about
    )


def _block(entry: _BlockEntry) -> Block:
    called = f"block '{entry.name}'"
    try:
        processors = parse_intervals(entry.processors)
    except ValueError as error:
        raise OptionError(f"{called}: {error}") from error
    size = count(processors)
    if entry.size not in (None, size):
        raise OptionError(f"{called} lists {size} processors, but its size is {entry.size!r}")
    return Block(entry.name, processors, entry.wires, entry.excludes)


def content_of(machine: BlockList) -> dict[str, Any]:
    """Return the content of a machine's file. `blocks_of` is the inverse."""
    return {
        "kind": KIND,
        "name": machine.name,
        "about": list(machine.about),
        "processors": machine.processors,
        "blocks": [
            {
                "name": block.name,
                "processors": format_intervals(block.processors),
                "size": block.size,
                **({"wires": list(block.wires)} if block.wires else {}),
                **({"excludes": list(block.excludes)} if block.excludes else {}),
            }
            for block in machine.blocks
        ],
    }


def text_of(machine: BlockList) -> str:
    """Return the text of a machine's file, with a line for each block."""
    content = content_of(machine)
    blocks = ",\n".join(
        "  " + json.dumps(block, allow_nan=False) for block in content.pop("blocks")
    )
    others = "".join(
        f"{json.dumps(key)}: {json.dumps(value, indent=1, allow_nan=False)},\n"
        for key, value in content.items()
    )
    return f'{{\n{others}"blocks": [\n{blocks}\n]\n}}\n'
