"""Tables for people: the same for a terminal, a page and a file."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import Any, Self

from pred_aware.errors import PredAwareError
from pred_aware.report.durations import spoken
from workload_tools.files import written_whole

NOTHING = "-"
SUFFIXES = (".csv", ".json")
_BETWEEN = 3
"""How many columns of a terminal stand between two of a table."""

Value = float | str | None


class Cell(str):
    """The text of a cell, as people read it, with the number that it stands for in a file."""

    __slots__ = ("value",)
    value: float | None
    """In full, also one of a frame; times in seconds, shares from 0 to 1."""

    def __new__(cls, text: str, value: float | None) -> Self:
        """Make a text that knows its number."""
        made = super().__new__(cls, text)
        if value is not None:
            # JSON takes none of numpy's
            value = int(value) if isinstance(value, Integral) else float(value)
        made.value = value
        return made


def number(value: float | None, digits: int = 0) -> Cell:
    """Write a number with so many digits behind the point; `NOTHING` for none.

    Examples
    --------
    >>> number(1234.5), number(0.125, 2), number(None)
    ('1,234', '0.12', '-')
    """
    return Cell(NOTHING if value is None else f"{value:,.{digits}f}", value)


def figure(value: float | None) -> Cell:
    """Write a number with two digits behind the point below 10, one below 100, else none.

    Examples
    --------
    >>> figure(1.234), figure(12.34), figure(1234.56)
    ('1.23', '12.3', '1,235')
    """
    size = abs(value or 0.0)
    return number(value, 2 if size < 10 else 1 if size < 100 else 0)  # noqa: PLR2004 - as it says


def percent(share: float | None, digits: int = 1) -> Cell:
    """Write a share as percents; `NOTHING` for none.

    Examples
    --------
    >>> percent(0.1234), percent(0.1234).value, percent(None)
    ('12.3 %', 0.1234, '-')
    """
    return Cell(NOTHING if share is None else f"{100 * share:.{digits}f} %", share)


def duration(seconds: float | None) -> Cell:
    """Write a time as people say it; `NOTHING` for none.

    Examples
    --------
    >>> duration(4980.0), duration(4980.0).value
    ('1 h 23 min', 4980.0)
    """
    return Cell(NOTHING if seconds is None else spoken(seconds), seconds)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a title."""

    title: str
    """What it is about."""
    columns: tuple[str, ...]
    """Their names; all but the first are written flush right."""
    rows: tuple[tuple[str, ...], ...]
    """Each as long as `columns`; a `Cell` knows its number."""
    note: str = ""
    """What must be known to read it."""
    words: bool = False
    """Whether its cells are words, which are written flush left and may be broken into lines."""

    def abreast(self, width: int) -> "Iterator[Table]":
        """Yield tables no wider than so many signs, each with the first column.

        No figure is cut or broken: what does not fit stands in a further table.
        """
        widths = [self.width(place) + _BETWEEN for place in range(len(self.columns))]
        if self.words or sum(widths) + 1 <= width:
            yield self
            return
        groups = _packed(widths, width)
        # as narrow as may be without a further table, so that none is left with a single column
        while width > 0 and len(narrower := _packed(widths, width - 1)) == len(groups):
            groups, width = narrower, width - 1
        yield from map(self._of, groups)

    def width(self, place: int) -> int:
        """Return how many signs a column needs so that no figure and no word of its name is cut."""
        words = self.columns[place].split()
        return max(map(len, [*words, *(row[place] for row in self.rows)]), default=0)

    def _of(self, some: list[int]) -> "Table":
        title, note = self.title, self.note
        title = title if some[0] == 1 else f"{title} (continued)"
        note = note if some[-1] == len(self.columns) - 1 else ""
        columns, *rows = (
            (row[0], *(row[place] for place in some)) for row in (self.columns, *self.rows)
        )
        return replace(self, title=title, columns=columns, rows=tuple(rows), note=note)

    def values(self) -> Iterator[tuple[Value, ...]]:
        """Yield the rows with numbers for texts that stand for one."""
        return (
            tuple(cell.value if isinstance(cell, Cell) else str(cell) for cell in row)
            for row in self.rows
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the table as it is written to JSON: names of columns, rows of values."""
        columns = [name or "row" for name in self.columns]
        return {"title": self.title, "columns": columns, "rows": list(self.values())}


def _packed(widths: list[int], width: int) -> list[list[int]]:
    """Return which columns stand together where each table begins with the first."""
    groups: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        if groups[-1] and sum(widths[other] for other in (0, *groups[-1], place)) + 1 > width:
            groups.append([])
        groups[-1].append(place)
    return groups


def check_tables_path(path: Path) -> None:
    """Say at once, before anything is computed, when tables can't be written there.

    Raises
    ------
    PredAwareError
        The name ends in something else than .csv or .json, or the folder does not exist.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PredAwareError(f"can't write tables to {path}: its name must end in .csv or .json")
    if not path.absolute().parent.is_dir():
        raise PredAwareError(f"can't write {path}: there is no folder {path.parent}")


def write_tables(tables: Iterable[Table], path: Path) -> None:
    """Write tables into one file, whole or not at all; times are in seconds, shares from 0 to 1.

    As JSON it is a list of them; as CSV a line for each cell: table, row, column, value.

    Raises
    ------
    PredAwareError, InputError
        The file can't be written, or its name ends in something else than .csv or .json.
    """
    check_tables_path(path)
    if path.suffix.lower() == ".json":
        import msgspec

        told = msgspec.json.encode([table.to_dict() for table in tables])
        content = msgspec.json.format(told) + b"\n"
    else:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("table", "row", "column", "value"))
        for table in tables:
            for first, *others in table.values():
                for column, value in zip(table.columns[1:], others, strict=True):
                    writer.writerow((table.title, first, column, value))
        content = text.getvalue().encode()
    with written_whole(path) as file:
        file.write(content)
