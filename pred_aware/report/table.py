"""Tables for terminals, pages and files."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import Any, Self

from pred_aware.errors import PredAwareError
from pred_aware.report.durations import timespan
from workload_tools.files import written_whole

NOTHING = "-"
SUFFIXES = (".csv", ".json")
_BETWEEN = 3
"""The space between two columns in a terminal, in characters."""

Value = float | str | None


class Cell(str):
    """The text of a cell, with its number for files."""

    __slots__ = ("value",)
    value: float | None
    """The exact number. Times are in seconds, fractions from 0 to 1."""

    def __new__(cls, text: str, value: float | None) -> Self:
        """Make a text with its number."""
        cell = super().__new__(cls, text)
        if value is not None:
            # JSON does not accept numpy's numbers
            value = int(value) if isinstance(value, Integral) else float(value)
        cell.value = value
        return cell


def number(value: float | None, digits: int = 0) -> Cell:
    """Write a number with `digits` decimals; `NOTHING` for ``None``.

    Examples
    --------
    >>> number(1234.5), number(0.125, 2), number(None)
    ('1,234', '0.12', '-')
    """
    return Cell(NOTHING if value is None else f"{value:,.{digits}f}", value)


def figure(value: float | None) -> Cell:
    """Write a number with two decimals below 10, one below 100, else none.

    Examples
    --------
    >>> figure(1.234), figure(12.34), figure(1234.56)
    ('1.23', '12.3', '1,235')
    """
    size = abs(value or 0.0)
    return number(value, 2 if size < 10 else 1 if size < 100 else 0)  # noqa: PLR2004 - as it says


def percent(share: float | None, digits: int = 1) -> Cell:
    """Write a fraction as a percentage; `NOTHING` for ``None``.

    Examples
    --------
    >>> percent(0.1234), percent(0.1234).value, percent(None)
    ('12.3 %', 0.1234, '-')
    """
    return Cell(NOTHING if share is None else f"{100 * share:.{digits}f} %", share)


def duration(seconds: float | None) -> Cell:
    """Write a duration; `NOTHING` for ``None``.

    Examples
    --------
    >>> duration(4980.0), duration(4980.0).value
    ('1 h 23 min', 4980.0)
    """
    return Cell(NOTHING if seconds is None else timespan(seconds), seconds)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title."""

    title: str
    """The subject of the table."""
    columns: tuple[str, ...]
    """The names of the columns. All but the first are right-aligned."""
    rows: tuple[tuple[str, ...], ...]
    """The rows, each as long as `columns`. Cells with a number are of the class `Cell`."""
    note: str = ""
    """The explanation below the table."""
    words: bool = False
    """Whether the cells are words, which are left-aligned and may be wrapped."""

    def abreast(self, width: int) -> "Iterator[Table]":
        """Yield tables of at most `width` characters, each with the first column.

        No number is cut or wrapped. Columns that do not fit go to the next table.
        """
        widths = [self.width(place) + _BETWEEN for place in range(len(self.columns))]
        if self.words or sum(widths) + 1 <= width:
            yield self
            return
        groups = _packed(widths, width)
        # balance the widths, so that no table has a single column
        while width > 0 and len(narrower := _packed(widths, width - 1)) == len(groups):
            groups, width = narrower, width - 1
        yield from map(self._continued, groups)

    def width(self, place: int) -> int:
        """Return the characters that a column needs for its numbers and the words of its name."""
        words = self.columns[place].split()
        return max(map(len, [*words, *(row[place] for row in self.rows)]), default=0)

    def _continued(self, some: list[int]) -> "Table":
        title, note = self.title, self.note
        title = title if some[0] == 1 else f"{title} (continued)"
        note = note if some[-1] == len(self.columns) - 1 else ""
        columns, *rows = (
            (row[0], *(row[place] for place in some)) for row in (self.columns, *self.rows)
        )
        return replace(self, title=title, columns=columns, rows=tuple(rows), note=note)

    def values(self) -> Iterator[tuple[Value, ...]]:
        """Yield the rows, with numbers instead of texts for cells that have one."""
        return (
            tuple(cell.value if isinstance(cell, Cell) else str(cell) for cell in row)
            for row in self.rows
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON data: column names and rows of values."""
        columns = [name or "row" for name in self.columns]
        return {"title": self.title, "columns": columns, "rows": list(self.values())}


def _packed(widths: list[int], width: int) -> list[list[int]]:
    """Return groups of columns that fit, each beginning with the first column."""
    groups: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        if groups[-1] and sum(widths[other] for other in (0, *groups[-1], place)) + 1 > width:
            groups.append([])
        groups[-1].append(place)
    return groups


def check_tables_path(path: Path) -> None:
    """Check, before any computation, that tables can be written to this path.

    Raises
    ------
    PredAwareError
        The name does not end in .csv or .json, or the folder does not exist.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PredAwareError(f"cannot write tables to {path}: its name must end in .csv or .json")
    if not path.absolute().parent.is_dir():
        raise PredAwareError(f"cannot write {path}: the folder {path.parent} does not exist")


def write_tables(tables: Iterable[Table], path: Path) -> None:
    """Write tables into one file, completely or not at all.

    Times are in seconds, fractions from 0 to 1. A JSON file contains a list of tables. A CSV file
    contains one line for each cell: table, row, column, value.

    Raises
    ------
    PredAwareError, InputError
        The file cannot be written, or its name does not end in .csv or .json.
    """
    check_tables_path(path)
    if path.suffix.lower() == ".json":
        import msgspec

        encoded = msgspec.json.encode([table.to_dict() for table in tables])
        content = msgspec.json.format(encoded) + b"\n"
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
