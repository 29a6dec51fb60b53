"""The file with the blocks of a machine."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from predictors.errors import OptionError
from predictors.registry import nearest
from schedulers.machine.block import Block, BlockList
from workload_tools.batsim.intervals import count, format_intervals, parse_intervals

KIND = "blocks"
"""The `kind` of such a file; other machines have other words."""

_OF_A_MACHINE = ("about", "blocks", "kind", "name", "processors")
_OF_A_BLOCK = ("excludes", "name", "processors", "size", "wires")


def read_machine_file(path: str | Path) -> dict[str, Any]:
    """Read a machine's file of any kind, a JSON object with a ``kind``, or raise `OptionError`."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"machine file {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OptionError(f"machine file {path}: no JSON: {error}") from error
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
        The file can't be read, or the blocks can't be what it says; the message names the block.

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
    """Return the blocks of a machine of its file's content; raises as `read_blocks`.

    An object with ``kind`` (``blocks``), ``name``, ``processors`` (how many), ``about`` (a list of
    sentences; may be missing) and ``blocks``, a list of objects with ``name``, ``processors`` (such
    as ``0-511 1024-1535``), and, where there are any, ``size`` (to be checked), ``wires`` and
    ``excludes`` (lists of names).

    Examples
    --------
    >>> blocks = [{"name": "left", "processors": "0-1"}, {"name": "all", "processors": "0-3"}]
    >>> machine = blocks_of({"kind": "blocks", "name": "m", "processors": 4, "blocks": blocks})
    >>> [block.size for block in machine.blocks]
    [2, 4]
    """
    _check_words("a machine of blocks", content, _OF_A_MACHINE)
    if content.get("kind") != KIND:
        raise OptionError(f"its kind is {content.get('kind')!r}, not '{KIND}'")
    processors, blocks = content.get("processors"), content.get("blocks")
    if type(processors) is not int or processors < 1:
        raise OptionError(f"processors is {processors!r}; it must be how many the machine has")
    if not isinstance(blocks, list) or not blocks:
        raise OptionError("blocks is no list of blocks, or an empty one")
    name = content.get("name", "")
    if not isinstance(name, str):
        raise OptionError(f"name is {name!r}; it must be a text")
    made = tuple(_block(one, place) for place, one in enumerate(blocks, 1))
    return BlockList(name, processors, made, _texts("the machine", content, "about"))


def _block(told: object, place: int) -> Block:
    if not isinstance(told, dict) or not isinstance(told.get("name"), str) or not told["name"]:
        raise OptionError(f"block {place} is no object with a name")
    name = told["name"]
    called = f"block '{name}'"
    _check_words(called, told, _OF_A_BLOCK)
    text = told.get("processors")
    if not isinstance(text, str):
        raise OptionError(f"{called}: processors is {text!r}; it must be a text such as '0-511'")
    try:
        processors = parse_intervals(text)
    except ValueError as error:
        raise OptionError(f"{called}: {error}") from error
    size = told.get("size", count(processors))
    if size != count(processors):
        raise OptionError(f"{called} has {count(processors)} processors, and says size {size!r}")
    wires, excludes = (_texts(called, told, word) for word in ("wires", "excludes"))
    return Block(name, processors, wires, excludes)


def _check_words(called: str, told: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for word in told:
        if word not in known:
            raise OptionError(f"{called} has no '{word}': {nearest(str(word), known)}")


def _texts(called: str, told: Mapping[str, Any], word: str) -> tuple[str, ...]:
    texts = told.get(word, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise OptionError(f"{called}: {word} is {texts!r}; it must be a list of texts")
    return tuple(texts)


def content_of(machine: BlockList) -> dict[str, Any]:
    """Return the content of a machine's file, the inverse of `blocks_of`."""
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
    blocks = ",\n".join("  " + json.dumps(block) for block in content.pop("blocks"))
    others = "".join(
        f"{json.dumps(key)}: {json.dumps(value, indent=1)},\n" for key, value in content.items()
    )
    return f'{{\n{others}"blocks": [\n{blocks}\n]\n}}\n'
