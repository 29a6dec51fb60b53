"""Logs of the Parallel Workloads Archive, fetched once and checked."""

import gzip
import hashlib
import http.client
import os
import urllib.error
import urllib.request
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from workload_tools.archive.logs import ArchivedLog, ArchiveError, KnownLog
from workload_tools.log_lines import line_blocks
from workload_tools.swf.header import SwfHeader

_AT_ONCE = 1 << 16
_SCHEMES = ("http://", "https://")


def download(address: str, path: Path, *, timeout: float = 30.0) -> int:
    """Download a file; go on from where an earlier download broke off.

    Parameters
    ----------
    address
        An address of HTTP or HTTPS.
    path
        The file to write. What is there of it until then is ``PATH.part``.
    timeout
        For how many seconds the server may be silent.

    Returns
    -------
    int
        How many bytes came from the server.

    Raises
    ------
    ArchiveError
        The server can't be reached, does not have the file, or broke off; or the file can't be
        written.
    """
    if not address.startswith(_SCHEMES):
        raise ArchiveError(address, "is no address of HTTP or HTTPS")
    part = path.with_name(f"{path.name}.part")
    try:
        received = _receive(address, part, timeout)
        part.replace(path)
    except urllib.error.HTTPError as error:
        error.close()
        raise ArchiveError(
            address, f"the server answers {error.code} {error.reason}: {_advice(error.code)}"
        ) from error
    except (urllib.error.URLError, TimeoutError, http.client.HTTPException, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise ArchiveError(error.filename, f"can't be written: {error.strerror}") from error
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason
        there = part.stat().st_size if part.is_file() else 0
        rest = f"; {there} bytes are there, and it goes on from them next time" if there else ""
        raise ArchiveError(
            address,
            f"can't be reached ({reason}){rest}. Without a network, fetch the file elsewhere and "
            f"put it to {path}",
        ) from error
    return received


def _receive(address: str, part: Path, timeout: float) -> int:
    """Append to the part what is missing of it."""
    there = part.stat().st_size if part.is_file() else 0
    headers = {"User-Agent": "pred-aware", "Accept-Encoding": "identity"}
    if there:
        headers["Range"] = f"bytes={there}-"
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - see _SCHEMES
    try:
        answer = urllib.request.urlopen(request, timeout=timeout)  # noqa: S310 - see _SCHEMES
    except urllib.error.HTTPError as error:
        if not there or error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
        # the part is as long as the file, or not of this file
        error.close()
        part.unlink()
        return _receive(address, part, timeout)
    received = 0
    # a server that can't be reached leaves no folder behind
    part.parent.mkdir(parents=True, exist_ok=True)
    with answer, part.open("ab" if answer.status == HTTPStatus.PARTIAL_CONTENT else "wb") as file:
        while block := answer.read(_AT_ONCE):
            file.write(block)
            received += len(block)
        # read() of a connection that is closed too early just ends
        missing = answer.length
        if missing:
            raise http.client.IncompleteRead(b"", missing)
    return received


def _advice(code: int) -> str:
    if code == HTTPStatus.NOT_FOUND:
        return "there may be another version by now; give its address with --url"
    return "try again later"


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
