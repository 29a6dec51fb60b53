"""The files of an accounting log."""

import gzip
import re
import zlib
from itertools import groupby
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.files import GZIP_MAGIC
from workload_tools.pbs.record import is_record

_DAY = re.compile(r"\d{8}")
_DAY_DIGITS = 8
_LINES_TRIED = 20
_HEAD_SIZE = 1 << 16


def accounting_files(path: str | Path) -> list[Path]:
    """Return the files of an accounting log, oldest first.

    PBS and Torque write one file per day and name it by its date, such as ``20171001``. In a
    folder, all files whose names begin with a date are read, and others are ignored.

    Parameters
    ----------
    path
        A file of any name, or a folder.

    Raises
    ------
    LogError
        The folder cannot be read, has no such file, or contains a day twice: gzipped and plain, or
        as a copy that begins with the same record.
    """
    path = Path(path)
    if not path.is_dir():
        return [path]
    try:
        files = sorted(file for file in path.iterdir() if _DAY.match(file.name) and file.is_file())
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
    if not files:
        raise LogError(
            path, "has no file with a date as its name, as PBS writes them (20171001); give a file"
        )
    names = {file.name for file in files}
    for file in files:
        if file.suffix == ".gz" and file.stem in names:
            raise LogError(file, f"'{file.stem}' in the same folder has the same day; remove one")
    _refuse_copies(files)
    return files


def _refuse_copies(files: list[Path]) -> None:
    """Raise an error if a day has two files that begin with the same record."""
    for _, of_day in groupby(files, key=lambda file: file.name[:_DAY_DIGITS]):
        same_day = list(of_day)
        if len(same_day) == 1:
            continue
        begun: dict[bytes, Path] = {}
        for file in same_day:
            try:
                first = _head(file).split(b"\n", 1)[0].strip()
            except (OSError, EOFError, zlib.error):
                continue  # reported when the file is read
            other = begun.setdefault(first, file)
            if first and other is not file:
                raise LogError(
                    file,
                    f"'{other.name}' in the same folder begins with the same record; remove one",
                )


def is_accounting(path: Path, head: bytes) -> bool:
    """Return True if a file or folder looks like an accounting log.

    Parameters
    ----------
    path
        The file or folder.
    head
        The first bytes of the file; for a folder its first day is examined instead.
    """
    if path.is_dir():
        try:
            head = _head(accounting_files(path)[0])
        except (LogError, OSError, EOFError, zlib.error):
            return False
    lines = [line for line in head.split(b"\n", _LINES_TRIED)[:_LINES_TRIED] if line.strip()]
    return any(is_record(line.decode("latin-1")) for line in lines)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(_HEAD_SIZE)
    if not head.startswith(GZIP_MAGIC):
        return head
    with gzip.open(path, "rb") as packed:
        return packed.read(_HEAD_SIZE)
