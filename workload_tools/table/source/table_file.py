"""Read the required columns of a table's files in batches."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workload_tools.errors import LogError
from workload_tools.log_lines import PARQUET_MAGIC, begins_with
from workload_tools.table.language.cells import Cells, TableRows, names_of
from workload_tools.table.map.table_map import Join, TableMap
from workload_tools.table.source.csv_rows import CsvFile
from workload_tools.table.source.parquet import ParquetFile, concatenated, taken

_SUFFIXES = ("*.parquet", "*.csv", "*.csv.gz", "*.tsv", "*.tsv.gz", "*.txt", "*.txt.gz")


def table_files(path: str | Path, patterns: Sequence[str] = ()) -> list[Path]:
    """Return the files of a table, sorted by path.

    Parameters
    ----------
    path
        A file, a folder, or a glob pattern such as ``jobs/2024-*.csv``.
    patterns
        Glob patterns of the files in a folder and its subfolders. By default, all files of the
        first existing kind are used: Parquet, CSV, TSV, text.

    Raises
    ------
    LogError
        No file matches.
    """
    path = Path(path)
    if path.is_dir():
        kinds = [patterns] if patterns else [[suffix] for suffix in _SUFFIXES]
        for kind in kinds:
            found = sorted({file for one in kind for file in path.rglob(one) if file.is_file()})
            if found:
                return found
        what = " or ".join(patterns) or "Parquet, CSV or TSV files"
        raise LogError(path, f"contains no {what}")
    if path.exists() or not any(sign in str(path) for sign in "*?["):
        return [path]
    found = sorted(Path(one) for one in glob.glob(str(path), recursive=True))  # noqa: PTH207 - of any folder
    if not found:
        raise LogError(path, "does not exist")
    return found


class TableFile:
    """A file of a table.

    Parameters
    ----------
    path
        A Parquet file, or a plain or gzipped CSV file.
    table_map
        The map that describes the file.

    Attributes
    ----------
    names
        The column names.
    machine
        Values about the machine in the metadata of a Parquet file that pred-aware wrote.

    Raises
    ------
    LogError
        The file cannot be read.
    """

    def __init__(self, path: Path, table_map: TableMap) -> None:
        self.path = path
        file = ParquetFile(path) if begins_with(path, PARQUET_MAGIC) else CsvFile(path, table_map)
        self.names = file.names
        self.machine = file.machine if isinstance(file, ParquetFile) else {}
        self._file = file

    def read(self, names: Sequence[str]) -> Iterator[TableRows]:
        """Yield the rows of some columns.

        Raises
        ------
        LogError
            The file is damaged.
        """
        for name in names:
            if self.names.count(name) > 1:
                raise LogError(self.path, f"has the column '{name}' more than once", 1)
        return self._file.rows(names)


Places = npt.NDArray[np.int64]


class Joined:
    """A joined table in memory: the required columns, with rows indexed by key.

    Parameters
    ----------
    join
        The join in the map.
    log
        The log's folder, or a file in the folder that contains the joined table.

    Attributes
    ----------
    names
        The columns, as ``NAME.COLUMN``.
    repeated
        Positions of rows whose key occurs again in later rows. The later rows are ignored.

    Raises
    ------
    LogError
        The table cannot be read, or lacks the key column.
    """

    def __init__(self, join: Join, table_map: TableMap, log: Path) -> None:
        self.join = join
        self.map = table_map
        self.files = [
            TableFile(path, table_map) for path in table_files(_in_folder_of(log, join.file))
        ]
        self.names = [f"{join.name}.{name}" for name in self.files[0].names]
        if join.to not in self.files[0].names:
            raise LogError(
                self.files[0].path,
                f"lacks the column '{join.to}' by which {table_map.path} joins tables",
                1,
            )
        self.repeated: set[int] = set()
        self._columns: dict[str, Cells] = {}
        self._places: dict[str, int] = {}

    def load(self, needed: set[str]) -> None:
        """Read the required columns, given as ``NAME.COLUMN``.

        Raises
        ------
        LogError
            A file of the table is damaged, or lacks a column.
        """
        own_names = [name for name in self.names if name in needed]
        plain = [name.removeprefix(f"{self.join.name}.") for name in own_names]
        parts: dict[str, list[Cells]] = {name: [] for name in own_names}
        count = 0
        for file in self.files:
            for name in plain:
                if name not in file.names:
                    raise LogError(
                        file.path, f"lacks the column '{name}', which the previous files have", 1
                    )
            for rows in file.read(list({*plain, self.join.to})):
                for key in names_of(rows.columns[self.join.to]):
                    if key is not None and (at := self._places.setdefault(key, count)) != count:
                        self.repeated.add(at)
                    count += 1
                for name, column in zip(own_names, plain, strict=True):
                    parts[name].append(rows.columns[column])
        self._columns = {name: concatenated(chunks) for name, chunks in parts.items()}

    def places(self, keys: Cells) -> Places:
        """Return for each key the position of the row with this key, or -1 if no row has it."""
        find = self._places.get
        return np.array([-1 if key is None else find(key, -1) for key in names_of(keys)], np.int64)

    def columns(self, places: Places) -> dict[str, Cells]:
        """Return the columns with the rows at some positions; position -1 gives None."""
        return {name: taken(column, places) for name, column in self._columns.items()}


def _in_folder_of(log: Path, name: str) -> Path:
    folder = log if log.is_dir() else log.parent
    return folder / name
