"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from workload_tools.errors import InputError


@contextmanager
def written_whole(
    path: str | Path, error_class: type[InputError] = InputError
) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path`; it gets the name when the block ends without an error.

    Parameters
    ----------
    path
        The file to write; one that exists is replaced.
    error_class
        What to raise when it can't be written.

    Raises
    ------
    InputError
        The folder does not exist or can't be written, or the disk is full.
    """
    path = Path(path)
    if path.is_dir():
        raise error_class(path, "is a folder; name a file to write")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    except OSError as error:
        raise error_class(path, f"can't be written: {error.strerror or error}") from error
    finally:
        _remove(temporary)


def _remove(path: Path) -> None:
    # A folder that does not exist or can't be searched was the error, and is told already.
    if path.parent.is_dir() and os.access(path.parent, os.W_OK):
        path.unlink(missing_ok=True)
