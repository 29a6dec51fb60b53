"""Nodes grouped into the node classes of a site."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from schedulers.site.site import NodeClass

_NUMBERED = re.compile(r"(.*?)([0-9]+)")


@dataclass(frozen=True, slots=True)
class NodeKind:
    """Properties of a node; equal nodes form a class."""

    cores: int
    threads: int = 1
    """Processors per core."""
    memory: float | None = None
    """Memory in GiB; ``None`` if unknown."""
    gpus: tuple[tuple[str, int], ...] = ()
    features: tuple[str, ...] = ()
    weight: int = 0
    whole: bool = False


@dataclass(frozen=True, slots=True)
class NodeClasses:
    """Node classes of equal nodes, and the place of each node in its class.

    Attributes
    ----------
    classes : tuple of NodeClass
        The classes, in the order of their first nodes.
    places : dict of str to (str, int)
        For each node, the name of its class and its number in the class, from 1.
    """

    classes: tuple[NodeClass, ...]
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def in_notation(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return nodes in a site's notation: ``fat``, ``fat3`` or ``fat[1-8,12]``.

        Unknown nodes are left out.
        """
        numbers: dict[str, set[int]] = {}
        for name in names:
            if name in self.places:
                of, number = self.places[name]
                numbers.setdefault(of, set()).add(number)
        counts = {one.name: one.count for one in self.classes}
        return tuple(
            of if len(numbers_in_class) == counts[of] else f"{of}{_ranges(numbers_in_class)}"
            for of in counts
            if (numbers_in_class := numbers.get(of))
        )

    def renamed(self) -> dict[str, str]:
        """Return, for each class with renamed nodes, the old and the new name of its first node."""
        found: dict[str, str] = {}
        for name, (of, number) in self.places.items():
            match = _NUMBERED.fullmatch(name)
            same = match is not None and match[1] == of and int(match[2]) == number
            if not same and number == 1:
                found[name] = f"{of}{number}"
        return found


def classes_of(kinds: Mapping[str, NodeKind]) -> NodeClasses:
    """Group equal nodes into classes.

    A class has the name of its nodes' common prefix if it has all nodes with this prefix, numbered
    from 1. Otherwise, the class gets a new name that begins with the prefix.

    Examples
    --------
    >>> thin, fat = NodeKind(8), NodeKind(8, memory=64.0)
    >>> found = classes_of({"n1": thin, "n2": thin, "n3": fat, "g01": fat})
    >>> [(one.name, one.count) for one in found.classes], found.in_notation(["n1", "n3"])
    ([('n', 2), ('n-b', 2)], ('n1', 'n-b1'))
    """
    of_kind: dict[NodeKind, list[str]] = {}
    for name, kind in kinds.items():
        of_kind.setdefault(kind, []).append(name)
    classes: list[NodeClass] = []
    places: dict[str, tuple[str, int]] = {}
    used: set[str] = set()
    for kind, names in of_kind.items():
        called = _called(names, used)
        used.add(called)
        numbers = {name: int(match[2]) for name in names if (match := _NUMBERED.fullmatch(name))}
        by_number = sorted(names, key=numbers.__getitem__) if _is_own(names, called) else names
        places |= {name: (called, place) for place, name in enumerate(by_number, 1)}
        classes.append(
            NodeClass(
                name=called,
                count=len(names),
                cores=kind.cores,
                threads=kind.threads,
                memory=kind.memory,
                gpus=dict(kind.gpus),
                features=kind.features,
                weight=kind.weight,
                whole=kind.whole,
            )
        )
    return NodeClasses(tuple(classes), places)


def _is_own(names: list[str], called: str) -> bool:
    """Return True if nodes are named by their class and numbers from 1."""
    matches = [_NUMBERED.fullmatch(name) for name in names]
    numbers = sorted(int(match[2]) for match in matches if match and match[1] == called)
    return numbers == [*range(1, len(names) + 1)]


def _called(names: list[str], used: set[str]) -> str:
    match = _NUMBERED.fullmatch(names[0])
    stem = match[1] if match else names[0]
    if stem and stem not in used and _is_own(names, stem) and stem[-1] not in "0123456789":
        return stem
    base = (stem or "node").rstrip("0123456789-_.") or "node"
    for letter in "abcdefghijklmnopqrstuvwxyz":
        called = f"{base}-{letter}"
        if called not in used and (letter != "a" or base not in used):
            return called
    place = len(used)
    while f"{base}-x{place}x" in used:
        place += 1
    return f"{base}-x{place}x"


def _ranges(numbers: set[int]) -> str:
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    ranges = ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in parts)
    return ranges if ranges.isdecimal() else f"[{ranges}]"


def integer(text: str) -> int:
    """Convert a text into an integer.

    Raises
    ------
    ValueError
        The text is not an integer.
    """
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 15):  # noqa: PLR2004 - so many digits are exact as a float
        raise ValueError(f"'{text}' is not a whole number")
    return sign * int(digits)


def decimal(text: str) -> float:
    """Convert a text into a finite number.

    Raises
    ------
    ValueError
        The text is not a finite number.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"'{text}' is not a number")
    return number


def date(record: Mapping[str, str], key: str) -> datetime:
    """Return the date in a record's field, such as ``2026-12-01T08:00:00``.

    Raises
    ------
    ValueError
        The field is missing or not a date.
    """
    try:
        return datetime.fromisoformat(record.get(key, ""))
    except ValueError:
        raise ValueError(f"{key}={record.get(key, '')} is not a date") from None
