"""Sets of processors as intervals, their text form, and their conversion to ``ProcSet``."""

import re
from typing import TypeAlias

from procset import ProcSet

Intervals: TypeAlias = tuple[tuple[int, int], ...]
"""Disjoint intervals (first processor, last processor), both included, in ascending order."""

_TEXT = re.compile(r"\d+(-\d+)?( \d+(-\d+)?)*", re.ASCII)


def format_intervals(intervals: Intervals) -> str:
    """Return intervals as text in Batsim's format.

    Examples
    --------
    >>> format_intervals(((0, 3), (7, 7)))
    '0-3 7'
    """
    if len(intervals) == 1:
        first, last = intervals[0]
        return f"{first}-{last}" if first != last else f"{first}"
    return " ".join(
        [f"{first}-{last}" if first != last else f"{first}" for first, last in intervals]
    )


def parse_intervals(text: str) -> Intervals:
    """Read intervals in Batsim's format.

    Raises
    ------
    ValueError
        The text is not a set of processors, or contains a processor twice.

    Examples
    --------
    >>> parse_intervals("7 0-3")
    ((0, 3), (7, 7))
    """
    if not _TEXT.fullmatch(text):
        raise ValueError(f"{text!r} is not a set of processors such as '0-3 7'")
    intervals = []
    for part in text.split(" "):
        begin, _, end = part.partition("-")
        intervals.append((int(begin), int(end or begin)))
    intervals.sort()
    reached = -1
    for first, last in intervals:
        if first <= reached or last < first:
            raise ValueError(f"{text!r} names a processor twice or has a reversed interval")
        reached = last
    return tuple(intervals)


def count(intervals: Intervals) -> int:
    """Count the processors."""
    return sum([last - first + 1 for first, last in intervals])


def to_procset(intervals: Intervals) -> ProcSet:
    """Return the processors as a ``ProcSet``."""
    return ProcSet(*intervals)
