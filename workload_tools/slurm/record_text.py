"""Split the text output of `sacct` into records, and records into fields.

A job's name may contain line ends and the delimiter, because `sacct` escapes nothing. For example,
a job may be named ``COMPLETED|0:0``. The end of such a name is found from the neighbouring dates,
states and numbers.
"""

import re
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from workload_tools.log_lines import line_blocks
from workload_tools.slurm.layout import (
    PATTERNS,
    SPANNING_COMMAS,
    Kind,
    Layout,
    holds,
    layout_of_header,
)

_MANY = 1 << 14
"""Largest number of records in one lot."""
LONGEST_RECORD = 1 << 20
"""Longest valid record, in characters. A damaged longer record is cut at this length."""


class RecordLot(NamedTuple):
    """Consecutive records of the same layout."""

    layout: Layout
    lines: list[int]
    """The number of the first line of each record."""
    texts: list[str]

    def add(self, number: int, lines: list[str]) -> None:
        """Add a record that consists of these lines. If there are no lines, do nothing."""
        if lines:
            self.lines.append(number)
            self.texts.append("\n".join(lines).rstrip("\r\n"))


def record_lots(path: Path, layout: Layout) -> Iterator[RecordLot]:
    """Yield the records of a file in lots. All records of a lot have the same layout.

    A record is complete when it has all its delimiters. If a line has fewer delimiters and does not
    begin with a job number, it continues the record above. If several outputs were joined, further
    headers may change the layout.

    Parameters
    ----------
    path
        The file, a text of any encoding, which is decoded as latin-1.
    layout
        The layout of the first records.
    """
    separator, needed, begins = layout.separator, layout.separators, _beginning(layout)
    # the lines of a record are joined only when it is complete, to avoid quadratic time
    current: list[str] = []
    at = count = size = 0
    lot = RecordLot(layout, [], [])
    for first, lines in line_blocks(path):
        plain = _plain(lines, layout)
        place = 0
        while place < len(lines):
            end = plain.find(False, place)
            end = len(lines) if end < 0 else end
            if end > place:
                lot.add(at, current)
                lot.lines.extend(range(first + place, first + end - 1))
                lot.texts.extend([line.rstrip("\r") for line in lines[place : end - 1]])
                at, current = first + end - 1, lines[end - 1 : end]
                count, size = needed, len(current[0])
                place = end
                if len(lot.texts) >= _MANY:
                    yield lot
                    lot = RecordLot(layout, [], [])
                continue
            line, number = lines[place], first + place
            place += 1
            found = _header(line.rstrip("\r"), separator) if line[:1].isalpha() else None
            if found is None:
                separators = line.count(separator)
                if not current:
                    if not line:
                        continue
                elif (
                    separators < needed
                    and (count < needed or not begins(line))
                    and size < LONGEST_RECORD
                ):
                    current.append(line)
                    count += separators
                    size += len(line) + 1
                    continue
            lot.add(at, current)
            if found is None:
                current, at, count, size = [line], number, separators, len(line)
            else:
                if lot.texts:
                    yield lot
                layout, current = found, []
                separator, needed, begins = layout.separator, layout.separators, _beginning(layout)
                lot = RecordLot(layout, [], [])
                plain = _plain(lines, layout)
    lot.add(at, current)
    if lot.texts:
        yield lot


def _plain(lines: list[str], layout: Layout) -> bytearray:
    """Return for each line whether it is a complete record, independent of the lines before it."""
    complete = map(layout.separators.__eq__, map(str.count, lines, repeat(layout.separator)))
    if "".join([line[:1] or "a" for line in lines]).isdecimal():
        return bytearray(complete)
    # a header begins with a letter
    return bytearray(
        there and line != "" and not line[0].isalpha()
        for there, line in zip(complete, lines, strict=True)
    )


def _header(line: str, separator: str) -> Layout | None:
    return layout_of_header(line, separator) or layout_of_header(line)


def _beginning(layout: Layout) -> Callable[[str], object]:
    """Return a function that tests whether a line can be the first line of a record."""
    if layout.kinds[0] is Kind.JOB:
        return re.compile(PATTERNS[Kind.JOB].pattern + re.escape(layout.separator)).match
    # if records begin with no job number but end with a free text, any line may continue the text
    free_end = layout.kinds[-1] is Kind.FREE
    return lambda _line: not free_end


MOST_EXTRA = 300
"""Largest number of surplus delimiters in a record. (A job name has at most 255 characters.)"""


def split_record(text: str, layout: Layout) -> list[str] | None:
    r"""Return the fields of a record, or None if the record cannot be split into fields.

    Parameters
    ----------
    text
        The record, which may contain line ends.
    layout
        The layout of the record.

    Examples
    --------
    >>> layout = Layout(("jobid", "jobname", "state", "exitcode"))
    >>> split_record("280|COMPLETED|0:0|COMPLETED|0:0", layout)
    ['280', 'COMPLETED|0:0', 'COMPLETED', '0:0']
    """
    if layout.trailing:
        if not text.endswith(layout.separator):
            return None
        text = text[: -len(layout.separator)]
    pieces = text.split(layout.separator)
    extra = len(pieces) - len(layout.names)
    if extra == 0:
        return pieces
    if not 0 < extra <= MOST_EXTRA:
        return None
    return _cut(pieces, extra, layout)


def _cut(pieces: list[str], extra: int, layout: Layout) -> list[str] | None:
    """Join pieces to fields such that each field matches its kind; None if this is impossible."""
    kinds, separator = layout.kinds, layout.separator
    several = {Kind.FREE, *SPANNING_COMMAS} if "," in separator else {Kind.FREE}
    spanning = [field for field, kind in enumerate(kinds) if kind in several]
    hopeless: set[tuple[int, int]] = set()

    def fill(turn: int, spent: int) -> list[str] | None:
        """Split the rest of the record, after `turn` spanning fields took `spent` extra pieces."""
        first = spanning[turn - 1] + 1 if turn else 0
        ends = turn == len(spanning)
        last = len(kinds) if ends else spanning[turn]
        if (ends and spent < extra) or (turn, spent) in hopeless:
            return None
        cut = pieces[first + spent : last + spent]
        if all(map(holds, kinds[first:last], cut)):
            if ends:
                return cut
            start = last + spent
            for more in _lengths(kinds[last], extra - spent):
                text = separator.join(pieces[start : start + more + 1])
                if holds(kinds[last], text):
                    rest = fill(turn + 1, spent + more)
                    if rest is not None:
                        return [*cut, text, *rest]
        hopeless.add((turn, spent))
        return None

    return fill(0, 0)


def _lengths(kind: Kind, most: int) -> range:
    """Return the possible numbers of extra pieces of a field, in the order in which to try them."""
    return range(most + 1) if kind is Kind.FREE else range(most, -1, -1)
