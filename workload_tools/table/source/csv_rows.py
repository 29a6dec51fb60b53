"""The rows of a table in CSV, plain or gzip, a batch at a time."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.packed import unpacked
from workload_tools.table.language.cells import Cells, TableRows, text_array
from workload_tools.table.map.table_map import WHITESPACE, TableMap
from workload_tools.table.source.first_line import delimiter_of, first_line, header_of
from workload_tools.table.source.plain_lines import LongLineError, PlainLines

_BATCH = 20_000


class CsvFile:
    """A table in CSV.

    Attributes
    ----------
    names
        Its columns.

    Raises
    ------
    LogError
        It can't be read.
    """

    def __init__(self, path: Path, table_map: TableMap) -> None:
        self.path = path
        self.map = table_map
        self._first = 1
        line = first_line(path, table_map.comment)
        self.delimiter = table_map.delimiter or delimiter_of(line)
        if self.delimiter == WHITESPACE:
            self.delimiter = " "
            line = " ".join(line.split())
        self.names = list(table_map.header) or self._header(line)

    def _header(self, line: str) -> list[str]:
        try:
            names = header_of(line, self.delimiter)
        except csv.Error as error:
            raise LogError(self.path, f"its first line names no columns: {error}", 1) from error
        if not any(names):
            raise LogError(self.path, "is empty: no line names its columns", 1)
        return names

    def rows(self, names: Sequence[str]) -> Iterator[TableRows]:
        """Yield the rows of some columns.

        Raises
        ------
        LogError
            The file is damaged.
        """
        places = {name: self.names.index(name) for name in names}
        self._first = 1 if self.map.header else 2
        try:
            for rows in self._batches():
                whole = [row for row in rows if len(row) == len(self.names)]
                # an empty line is none
                damaged = len(rows) - len(whole) - rows.count([])
                columns: dict[str, Cells] = {
                    name: text_array([row[place] for row in whole])
                    for name, place in places.items()
                }
                yield TableRows(self._first, len(whole), columns, damaged)
                self._first += len(whole) + damaged
        except (csv.Error, LongLineError) as error:
            raise LogError(
                self.path,
                "has a row of over 2 MB or a cell of over 128 kB, as after a quote that is not "
                "closed; correct it, or say 'quotes = false' under [table] of the map",
                self._first,
            ) from error

    def _batches(self) -> Iterator[list[list[str]]]:
        with (
            unpacked(self.path, lambda: self._first) as file,
            PlainLines(file, self.map.comment, spaces=self.map.delimiter == WHITESPACE) as plain,
            io.TextIOWrapper(io.BufferedReader(plain), encoding="utf-8-sig", newline="") as text,
        ):
            if not self.map.header:
                text.readline()
            reader = csv.reader(
                text,
                delimiter=self.delimiter,
                quoting=csv.QUOTE_MINIMAL if self.map.quotes else csv.QUOTE_NONE,
            )
            while rows := list(islice(reader, _BATCH)):
                yield rows
