"""Node names in Slurm's short form: ``n[01-03,07],g01``."""

import re
from collections.abc import Iterator

MOST_NODES = 1 << 20

_PART = re.compile(r"([^\[\],]*)(?:\[([0-9,-]+)\])?")
_RANGE = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})?")


def node_names(text: str) -> list[str]:
    """Return the names that a short form stands for.

    Raises
    ------
    ValueError
        It is none, or stands for over a million nodes.

    Examples
    --------
    >>> node_names("n[01-03,07],g01")
    ['n01', 'n02', 'n03', 'n07', 'g01']
    >>> node_names("rack[1-2]n[1-2]")
    ['rack1n1', 'rack1n2', 'rack2n1', 'rack2n2']
    """
    names: list[str] = []
    for part in _parts(text):
        found = [""]
        at = 0
        while at < len(part):
            match = _PART.match(part, at)
            if match is None or match.end() == at:
                raise ValueError(f"'{text}' is no list of nodes")
            at = match.end()
            stem, numbers = match.groups()
            ends = [""] if numbers is None else list(_numbers(numbers))
            if len(found) * len(ends) + len(names) > MOST_NODES:
                raise ValueError(f"'{text}' stands for over a million nodes")
            found = [f"{before}{stem}{end}" for before in found for end in ends]
        names.extend(found)
    return names


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between the commas that are not in brackets."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers of ``01-03,07``, as wide as they are written."""
    for item in text.split(","):
        low, dash, high = item.partition("-")
        if _RANGE.fullmatch(item) is None:
            raise ValueError(f"'{item}' is no range of nodes")
        last = int(high) if dash else int(low)
        if last - int(low) > MOST_NODES:
            raise ValueError(f"'{item}' stands for over a million nodes")
        for number in range(int(low), last + 1):
            yield f"{number:0{len(low)}}"
