"""The rows of a job table, as parquet or CSV, a batch at a time and only the columns needed."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from workload_tools.errors import LogError
from workload_tools.libraries import require_arrow
from workload_tools.packed import PARQUET_MAGIC, begins_with, unpacked

Cell: TypeAlias = str | float | int | bool | None
Row: TypeAlias = tuple[Cell, ...]

_BATCH = 1 << 14
_DELIMITERS = ",;\t|"


def table_files(path: str | Path) -> list[Path]:
    """Return the files of a table: itself, or all parquet or CSV files in a folder, by their path.

    Parameters
    ----------
    path
        A file, or a folder such as the published data set has, a folder in it for each month.

    Raises
    ------
    LogError
        The folder has none.
    """
    path = Path(path)
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*.parquet") if file.is_file())
    files = files or sorted(
        file for file in path.rglob("*.csv*") if file.is_file() and file.suffix in (".csv", ".gz")
    )
    if not files:
        raise LogError(path, "has neither parquet nor CSV files; name the job table")
    return files


def column_names(path: Path) -> list[str]:
    """Return the names of a file's columns.

    Parameters
    ----------
    path
        A parquet or CSV file.

    Raises
    ------
    LogError
        It can't be read or has no columns.
    """
    if begins_with(path, PARQUET_MAGIC):
        return _parquet(path)[1]
    with _text(path) as file:
        try:
            return next(_csv_reader(file))
        except StopIteration:
            raise LogError(path, "is empty") from None
        except csv.Error as error:
            raise LogError(path, f"can't be read: {error}") from error


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Row | None]]:
    """Yield the rows of a file.

    Parameters
    ----------
    path
        A parquet or CSV file.
    columns
        Those wanted; one that the file lacks gives None.

    Yields
    ------
    tuple
        The number of the row (parquet, from 1) or line (CSV), and the cells in the order of
        `columns`; dates of parquet are Unix seconds. None instead of the cells of a line that
        has another number of fields than the first.

    Raises
    ------
    LogError
        The file can't be read or is damaged.
    """
    return (
        _parquet_rows(path, columns)
        if begins_with(path, PARQUET_MAGIC)
        else _csv_rows(path, columns)
    )


def _parquet(path: Path) -> tuple[Any, list[str]]:
    """Return an open file and the names of its columns."""
    require_arrow(path)
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        return file, [str(name) for name in file.schema_arrow.names]
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise LogError(path, f"damaged parquet ({error}); fetch the file again") from error


def _parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
    import pyarrow as pa

    file, names = _parquet(path)
    known = [name for name in columns if name in names]
    number = 0
    try:
        for batch in file.iter_batches(batch_size=_BATCH, columns=known):
            cells = {name: _cells(batch.column(name)) for name in known}
            missing: list[Cell] = [None] * batch.num_rows
            for row in zip(*(cells.get(name, missing) for name in columns), strict=True):
                number += 1
                yield number, row
    except (pa.ArrowException, OSError) as error:
        raise LogError(path, f"damaged parquet ({error}); fetch the file again", number) from error


def _cells(column: Any) -> list[Cell]:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    if pa.types.is_timestamp(column.type):
        nanoseconds = column.cast(pa.timestamp("ns", column.type.tz), safe=False).cast(pa.int64())
        return [None if value is None else value / 1e9 for value in nanoseconds.to_pylist()]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    try:
        cells = column.to_pylist()
    except UnicodeDecodeError:
        cells = [
            None if cell is None else cell.decode(errors="replace")
            for cell in column.cast(pa.binary()).to_pylist()
        ]
    return [cell if isinstance(cell, str | float | int | None) else str(cell) for cell in cells]


def _csv_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Row | None]]:
    line = 0
    with _text(path, lambda: line) as file:
        reader = _csv_reader(file)
        header: list[str] = next(reader, [])
        places = [header.index(name) if name in header else None for name in columns]
        while True:
            line = reader.line_num
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                # A lost quote made one field of very many lines; the reader goes on behind it.
                yield reader.line_num, None
                continue
            if len(row) == len(header):
                cells = tuple(None if place is None else row[place] for place in places)
                yield reader.line_num, cells
            elif row:
                yield reader.line_num, None


def _csv_reader(file: IO[str]) -> Any:  # noqa: ANN401 - the csv module hides its class
    header = file.readline()
    file.seek(0)
    return csv.reader(file, delimiter=max(_DELIMITERS, key=header.count))


@contextmanager
def _text(path: Path, line: Callable[[], int | None] = lambda: None) -> Iterator[IO[str]]:
    with unpacked(path, line) as file:
        yield io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
