"""Read CSV tables, plain or gzipped, in batches of rows."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from workload_tools.errors import LogError
from workload_tools.log_lines import unpacked
from workload_tools.table.language.cells import Cells, TableRows, text_array
from workload_tools.table.map.table_map import WHITESPACE, TableMap

DELIMITERS = ",;\t|"

NO_TABLE = "is not a table: its first line has no column names. Give a CSV, TSV or Parquet file"
_LONGEST_HEADER = 1 << 20
_PACKED = {
    b"PK\x03\x04": "a ZIP",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ\x00": "packed with xz",
    b"\x28\xb5\x2f\xfd": "packed with zstd",
}
"""Texts for messages about unsupported compression, by the first bytes of the file."""


def header_of(line: str, delimiter: str | None = None) -> list[str]:
    """Return the column names in the first line of a CSV file.

    Examples
    --------
    >>> header_of("job;user;wall time"), header_of('"a,b",c')
    (['job', 'user', 'wall time'], ['a,b', 'c'])
    """
    names = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter or delimiter_of(line)), [])
    return [name.strip() for name in names]


def delimiter_of(line: str) -> str:
    """Return the most frequent of the possible delimiters in a line."""
    return max(DELIMITERS, key=line.count)


def first_line(path: Path, comment: str | None = None) -> str:
    """Return the first line of a plain or gzipped CSV file that is not a comment.

    Parameters
    ----------
    comment
        The text with which comment lines begin; None if there are no comments.

    Raises
    ------
    LogError
        The file cannot be read, has an unsupported compression, or is not a table.
    """
    with unpacked(path) as file:
        line = file.readline(_LONGEST_HEADER)
        while comment and line.lstrip().startswith(comment.encode()):
            line = file.readline(_LONGEST_HEADER)
    for magic, packed in _PACKED.items():
        if line.startswith(magic):
            raise LogError(path, f"is {packed}; unpack it, and give the unpacked file or folder")
    if len(line) == _LONGEST_HEADER or b"\0" in line:
        raise LogError(path, NO_TABLE, 1)
    text = line.decode("utf-8-sig", errors="replace")
    # column names may be in another encoding, but most characters must be printable
    strange = sum(not (sign.isprintable() or sign.isspace()) or sign == "\ufffd" for sign in text)
    if 10 * strange > len(text):
        raise LogError(path, NO_TABLE, 1)
    return text


_LONGEST = 1 << 21


class LongLineError(ValueError):
    """A line is longer than 2 MB."""


def plain_lines(text: IO[str], comment: str | None, *, spaces: bool) -> Iterator[str]:
    r"""Yield the lines of a text without comments.

    Parameters
    ----------
    text
        The text, opened without conversion of line ends.
    comment
        The text with which comment lines begin; None if there are no comments.
    spaces
        True if any number of spaces and tabs separates cells.

    Raises
    ------
    LongLineError
        A line is longer than 2 MB.

    Examples
    --------
    >>> [*plain_lines(io.StringIO("; a log\n  1   2\n3 4  \n"), ";", spaces=True)]
    ['1 2\n', '3 4\n']
    """
    while line := text.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise LongLineError
        if comment is None or not line.lstrip(" \t").startswith(comment):
            yield " ".join(line.split()) + "\n" if spaces else line


_BATCH = 20_000


class CsvFile:
    """A CSV table.

    Attributes
    ----------
    names
        The column names.

    Raises
    ------
    LogError
        The file cannot be read.
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
            raise LogError(self.path, NO_TABLE, 1) from error
        if not any(names):
            raise LogError(self.path, "is empty; the first line must have column names", 1)
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
                # an empty line is not a row
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
                "has a row of over 2 MB or a cell of over 128 kB, perhaps because a quote is not "
                "closed. Correct the row, or set 'quotes = false' under [table] in the column map",
                self._first,
            ) from error

    def _batches(self) -> Iterator[list[list[str]]]:
        with (
            unpacked(self.path, lambda: self._first) as file,
            io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="") as text,
        ):
            spaces = self.map.delimiter == WHITESPACE
            lines = plain_lines(text, self.map.comment, spaces=spaces)
            if not self.map.header:
                next(lines, None)
            reader = csv.reader(
                lines,
                delimiter=self.delimiter,
                quoting=csv.QUOTE_MINIMAL if self.map.quotes else csv.QUOTE_NONE,
            )
            while rows := list(islice(reader, _BATCH)):
                yield rows
