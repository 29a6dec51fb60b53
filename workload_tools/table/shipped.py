"""Find the column maps that come with pred-aware (shipped maps) by name or by a table's columns."""

import csv
from functools import cache
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.log_lines import PARQUET_MAGIC, line_blocks
from workload_tools.table.map.map_file import map_of, read_map
from workload_tools.table.map.table_map import COUNTS, DATES, DURATIONS, WHITESPACE, TableMap
from workload_tools.table.source.csv_rows import header_of
from workload_tools.table.source.table_file import TableFile, table_files

FOLDER = Path(__file__).parent / "map" / "shipped"

OWN_MAP_SUFFIX = ".map.toml"
"""End of the file name of a log's own map, which is ``LOG.map.toml``."""

IN_FOLDER = "map.toml"

_LINES = 1000


def shipped_names() -> list[str]:
    """Return the names of the shipped maps."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def shipped_maps() -> tuple[TableMap, ...]:
    """Return the shipped maps."""
    return tuple(read_map(FOLDER / f"{name}.toml") for name in shipped_names())


def map_named(name: str) -> TableMap:
    """Return the shipped map with this name, or the map in this file.

    Raises
    ------
    LogError
        The map does not exist, or is invalid.
    """
    if name in shipped_names():
        return read_map(FOLDER / f"{name}.toml")
    if not Path(name).is_file() and not name.endswith(".toml"):
        raise LogError(
            name,
            f"is neither a file nor a shipped column map; shipped are {', '.join(shipped_names())}",
        )
    return read_map(name)


def own_map(log: Path) -> Path | None:
    """Return ``LOG.map.toml`` for a file, or ``map.toml`` in a folder; None if it is missing."""
    path = log / IN_FOLDER if log.is_dir() else log.with_name(f"{log.name}{OWN_MAP_SUFFIX}")
    return path if path.is_file() else None


def map_for(path: Path, head: bytes | None = None) -> Path | None:
    """Return the shipped map that fits a table's columns; None if no map or several maps fit.

    Parameters
    ----------
    path
        The table.
    head
        The table's first bytes after unpacking. If it is None, they are read from the file.
    """
    names = set(column_names(path, head))
    found = [one for one in shipped_maps() if one.recognise and set(one.recognise) <= names]
    if not found:
        found = [one for one in shipped_maps() if one.header and _has_cells(one, path, head)]
    # if a map requires all columns of another map and further columns, it is the better match
    best = [
        one
        for one in found
        if not any(set(one.recognise) < set(other.recognise) for other in found)
    ]
    return best[0].path if len(best) == 1 else None


def _has_cells(table_map: TableMap, path: Path, head: bytes | None) -> bool:
    """Return True if the cells of a file without column names fit a map in number and kind."""
    if head is None:
        try:
            blocks = line_blocks(path)
            head = "\n".join(next(blocks, (1, [""]))[1][:_LINES]).encode()
        except LogError:
            return False
    lines = (line.strip() for line in head.decode(errors="replace").split("\n")[:_LINES])
    comment = table_map.comment
    line = next((one for one in lines if one and not (comment and one.startswith(comment))), "")
    delimiter = None if table_map.delimiter == WHITESPACE else table_map.delimiter
    cells = dict(zip(table_map.header, line.split(delimiter), strict=False))
    if len(line.split(delimiter)) != len(table_map.header):
        return False
    numbers = [
        cells[source]
        for name in (*DATES, *DURATIONS, *COUNTS)
        if name in table_map.fields
        for source in table_map.fields[name].sources
        if source in cells
    ]
    return bool(numbers) and all(map(_is_number, numbers))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_ANY = {"columns": {"submit_time": "submit", "run_time": "run", "processors": "size"}}


def column_names(path: Path, head: bytes | None = None) -> list[str]:
    """Return a table's column names, or an empty list if they cannot be read."""
    try:
        if head is None or head.startswith(PARQUET_MAGIC):
            return TableFile(table_files(path)[0], map_of(_ANY, path)).names
        return header_of(head.split(b"\n", 1)[0].decode(errors="replace"))
    except (LogError, csv.Error):
        return []
