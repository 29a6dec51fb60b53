"""Read the lines of an accounting log.

A line has the form ``date time;record type;job id;attributes``. Attributes have the form
``name=value`` and are separated by blanks (PBS Professional Administrator's Guide, "Accounting log
format"; Torque Administrator Guide, "Accounting records").
"""

import gzip
import re
import zlib
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from workload_tools.errors import LogError
from workload_tools.files import GZIP_MAGIC

OTHER_RECORDS = {
    "L": "record of licences, not of a job",
    **dict.fromkeys("UYBFKk", "record of a reservation, not of a job"),
}
JOB_RECORDS = frozenset("QSsERDACTMaruczePp")

_RECORD = re.compile(
    r"\s*(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(?:\.\d+)?);([A-Za-z]);([^;\s]+);(.*?)\s*", re.DOTALL
)
_NAME = re.compile(r"[A-Za-z_][\w.\-]*=")


class Record(NamedTuple):
    """One line of an accounting log."""

    date: str
    """Date of the record, in the server's local time, as text."""
    type: str
    """The letter of the record type, such as ``E`` for the end of a job."""
    id: str
    """The id of the job or reservation."""
    message: str
    """The rest of the line, which the function `attributes` splits."""


def is_record(line: str) -> bool:
    """Return True if a line is a record of an accounting log."""
    return _RECORD.fullmatch(line) is not None


def read_record(line: str) -> Record | None:
    """Parse a line; return None if it is not a record.

    Examples
    --------
    >>> read_record("10/01/2017 00:00:16;Q;520887.m1;queue=batch")
    Record(date='10/01/2017 00:00:16', type='Q', id='520887.m1', message='queue=batch')
    >>> read_record("10/01/2017;Q")
    """
    match = _RECORD.fullmatch(line)
    return None if match is None else Record(*match.groups())


def attributes(message: str) -> dict[str, str]:
    """Return the attributes of a record by name.

    A value that contains blanks is in double quotes. Torque writes it without quotes.

    Examples
    --------
    >>> attributes('user=ann account="my grant" Resource_List.select=1:ncpus=4 jobname=a b')
    {'user': 'ann', 'account': 'my grant', 'Resource_List.select': '1:ncpus=4', 'jobname': 'a b'}
    """
    values: dict[str, str] = {}
    name = ""
    quoted = False
    for word in message.split(" "):
        if not quoted and _NAME.match(word):
            name, _, value = word.partition("=")
            values[name] = value
            quoted = value.startswith('"') and not _closed(value)
        elif name and (word or quoted):
            values[name] += f" {word}"
            quoted = quoted and not word.endswith('"')
    for name, value in values.items():
        if value.startswith('"') and _closed(value):
            values[name] = value[1:-1]
    return values


def _closed(value: str) -> bool:
    return len(value) > 1 and value.endswith('"')


_DAY = re.compile(r"\d{8}")
_DAY_DIGITS = 8
_LINES_TRIED = 20
_HEAD_SIZE = 1 << 16


def accounting_files(path: str | Path) -> list[Path]:
    """Return the files of an accounting log, oldest first.

    PBS and Torque write one file per day. Its name is the date, such as ``20171001``. In a folder,
    files whose names begin with a date are read, and other files are ignored.

    Parameters
    ----------
    path
        A file of any name, or a folder.

    Raises
    ------
    LogError
        The folder cannot be read, contains no such file, or contains the same day twice: gzipped
        and plain, or in two files that begin with the same record.
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
            path, "contains no PBS accounting file (with a name such as 20171001); give a file"
        )
    names = {file.name for file in files}
    for file in files:
        if file.suffix == ".gz" and file.stem in names:
            raise LogError(
                file, f"'{file.stem}' in the same folder is of the same day; remove one of them"
            )
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
                continue  # the error is reported when the whole file is read
            other = begun.setdefault(first, file)
            if first and other is not file:
                raise LogError(
                    file,
                    f"'{other.name}' in the same folder begins with the same record; remove one "
                    "of them",
                )


def is_accounting(path: Path, head: bytes) -> bool:
    """Return True if a file or folder looks like an accounting log.

    Parameters
    ----------
    path
        The file or folder.
    head
        The first bytes of the file. For a folder, the file of its first day is examined instead.
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
