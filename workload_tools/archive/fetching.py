"""Logs of the Parallel Workloads Archive, fetched once and checked."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workload_tools.archive.download import download
from workload_tools.archive.logs import ArchivedLog, ArchiveError, KnownLog
from workload_tools.log_lines import line_blocks
from workload_tools.swf.header import SwfHeader

_BLOCK_SIZE = 1 << 20


@dataclass(frozen=True, slots=True)
class Fetched:
    """A log that is there."""

    path: Path
    """The file."""
    received: int
    """How many bytes came from the server; 0 if the file was there already."""
    sha256: str
    """Of the unpacked log, or of a table as it comes."""
    checked: bool
    """Whether a checksum to compare with was at hand; it is the same, then."""
    origin: tuple[str, ...]
    """What the log's header says of where it is from and whom to acknowledge; of a table its page
    and licence."""


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where logs are kept: in the user's cache, as the XDG base directories have it.

    Examples
    --------
    >>> cache_folder({"XDG_CACHE_HOME": "/var/cache"}).as_posix()
    '/var/cache/pred-aware/logs'
    """
    home = environment.get("XDG_CACHE_HOME", "")
    base = Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()
    return base / "pred-aware" / "logs"


def fetch(log: KnownLog, path: Path, *, address: str) -> Fetched:
    """Fetch a log unless it is there, and check it.

    Parameters
    ----------
    path
        The file to write, or to find.
    address
        Where it is; empty where no program can fetch it, so that it has to be there.

    Raises
    ------
    ArchiveError
        It can't be had, is not gzip, is damaged, or has another checksum than it should; a file
        that was downloaded is removed then. Or the path is a folder. Or it is to be fetched by
        hand, and is not there.
    """
    if path.is_dir():
        raise ArchiveError(path, "is a folder; name a file to write")
    there = path.is_file()
    if not there and not address:
        raise ArchiveError(
            log.name,
            f"{log.by_hand}; put it to {path}, and the same command checks it and says how it is "
            "read",
        )
    received = 0 if there else download(address, path)
    try:
        checksum = _checked(log, path)
    except ArchiveError as error:
        if there:
            raise ArchiveError(path, f"{_what(error)}; remove it to fetch it again") from error
        path.unlink()
        raise
    origin = (
        _origin(path)
        if isinstance(log, ArchivedLog)
        else [f"Information: {log.page}", f"Licence: {log.licence}"]
    )
    return Fetched(path, received, checksum, log.sha256 is not None, tuple(origin))


def _what(error: ArchiveError) -> str:
    return str(error).removeprefix(f"{error.path}: ")


def _checked(log: KnownLog, path: Path) -> str:
    """Return the checksum of a log that is the one it should be."""
    checksum = _sha256(path, packed=isinstance(log, ArchivedLog))
    if log.sha256 not in (None, checksum):
        raise ArchiveError(
            path,
            f"is not the {log.name} that is known here: the sha256 of the {log.sha256_of} is "
            f"{checksum}, not {log.sha256}",
        )
    return checksum


def _sha256(path: Path, *, packed: bool) -> str:
    digest = hashlib.sha256()
    try:
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            while block := file.read(_BLOCK_SIZE):
                digest.update(block)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ArchiveError(path, f"is not a whole gzip file ({error})") from error
    except OSError as error:
        raise ArchiveError(path, f"can't be read: {error.strerror or error}") from error
    return digest.hexdigest()


def _origin(path: Path) -> list[str]:
    header = SwfHeader()
    for _, lines in line_blocks(path):
        for line in lines:
            if line.strip() and not line.lstrip().startswith(";"):
                return header.origin
            header.read(line)
    return header.origin
