"""Download known public logs once, and check their SHA-256 digests."""

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
    """Download a file, and continue an earlier download that was interrupted.

    Parameters
    ----------
    address
        An HTTP or HTTPS address.
    path
        The file to write. Until it is complete, its name is ``PATH.part``.
    timeout
        Longest time without an answer of the server, in seconds.

    Returns
    -------
    int
        The number of bytes that this call received from the server.

    Raises
    ------
    ArchiveError
        The server cannot be reached, lacks the file, or closes the connection early, or the file
        cannot be written.
    """
    if not address.startswith(_SCHEMES):
        raise ArchiveError(address, "is not an HTTP or HTTPS address")
    part = path.with_name(f"{path.name}.part")
    try:
        received = _receive(address, part, timeout)
        part.replace(path)
    except urllib.error.HTTPError as error:
        error.close()
        raise ArchiveError(
            address, f"the server answered {error.code} {error.reason}: {_advice(error.code)}"
        ) from error
    except (urllib.error.URLError, TimeoutError, http.client.HTTPException, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise ArchiveError(error.filename, f"cannot be written: {error.strerror}") from error
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason
        there = part.stat().st_size if part.is_file() else 0
        rest = (
            f"; {there} bytes are saved, and the next download continues from there"
            if there
            else ""
        )
        raise ArchiveError(
            address,
            f"cannot be reached ({reason}){rest}. If this machine has no network, download the "
            f"file on another machine and save it as {path}",
        ) from error
    return received


def _receive(address: str, part: Path, timeout: float) -> int:
    """Download the bytes that a partial file still lacks, and return their number."""
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
        # the partial file is already complete, or belongs to another file: start again
        error.close()
        part.unlink()
        return _receive(address, part, timeout)
    received = 0
    # create the folder only after the server answered
    part.parent.mkdir(parents=True, exist_ok=True)
    with answer, part.open("ab" if answer.status == HTTPStatus.PARTIAL_CONTENT else "wb") as file:
        while block := answer.read(_AT_ONCE):
            file.write(block)
            received += len(block)
        # if a connection closes early, read() raises no error
        missing = answer.length
        if missing:
            raise http.client.IncompleteRead(b"", missing)
    return received


def _advice(code: int) -> str:
    if code == HTTPStatus.NOT_FOUND:
        return "there may be a newer version; give its address with --url"
    return "try again later"


_BLOCK_SIZE = 1 << 20


@dataclass(frozen=True, slots=True)
class FetchedLog:
    """A downloaded log."""

    path: Path
    """Path of the file on this machine."""
    received: int
    """Number of bytes received from the server; 0 if the file was already there."""
    sha256: str
    """SHA-256 of the unpacked log, or of a table's file as downloaded."""
    checked: bool
    """True if the catalogue has a checksum for this log, which matched."""
    origin: tuple[str, ...]
    """Origin and acknowledgements from the log's header; for a table its web page and licence."""


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of downloaded logs in the user's cache, by the XDG specification.

    Examples
    --------
    >>> cache_folder({"XDG_CACHE_HOME": "/var/cache"}).as_posix()
    '/var/cache/pred-aware/logs'
    """
    home = environment.get("XDG_CACHE_HOME", "")
    base = Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()
    return base / "pred-aware" / "logs"


def fetch(log: KnownLog, path: Path, *, address: str) -> FetchedLog:
    """Download a log unless the file exists, and verify its checksum.

    Parameters
    ----------
    path
        The file to write. An existing file is only verified.
    address
        The file's address; empty if the download needs a browser. Then the file must exist.

    Raises
    ------
    ArchiveError
        The file cannot be downloaded, or it is missing and its download needs a browser. Or the
        path is a folder. Or the file is damaged or has the wrong checksum; in this case a file that
        was just downloaded is removed.
    """
    if path.is_dir():
        raise ArchiveError(path, "is a folder; give a file name")
    there = path.is_file()
    if not there and not address:
        raise ArchiveError(
            log.name,
            f"{log.by_hand}; save the file as {path}. Then repeat this command: it verifies the "
            "file and says how to read it",
        )
    received = 0 if there else download(address, path)
    try:
        checksum = _checked(log, path)
    except ArchiveError as error:
        if there:
            raise ArchiveError(
                path, f"{_error_text(error)}; remove the file to download it again"
            ) from error
        path.unlink()
        raise
    origin = (
        _origin(path)
        if isinstance(log, ArchivedLog)
        else [f"Information: {log.page}", f"Licence: {log.licence}"]
    )
    return FetchedLog(path, received, checksum, log.sha256 is not None, tuple(origin))


def _error_text(error: ArchiveError) -> str:
    return str(error).removeprefix(f"{error.path}: ")


def _checked(log: KnownLog, path: Path) -> str:
    """Return the checksum of a log. Raise an error if the catalogue has another checksum."""
    checksum = _sha256(path, packed=isinstance(log, ArchivedLog))
    if log.sha256 not in (None, checksum):
        raise ArchiveError(
            path,
            f"is not the known {log.name}: the sha256 of the {log.sha256_of} is "
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
        raise ArchiveError(path, f"is not a complete gzip file ({error})") from error
    except OSError as error:
        raise ArchiveError(path, f"cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


def _origin(path: Path) -> list[str]:
    header = SwfHeader()
    for _, lines in line_blocks(path):
        for line in lines:
            if line.strip() and not line.lstrip().startswith(";"):
                return header.origin
            header.read(line)
    return header.origin
