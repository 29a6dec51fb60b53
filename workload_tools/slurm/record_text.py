"""The records of a dump as text, and their fields.

A job's name may have line ends in it, and the separator itself: `sacct` escapes nothing, and a job
may be named ``COMPLETED|0:0``. Dates, states and numbers tell where such a text must end.
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
"""So many records are held at a time."""
LONGEST_RECORD = 1 << 20
"""In characters; what is longer is damaged, and ends there."""


class RecordLot(NamedTuple):
    """Records one behind the other."""

    layout: Layout
    lines: list[int]
    """The number of the first line of each."""
    texts: list[str]

    def add(self, number: int, lines: list[str]) -> None:
        """Add the record that these lines are, if there are any."""
        if lines:
            self.lines.append(number)
            self.texts.append("\n".join(lines).rstrip("\r\n"))


def record_lots(path: Path, layout: Layout) -> Iterator[RecordLot]:
    """Yield the records of a dump, many of one layout at a time.

    A record is complete when it has its separators; a line that neither has a record's separators
    nor begins with a job's number continues the one above. Dumps that were put together have
    headers in between, which may tell another layout.

    Parameters
    ----------
    path
        The dump; text of any encoding, read as latin-1.
    layout
        That of the first records.
    """
    separator, needed, begins = layout.separator, layout.separators, _beginning(layout)
    # The lines of a record, put together at its end, so that many cost no square.
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
    """Say of lines whether each begins a record and is complete, whatever stands above."""
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
    """Return what says whether a line can be the first of a record."""
    if layout.kinds[0] is Kind.JOB:
        return re.compile(PATTERNS[Kind.JOB].pattern + re.escape(layout.separator)).match
    # Without a number at its beginning, a record that ends in a name may go on.
    free_end = layout.kinds[-1] is Kind.FREE
    return lambda _line: not free_end


MOST_EXTRA = 300
"""How many separators too many a record may have; a job's name has at most 255 characters."""


def split_record(text: str, layout: Layout) -> list[str] | None:
    r"""Return a record's fields, or None if there is no way to cut it into them.

    Parameters
    ----------
    text
        The record, which may have line ends in it.
    layout
        The dump's.

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
    """Give each field as many pieces as it takes for all of them to hold what they may."""
    kinds, separator = layout.kinds, layout.separator
    several = {Kind.FREE, *SPANNING_COMMAS} if "," in separator else {Kind.FREE}
    spanning = [field for field, kind in enumerate(kinds) if kind in several]
    hopeless: set[tuple[int, int]] = set()

    def fill(turn: int, spent: int) -> list[str] | None:
        """Fill the fields behind so many that may span, when so many extra pieces are spent."""
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
    """Return how many pieces more than one a field may take, in the order to try."""
    return range(most + 1) if kind is Kind.FREE else range(most, -1, -1)
