"""Node names in Slurm's short form: ``n[01-03,07],g01``."""

import re
from collections.abc import Iterator
from itertools import islice

MOST_NODES = 1 << 18
"""Largest number of nodes in a list; the largest machines have some 160,000."""

_PART = re.compile(r"([^\[\],]*)(?:\[([0-9,-]+)\])?")
_LONGEST = 100
"""Longest quotation of a list in a message, in characters."""
_RANGE = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})?")


def node_names(text: str) -> list[str]:
    """Return the names in a list in short form.

    Raises
    ------
    ValueError
        The text is not a list of nodes, or contains more than `MOST_NODES`.

    Examples
    --------
    >>> node_names("n[01-03,07],g01")
    ['n01', 'n02', 'n03', 'n07', 'g01']
    >>> node_names("rack[1-2]n[1-2]")
    ['rack1n1', 'rack1n2', 'rack2n1', 'rack2n2']
    """
    names: list[str] = []
    for part in parts(text):
        found = [""]
        at = 0
        while at < len(part):
            match = _PART.match(part, at)
            if match is None or match.end() == at:
                raise ValueError(f"'{_short(text)}' is not a list of nodes")
            at = match.end()
            stem, numbers = match.groups()
            ends = [""] if numbers is None else list(islice(_numbers(numbers), MOST_NODES + 1))
            if len(found) * len(ends) + len(names) > MOST_NODES:
                raise ValueError(f"'{_short(text)}' contains more than {MOST_NODES:,} nodes")
            found = [f"{before}{stem}{end}" for before in found for end in ends]
        names.extend(found)
    return names


def parts(text: str) -> Iterator[str]:
    """Yield the parts of a list between commas that are not in brackets."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers of ``01-03,07``, with their leading zeros."""
    for item in text.split(","):
        low, dash, high = item.partition("-")
        if _RANGE.fullmatch(item) is None:
            raise ValueError(f"'{item}' is not a range of nodes")
        last = int(high) if dash else int(low)
        for number in range(int(low), last + 1):
            yield f"{number:0{len(low)}}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
