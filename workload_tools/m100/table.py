"""The rows of a job table, as parquet or CSV, a batch at a time and only the columns needed."""

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
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


NO_VALUE = frozenset(("", "nan", "none", "null", "(null)", "nat", "<na>", "n/a"))
NO_LIMIT = frozenset(("UNLIMITED", "INFINITE", "Partition_Limit"))

_SECONDS_PER_MINUTE = 60.0
_LARGEST = 1e12
# What Slurm writes for "no value" and "no limit" in 32 bits.
_NO_MINUTES = 0xFFFF_FFFE


def text(cell: Cell) -> str | None:
    """Return a cell as text, without the ``.0`` that a table gives to whole numbers.

    Examples
    --------
    >>> text(12.0), text("12.0"), text("normal"), text("NaN"), text(float("nan"))
    ('12', '12', 'normal', None, None)
    """
    if cell is None or isinstance(cell, float):
        value = number(cell)
        return None if value is None else f"{value:.15g}"
    stripped = str(cell).strip()
    if stripped.lower() in NO_VALUE:
        return None
    whole = stripped.removesuffix(".0")
    return whole if whole.isdecimal() else stripped


def number(cell: Cell) -> float | None:
    """Return a cell as a number of at least 0; None if it is none.

    Examples
    --------
    >>> number("60"), number(60), number("-1"), number("1e999"), number("many")
    (60.0, 60.0, None, None, None)
    """
    if cell is None or cell == "":
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0.0 <= value <= _LARGEST else None


def unix_time(cell: Cell) -> float | None:
    """Return a date in Unix seconds, from these or from a text as ISO 8601 has it.

    A text without a time zone is taken as UTC.

    Examples
    --------
    >>> unix_time("1970-01-02 00:00:00+00:00"), unix_time("1970-01-01T01:00:00+01:00")
    (86400.0, 0.0)
    >>> unix_time(12.5), unix_time("yesterday"), unix_time("")
    (12.5, None, None)
    """
    value = number(cell)
    if value is not None or not isinstance(cell, str):
        return value
    try:
        date = datetime.fromisoformat(cell.strip())
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    try:
        return number(date.timestamp())
    except OverflowError:
        return None


def limit(cell: Cell) -> tuple[float | None, bool]:
    """Return a time limit in seconds, from minutes.

    Returns
    -------
    tuple
        The limit, None if there is none, and whether the cell says so (also: that there is none).

    Examples
    --------
    >>> limit("1440"), limit("UNLIMITED"), limit(4294967295), limit("")
    ((86400.0, True), (None, True), (None, True), (None, False))
    """
    minutes = number(cell)
    if minutes is None:
        return None, isinstance(cell, str) and cell.strip() in NO_LIMIT
    if minutes >= _NO_MINUTES:
        return None, True
    return minutes * _SECONDS_PER_MINUTE or None, minutes > 0.0
