"""Downloading a file: whole under its name, or its beginning beside it, to go on from."""

import http.client
import urllib.error
import urllib.request
from http import HTTPStatus
from pathlib import Path

from workload_tools.archive.logs import ArchiveError

_BLOCK_SIZE = 1 << 16
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
        path.parent.mkdir(parents=True, exist_ok=True)
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
    with answer, part.open("ab" if answer.status == HTTPStatus.PARTIAL_CONTENT else "wb") as file:
        while block := answer.read(_BLOCK_SIZE):
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
