"""The files of a table, read in batches, and only the needed columns."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.packed import PARQUET_MAGIC, begins_with
from workload_tools.table.language.cells import TableRows
from workload_tools.table.map.table_map import TableMap
from workload_tools.table.source.csv_rows import CsvFile
from workload_tools.table.source.parquet import ParquetFile

_SUFFIXES = ("*.parquet", "*.csv", "*.csv.gz", "*.tsv", "*.tsv.gz", "*.txt", "*.txt.gz")


def table_files(path: str | Path, patterns: Sequence[str] = ()) -> list[Path]:
    """Return the files of a table, sorted by path.

    Parameters
    ----------
    path
        A file, a folder, or a glob pattern such as ``jobs/2024-*.csv``.
    patterns
        Glob patterns of the files in a folder; by default all Parquet files at any depth, or else
        all CSV files, or else all TSV or text files.

    Raises
    ------
    LogError
        There is no such file.
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
        raise LogError(path, "does not exist")
    return found


class TableFile:
    """A file of a table.

    Parameters
    ----------
    path
        A Parquet file, or a CSV file, may be gzipped.
    table_map
        The map that describes the file.

    Attributes
    ----------
    names
        Its column names.
    machine
        The machine in the metadata of a Parquet file that pred-aware wrote.

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
