"""The records of a dump as text: a job's name may have line ends in it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from workload_tools.log_lines import line_blocks
from workload_tools.slurm.fields import PATTERNS, Kind
from workload_tools.slurm.layout import Layout, layout_of_header

LONGEST_RECORD = 1 << 20
"""In characters; what is longer is damaged, and ends there."""


def record_texts(path: Path, layout: Layout) -> Iterator[tuple[int, str, Layout]]:
    """Yield the records of a dump: the number of the first line, the text, and its layout.

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
    begins = _beginning(layout)
    separator, needed = layout.separator, layout.separators
    # The lines of a record, put together at its end, so that many cost no square.
    current: list[str] = []
    at = count = size = 0
    for first, lines in line_blocks(path):
        for number, line in enumerate(lines, first):
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
            if current:
                yield at, "\n".join(current).rstrip("\r\n"), layout
                current = []
            if found is None:
                current, at, count, size = [line], number, separators, len(line)
            else:
                layout = found
                begins = _beginning(layout)
                separator, needed = layout.separator, layout.separators
    if current:
        yield at, "\n".join(current).rstrip("\r\n"), layout


def _header(line: str, separator: str) -> Layout | None:
    return layout_of_header(line, separator) or layout_of_header(line)


def _beginning(layout: Layout) -> Callable[[str], object]:
    """Return what says whether a line can be the first of a record."""
    if layout.kinds[0] is Kind.JOB:
        return re.compile(PATTERNS[Kind.JOB].pattern + re.escape(layout.separator)).match
    # Without a number at its beginning, a record that ends in a name may go on.
    free_end = layout.kinds[-1] is Kind.FREE
    return lambda _line: not free_end
