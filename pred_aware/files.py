"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pred_aware.errors import PredAwareError


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path`; it gets the name when the block ends without an error.

    Raises
    ------
    PredAwareError
        The folder does not exist or can't be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = temporary.open("wb")
    except OSError as error:
        raise PredAwareError(f"can't write {path}: {error.strerror}") from error
    try:
        with file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
