"""The files of a table, read a batch at a time and only the columns that are needed."""

import csv
import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workload_tools.errors import LogError
from workload_tools.libraries import require_arrow
from workload_tools.table.map.table_map import WHITESPACE, TableMap
from workload_tools.table.source.first_line import (
    delimiter_of,
    first_line,
    header_of,
    is_gzip,
    is_parquet,
)
from workload_tools.table.source.plain_lines import PlainLines

MACHINE_KEYS = ("processors", "nodes", "time_zone")
"""What the metadata of a Parquet that `workload_tools.table.writer` wrote tells of the machine."""


_SUFFIXES = ("*.parquet", "*.csv", "*.csv.gz", "*.tsv", "*.tsv.gz", "*.txt", "*.txt.gz")
_BLOCK = 1 << 21
_ROWS = 1 << 13
_BUFFER = 1 << 16
_NO_ROWS = ("Empty CSV", "Could not skip initial")


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file.

    Parameters
    ----------
    first
        The number of the first, from 1; of a CSV the line, if no cell has a line's end.
    count
        How many.
    columns
        Arrow arrays by name.
    damaged
        How many lines before them have another number of cells than the header.
    """

    first: int
    count: int
    columns: dict[str, Any]
    damaged: int = 0


def table_files(path: str | Path, patterns: Sequence[str] = ()) -> list[Path]:
    """Return the files of a table, by their path.

    Parameters
    ----------
    path
        A file, a folder, or a glob such as ``jobs/2024-*.csv``.
    patterns
        Globs of the files in a folder; by default all Parquet files at any depth, else all CSV,
        else all TSV or text files.

    Raises
    ------
    LogError
        There is none.
    """
    path = Path(path)
    if path.is_dir():
        kinds = [patterns] if patterns else [[suffix] for suffix in _SUFFIXES]
        for kind in kinds:
            found = sorted({file for one in kind for file in path.rglob(one) if file.is_file()})
            if found:
                return found
        what = " or ".join(patterns) or "Parquet, CSV or TSV files"
        raise LogError(path, f"has no {what}")
    if path.exists() or not any(sign in str(path) for sign in "*?["):
        return [path]
    found = sorted(Path(one) for one in glob.glob(str(path), recursive=True))  # noqa: PTH207 - of any folder
    if not found:
        raise LogError(path, "there is no such file")
    return found


class TableFile:
    """A file of a table.

    Parameters
    ----------
    path
        CSV, plain or gzip, or Parquet.
    table_map
        How it is written.

    Attributes
    ----------
    names
        Its columns.
    machine
        What a Parquet that was written here tells of the machine (`MACHINE_KEYS`).

    Raises
    ------
    LogError
        It can't be read.
    """

    def __init__(self, path: Path, table_map: TableMap) -> None:
        self.path = path
        self.map = table_map
        self.machine: dict[str, str] = {}
        require_arrow(path)
        self.parquet = is_parquet(path)
        self.delimiter = ","
        self.names = self._parquet_names() if self.parquet else self._csv_names()

    def read(self, names: Sequence[str]) -> Iterator[Rows]:
        """Yield the rows of some columns.

        Raises
        ------
        LogError
            The file is damaged.
        """
        for name in names:
            if self.names.count(name) > 1:
                raise LogError(self.path, f"has the column '{name}' more than once", 1)
        return self._parquet_rows(names) if self.parquet else self._csv_rows(names)

    def _parquet_names(self) -> list[str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            schema = pq.ParquetFile(self.path).schema_arrow
            said = schema.metadata or {}
            self.machine = {
                key: said[key.encode()].decode(errors="replace")
                for key in MACHINE_KEYS
                if key.encode() in said
            }
            return [str(name) for name in schema.names]
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise self._damaged(error) from error

    def _parquet_rows(self, names: Sequence[str]) -> Iterator[Rows]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        first = 1
        try:
            # what is read ahead would be kept to the end, and be the whole file then
            file = pq.ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False)
            for batch in file.iter_batches(
                batch_size=_ROWS, columns=list(names), use_threads=False
            ):
                columns = {name: _unchecked(batch.column(name)) for name in names}
                yield Rows(first, batch.num_rows, columns)
                first += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> LogError:
        what = str(error).split("\n", 1)[0]
        return LogError(self.path, f"damaged parquet ({what}); fetch the file again")

    def _csv_names(self) -> list[str]:
        line = first_line(self.path, self.map.comment)
        self.delimiter = self.map.delimiter or delimiter_of(line)
        if self.delimiter == WHITESPACE:
            self.delimiter = " "
            line = " ".join(line.split())
        if self.map.header:
            return list(self.map.header)
        try:
            names = header_of(line, self.delimiter)
        except csv.Error as error:
            raise LogError(self.path, f"its first line names no columns: {error}", 1) from error
        if not any(names):
            raise LogError(self.path, "is empty: no line names its columns", 1)
        return names

    def _csv_rows(self, names: Sequence[str]) -> Iterator[Rows]:
        import pyarrow as pa
        from pyarrow import csv as pacsv

        damaged = 0

        def skip(_: object) -> str:
            nonlocal damaged
            damaged += 1
            return "skip"

        first = 1 if self.map.header else 2
        try:
            stream = self._stream()
            with (
                stream,
                pacsv.open_csv(
                    stream,
                    read_options=pacsv.ReadOptions(
                        use_threads=False,
                        block_size=_BLOCK,
                        skip_rows=0 if self.map.header else 1,
                        column_names=self.names,
                    ),
                    parse_options=pacsv.ParseOptions(
                        delimiter=self.delimiter,
                        quote_char='"' if self.map.quotes else False,
                        invalid_row_handler=skip,
                    ),
                    convert_options=pacsv.ConvertOptions(
                        column_types=dict.fromkeys(names, pa.binary()),
                        include_columns=list(names),
                        strings_can_be_null=False,
                    ),
                ) as reader,
            ):
                for batch in reader:
                    columns = {name: batch.column(name) for name in names}
                    yield Rows(first, batch.num_rows, columns, damaged)
                    first += batch.num_rows + damaged
                    damaged = 0
            if damaged:
                yield Rows(first, 0, {name: pa.array([], pa.string()) for name in names}, damaged)
        except pa.ArrowException as error:
            if any(words in str(error) for words in _NO_ROWS):
                return
            raise LogError(self.path, self._csv_trouble(str(error)), first) from error
        except (OSError, EOFError) as error:
            raise LogError(
                self.path, f"damaged gzip ({error}); fetch the file again", first
            ) from error

    def _stream(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the text unpacked and in UTF-8, without comments, one sign between cells."""
        import pyarrow as pa

        compression = "gzip" if is_gzip(self.path) else None
        stream = pa.input_stream(str(self.path), compression=compression)
        return pa.PythonFile(
            PlainLines(stream, self.map.comment, spaces=self.map.delimiter == WHITESPACE), mode="r"
        )

    @staticmethod
    def _csv_trouble(message: str) -> str:
        if "straddling" in message or "cell" in message:
            return (
                "has a row of over 2 MB, as after a quote that is not closed; correct it, or say "
                "'quotes = false' under [table] of the map"
            )
        return f"can't be read as CSV from here on: {message.splitlines()[0]}"


def _unchecked(column: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return texts of Parquet as bytes, since nothing has looked yet whether they are UTF-8."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    return column.cast(pa.binary()) if is_text else column
