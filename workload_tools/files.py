"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from workload_tools.errors import InputError

# Level 9 takes three times as long for 2 % less.
_COMPRESSION_LEVEL = 6
_OWNER_ONLY = 0o600
_EVERYBODY = 0o666


@contextmanager
def written_whole(
    path: str | Path, error_class: type[InputError] = InputError, *, private: bool = False
) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path`; it gets the name when the block ends without an error.

    Parameters
    ----------
    path
        The file to write; one that exists is replaced, and a link to it stays. What is no file,
        such as ``/dev/stdout`` or a pipe, is written to as it is.
    error_class
        What to raise when it can't be written.
    private
        Whether nobody but its owner may read it.

    Raises
    ------
    InputError
        The folder does not exist or can't be written, or the disk is full.
    """
    path = Path(path)
    if path.is_dir():
        raise error_class(path, "is a folder; name a file to write")
    if path.exists() and not path.is_file():
        with _written_through(path, error_class) as file:
            yield file
        return
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    mode = _OWNER_ONLY if private else _EVERYBODY
    try:
        with open(temporary, "wb", opener=partial(os.open, mode=mode)) as file:
            yield file
        temporary.replace(target)
    except OSError as error:
        raise error_class(path, f"can't be written: {error.strerror or error}") from error
    finally:
        _remove(temporary)


@contextmanager
def packed(file: IO[bytes], path: str | Path) -> Iterator[IO[bytes]]:
    """Compress what is written to an open file if its name ends in ``.gz``.

    Neither name nor date stand in the gzip's header, so that the same content gives the same bytes.

    Parameters
    ----------
    file
        Where the bytes go; stays open.
    path
        Its name.
    """
    if not str(path).endswith(".gz"):
        yield file
        return
    import gzip

    with gzip.GzipFile("", "wb", compresslevel=_COMPRESSION_LEVEL, fileobj=file, mtime=0) as into:
        yield into  # type: ignore[misc] # a GzipFile takes bytes


@contextmanager
def _written_through(path: Path, error_class: type[InputError]) -> Iterator[IO[bytes]]:
    """Open a device or a pipe, which must not be replaced by a file."""
    try:
        with path.open("wb") as file:
            yield file
    except OSError as error:
        raise error_class(path, f"can't be written: {error.strerror or error}") from error


def _remove(path: Path) -> None:
    # A folder that does not exist or can't be searched was the error, and is told already.
    if path.parent.is_dir() and os.access(path.parent, os.W_OK):
        path.unlink(missing_ok=True)
