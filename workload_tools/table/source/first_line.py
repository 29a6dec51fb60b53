"""The first line of a table, and what it is packed with that is not unpacked here."""

import csv
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.packed import unpacked

DELIMITERS = ",;\t|"

_LONGEST_HEADER = 1 << 20
_PACKED = {
    b"PK\x03\x04": "a ZIP",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ\x00": "packed with xz",
    b"\x28\xb5\x2f\xfd": "packed with zstd",
}
"""What is not unpacked here, by how it begins."""


def header_of(line: str, delimiter: str | None = None) -> list[str]:
    """Return the names of a CSV's columns.

    Examples
    --------
    >>> header_of("job;user;wall time"), header_of('"a,b",c')
    (['job', 'user', 'wall time'], ['a,b', 'c'])
    """
    names = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter or delimiter_of(line)), [])
    return [name.strip() for name in names]


def delimiter_of(line: str) -> str:
    """Return what stands between the cells of a line."""
    return max(DELIMITERS, key=line.count)


def first_line(path: Path, comment: str | None = None) -> str:
    """Return the first line of a CSV, plain or gzip, that is no comment.

    Parameters
    ----------
    comment
        How comments begin.

    Raises
    ------
    LogError
        The file can't be read, is packed in another way, or has no lines of a table.
    """
    with unpacked(path) as file:
        line = file.readline(_LONGEST_HEADER)
        while comment and line.lstrip().startswith(comment.encode()):
            line = file.readline(_LONGEST_HEADER)
    for magic, packed in _PACKED.items():
        if line.startswith(magic):
            raise LogError(path, f"is {packed}: unpack it, and give the file or folder in it")
    if len(line) == _LONGEST_HEADER or b"\0" in line:
        raise LogError(path, "is no table: its first line names no columns", 1)
    return line.decode("utf-8-sig", errors="replace")
