"""Read the first rows of a table as a sample of each column."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.table.language.cells import (
    NOTHING_MORE,
    Cells,
    Numbers,
    names_of,
    numbers_of,
    texts_of,
)
from workload_tools.table.language.dates import UNIX_DATES, DateReader
from workload_tools.table.language.quantities import clock_seconds, numbers_in_texts, suffixed_gib
from workload_tools.table.map.map_file import map_of
from workload_tools.table.source.table_file import TableFile

FORMATS = (
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%d/%m/%Y %I:%M %p",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y%m%d%H%M%S",
    "%Y%m%d %H%M%S",
    "%d-%b-%Y %H:%M:%S",
    "%a %b %d %H:%M:%S %Y",
)
"""The date formats to try after ISO and Unix dates."""

_MOST = 0.95
_ANY = {"columns": {"submit_time": "submit", "run_time": "run", "processors": "size"}}
_OFFSET = re.compile(r".*[0-9](Z| ?UTC|[+-][0-9]{2}:?[0-9]{2})", re.DOTALL)


@dataclass(slots=True)
class SampledColumn:
    """The first cells of a column."""

    name: str
    """The column's name in expressions of a map."""
    cells: Cells
    """The sampled cells."""
    names: list[str | None]
    """The cells as texts; None for missing cells."""

    @property
    def there(self) -> list[str]:
        """The texts of the cells that are not missing."""
        return [name for name in self.names if name is not None]

    def values(self) -> Counter[str]:
        """Return the number of occurrences of each value."""
        return Counter(self.there)

    def numbers(self) -> Numbers | None:
        """Return the cells as numbers, or None if too many cells are not numbers."""
        return self._most(*numbers_of(self.cells, NOTHING_MORE))

    def durations(self) -> Numbers | None:
        """Return the seconds of cells such as ``1-02:03:04``, or None for other cells."""
        if any(":" in name for name in self.there[:100]):
            return self._most(*numbers_in_texts(self.cells, NOTHING_MORE, clock_seconds))
        return None

    def has_suffixes(self) -> bool:
        """Return True if the cells are amounts such as ``4000M``."""
        if self.numbers() is not None:
            return False
        return self._most(*numbers_in_texts(self.cells, NOTHING_MORE, suffixed_gib)) is not None

    def dates(self) -> tuple[str | None, str, list[str]] | None:
        """Return dates' format and unit, and other formats that fit; None if they are no dates."""
        if self._typed() is not None:
            return None, "seconds", []
        numbers = self.numbers()
        if numbers is not None:
            largest = float(np.nanmax(numbers)) if len(self.there) else 0.0
            for unit, scale in (("seconds", 1), ("milliseconds", 1e3), ("microseconds", 1e6)):
                if UNIX_DATES * scale < largest < 20 * UNIX_DATES * scale:
                    return None, unit, []
            return (None, "seconds", []) if largest < UNIX_DATES else None
        if self._reads(None):
            return None, "seconds", []
        fitting = [form for form in FORMATS if self._reads(form)]
        return (fitting[0], "seconds", fitting[1:]) if fitting else None

    def has_zone(self) -> bool:
        """Return True if the dates need no time zone: they have offsets or are numbers."""
        typed = self._typed()
        if typed is not None:
            return typed[1]
        texts = self.there[:100]
        return self.numbers() is not None or all(map(_OFFSET.fullmatch, texts))

    def _typed(self) -> tuple[Numbers, bool] | None:
        return None if isinstance(self.cells, np.ndarray) else self.cells.dates()

    def _reads(self, form: str | None) -> bool:
        reader = DateReader(NOTHING_MORE, format=form or "iso")
        # trying a wrong format is slow, so a few cells are tried first
        texts = texts_of(self.cells)
        few = 1 + int((1.0 - _MOST) * len(texts))
        return all(
            self._most(dates.seconds, dates.unreadable) is not None
            for dates in map(reader.read, (texts[:few], texts))
        )

    def _most(self, values: Numbers, unreadable: Any) -> Numbers | None:  # noqa: ANN401 - an array or None
        wrong = 0 if unreadable is None else int(unreadable.sum())
        return values if self.there and wrong <= (1.0 - _MOST) * len(self.there) else None


def sampled(path: Path, *, prefix: str = "", delimiter: str | None = None) -> list[SampledColumn]:
    """Return the columns of a table's first rows.

    Parameters
    ----------
    prefix
        Text to put before each column name.
    delimiter
        The delimiter; by default it is detected in the first line.

    Raises
    ------
    LogError
        The file cannot be read, or has no rows.
    """
    content: dict[str, Any] = {**_ANY}
    if delimiter is not None:
        content["table"] = {"delimiter": delimiter}
    file = TableFile(path, map_of(content, path))
    names = [name for name in file.names if name and file.names.count(name) == 1]
    rows = next(file.read(names), None)
    if rows is None or not rows.count:
        raise LogError(path, "has no rows")
    return [
        SampledColumn(f"{prefix}{name}", rows.columns[name], names_of(rows.columns[name]))
        for name in names
    ]
