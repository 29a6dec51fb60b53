"""Other tables, each row of which adds columns to one row of the log."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from workload_tools.errors import LogError
from workload_tools.table.language.cells import Cells, names_of
from workload_tools.table.map.table_map import Join, TableMap
from workload_tools.table.source.parquet import taken, together
from workload_tools.table.source.table_file import TableFile, table_files

Places = npt.NDArray[np.int64]


class Joined:
    """A joined table in memory: the needed columns, indexed by their key.

    Parameters
    ----------
    join
        The join in the map.
    log
        The log's file or folder, beside or in which the table is.

    Attributes
    ----------
    names
        The columns, as ``NAME.COLUMN``.
    repeated
        Positions of rows whose key also occurs in later rows, which are ignored.

    Raises
    ------
    LogError
        The table cannot be read, or lacks the key.
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
                f"lacks the column '{join.to}' that {table_map.path} joins on",
                1,
            )
        self.repeated: set[int] = set()
        self._columns: dict[str, Cells] = {}
        self._places: dict[str, int] = {}

    def load(self, needed: set[str]) -> None:
        """Read the needed columns, given as ``NAME.COLUMN``.

        Raises
        ------
        LogError
            A file of the table is damaged, or lacks a column.
        """
        own = [name for name in self.names if name in needed]
        plain = [name.removeprefix(f"{self.join.name}.") for name in own]
        parts: dict[str, list[Cells]] = {name: [] for name in own}
        count = 0
        for file in self.files:
            for name in plain:
                if name not in file.names:
                    raise LogError(file.path, f"lacks the column '{name}' of the previous files", 1)
            for rows in file.read(list({*plain, self.join.to})):
                for key in names_of(rows.columns[self.join.to]):
                    if key is not None and (at := self._places.setdefault(key, count)) != count:
                        self.repeated.add(at)
                    count += 1
                for name, column in zip(own, plain, strict=True):
                    parts[name].append(rows.columns[column])
        self._columns = {name: together(chunks) for name, chunks in parts.items()}

    def places(self, keys: Cells) -> Places:
        """Return the position of the row for each key; -1 for none."""
        find = self._places.get
        return np.array([-1 if key is None else find(key, -1) for key in names_of(keys)], np.int64)

    def columns(self, places: Places) -> dict[str, Cells]:
        """Return the columns of the rows at some positions, with None for -1."""
        return {name: taken(column, places) for name, column in self._columns.items()}


def _in_folder_of(log: Path, name: str) -> Path:
    folder = log if log.is_dir() else log.parent
    return folder / name
