"""Read Parquet tables, whose cells have types. Only this module and the writer use pyarrow."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workload_tools.errors import LogError, require_arrow
from workload_tools.table.language.cells import (
    Cells,
    Numbers,
    TableRows,
    Texts,
    text_array,
    texts_of,
    written,
)

MACHINE_KEYS = ("processors", "nodes", "time_zone")
"""Keys about the machine in the metadata that `workload_tools.table.writer` writes."""

_ROWS = 1 << 13
_BUFFER = 1 << 16


class ArrowCells:
    """Typed cells that are not texts; see `workload_tools.table.language.cells.TypedCells`."""

    def __init__(self, array: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self.array = array

    @property
    def are_durations(self) -> bool:
        """True if the column's type is a duration."""
        import pyarrow as pa

        return bool(pa.types.is_duration(self.array.type))

    def texts(self) -> Texts:
        """Return the texts that a CSV file would contain for these cells."""
        import pyarrow as pa

        if pa.types.is_floating(self.array.type):
            return written(_doubles(self.array))
        try:
            return text_array(self.array.cast(pa.string()).to_pylist())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return text_array(map(_cell_text, self.array.to_pylist()))

    def numbers(self) -> Numbers | None:
        """Return the numbers, with NaN for missing cells; None if the type is not numeric."""
        import pyarrow as pa

        kind = self.array.type
        if self.are_durations:
            whole = self.array.cast(pa.duration("us"), safe=False).cast(pa.int64())
            return _doubles(whole) / 1e6
        numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
        if pa.types.is_boolean(kind) or any(is_one(kind) for is_one in numeric):
            return _doubles(self.array)
        return None

    def dates(self) -> tuple[Numbers, bool] | None:
        """Return seconds since 1970, and whether they are in UTC; None if the type is no date."""
        import pyarrow as pa

        kind = self.array.type
        if not (pa.types.is_timestamp(kind) or pa.types.is_date(kind)):
            return None
        zone = getattr(kind, "tz", None)
        whole = self.array.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64())
        return _doubles(whole) / 1e6, zone is not None


class ParquetFile:
    """A Parquet table.

    Attributes
    ----------
    names
        The column names.
    machine
        Values about the machine (`MACHINE_KEYS`) in the metadata of a file that pred-aware wrote.

    Raises
    ------
    LogError
        The file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        require_arrow(path)
        import pyarrow.parquet as pq

        with self._damage_as_log_error():
            schema = pq.ParquetFile(path).schema_arrow
            said = schema.metadata or {}
            self.machine = {
                key: said[key.encode()].decode(errors="replace")
                for key in MACHINE_KEYS
                if key.encode() in said
            }
            self.names = [str(name) for name in schema.names]

    def rows(self, names: Sequence[str]) -> Iterator[TableRows]:
        """Yield the rows of some columns.

        Raises
        ------
        LogError
            The file is damaged.
        """
        import pyarrow.parquet as pq

        first = 1
        with self._damage_as_log_error():
            # with pre_buffer, pyarrow would keep the whole file in memory
            file = pq.ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False)
            for batch in file.iter_batches(
                batch_size=_ROWS, columns=list(names), use_threads=False
            ):
                yield TableRows(
                    first, batch.num_rows, {name: _cells(batch.column(name)) for name in names}
                )
                first += batch.num_rows

    @contextmanager
    def _damage_as_log_error(self) -> Iterator[None]:
        """Convert errors about damaged files to a LogError."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            what = str(error).split("\n", 1)[0]
            raise LogError(self.path, f"damaged Parquet ({what}); fetch the file again") from error


def _cells(array: Any) -> Cells:  # noqa: ANN401 - pyarrow has no types
    """Return a column's cells. Texts are decoded here, because pyarrow does not check UTF-8."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary)
    if not any(is_one(array.type) for is_one in texts):
        return ArrowCells(array)
    cells = array.cast(pa.binary()).to_numpy(zero_copy_only=False).tolist()
    known = {cell: cell if cell is None else cell.decode(errors="replace") for cell in set(cells)}
    return text_array(known[cell] for cell in cells)


def concatenated(parts: Sequence[Cells]) -> Cells:
    """Return the cells of several batches of one column as one column."""
    arrays = [part.array for part in parts if isinstance(part, ArrowCells)]
    if not arrays or len(arrays) < len(parts):
        return np.concatenate([text_array(()), *map(texts_of, parts)])
    import pyarrow as pa

    return ArrowCells(pa.chunked_array(arrays).combine_chunks())


def taken(cells: Cells, places: npt.NDArray[np.int64]) -> Cells:
    """Return the cells at some positions; positions below 0 give None."""
    if isinstance(cells, ArrowCells):
        import pyarrow as pa

        return ArrowCells(cells.array.take(pa.array(places, mask=places < 0)))
    with_nothing = text_array([*texts_of(cells).tolist(), None])
    chosen: Texts = with_nothing[places]
    return chosen


def _cell_text(cell: object) -> str | None:
    if isinstance(cell, bytes):
        return cell.decode(errors="replace")
    return None if cell is None else str(cell)


def _doubles(array: Any) -> Numbers:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    doubles = array.cast(pa.float64(), safe=False)
    values: Numbers = doubles.fill_null(np.nan).to_numpy(zero_copy_only=False)
    return values
