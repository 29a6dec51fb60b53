"""Opening plain and gzipped log files, with error messages."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from workload_tools.errors import LogError
from workload_tools.files import GZIP_MAGIC

PARQUET_MAGIC = b"PAR1"
"""The first bytes of a Parquet file."""


def begins_with(path: Path, magic: bytes) -> bool:
    """Return True if a file begins with these bytes.

    Raises
    ------
    LogError
        The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error


@contextmanager
def unpacked(path: Path, line: Callable[[], int | None] = lambda: None) -> Iterator[IO[bytes]]:
    """Open a file, unpacked if it is gzipped, for reading within the block.

    Parameters
    ----------
    path
        The file. Its first bytes decide whether it is gzipped, not its name.
    line
        Returns the line number for error messages about damage.

    Raises
    ------
    LogError
        The file cannot be read, or its gzip is damaged or incomplete.
    """
    try:
        packed = begins_with(path, GZIP_MAGIC)
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            yield file  # type: ignore[misc] # a GzipFile reads bytes
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LogError(path, f"damaged gzip ({error}); fetch the file again", line()) from error
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
