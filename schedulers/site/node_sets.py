"""Finds nodes by name: classes, single nodes, and ranges such as ``fat[1-8,12]``."""

import re
from collections.abc import Container, Sequence

from predictors.registry import nearest
from schedulers.site.site import NodeClass, SiteError

_RANGE = re.compile(r"(?P<name>.+?)\[(?P<numbers>[0-9,\- ]+)\]")


def node_set(names: Sequence[str], classes: Sequence[NodeClass], where: str) -> tuple[int, ...]:
    """Return the numbers of the named nodes, in ascending order. Without names, return all nodes.

    Nodes are numbered from 0, in the order of the classes.

    Raises
    ------
    SiteError
        A node or class does not exist. The message begins with `where`.

    Examples
    --------
    >>> thin, fat = (NodeClass(name=name, count=4, cores=8) for name in ("thin", "fat"))
    >>> node_set(["fat2", "thin[2-3]"], [thin, fat], "partition 'all'")
    (1, 2, 5)
    """
    if not names:
        return tuple(range(sum(one.count for one in classes)))
    first: dict[str, tuple[int, int]] = {}
    place = 0
    for one in classes:
        first[one.name] = (place, one.count)
        place += one.count
    found: set[int] = set()
    for text in names:
        name, numbers = _taken_apart(text, first)
        if name not in first:
            raise SiteError(f"{where} has no node '{text}': {nearest(text, first)}")
        begin, count = first[name]
        for low, high in numbers or [(1, count)]:
            if not 1 <= low <= high <= count:
                raise SiteError(f"{where} has '{text}'; the nodes of '{name}' are 1 to {count}")
            found.update(range(begin + low - 1, begin + high))
    return tuple(sorted(found))


def _taken_apart(text: str, classes: Container[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the name of a class and the ranges of its nodes. No ranges: the whole class."""
    if text in classes:
        return text, []
    match = _RANGE.fullmatch(text)
    if match is not None:
        ranges = []
        for part in match["numbers"].split(","):
            low, _, high = part.partition("-")
            if not low.strip().isdigit() or not (high or low).strip().isdigit():
                return text, []
            ranges.append((int(low), int(high or low)))
        return match["name"], ranges
    number = re.search(r"[0-9]+$", text)
    if number is None:
        return text, []
    return text[: number.start()], [(int(number[0]), int(number[0]))]
