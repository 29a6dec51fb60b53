"""Read the lines of a plain or gzipped log in blocks."""

import codecs
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
    """Return True if a file begins with the bytes `magic`.

    Raises
    ------
    LogError
        The log cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error


@contextmanager
def unpacked(path: Path, line: Callable[[], int | None] = lambda: None) -> Iterator[IO[bytes]]:
    """Open a file for reading within the ``with`` block; a gzipped file is unpacked.

    Parameters
    ----------
    path
        The file. The first bytes, not the name, decide whether the file is gzipped.
    line
        Function that returns the current line number, for error messages about damaged files.

    Raises
    ------
    LogError
        The file cannot be read, or is a damaged or incomplete gzip file.
    """
    try:
        packed = begins_with(path, GZIP_MAGIC)
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            yield file  # type: ignore[misc] # a GzipFile reads bytes
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LogError(path, f"damaged gzip ({error}); fetch the file again", line()) from error
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error


BLOCK_SIZE = 1 << 18
LONGEST_LINE = 1 << 24


def line_blocks(path: str | Path, encoding: str = "latin-1") -> Iterator[tuple[int, list[str]]]:
    """Read a log in blocks of lines, with one block in memory at a time.

    The first bytes, not the name, decide whether the file is gzipped. A byte order mark at the
    start is removed.

    Parameters
    ----------
    path
        The log file.
    encoding
        The text encoding. Decoding with latin-1 never fails, so it suits logs whose only non-ASCII
        text is in comments.

    Yields
    ------
    tuple
        Number of the block's first line (from 1), and the lines without line ends.

    Raises
    ------
    LogError
        The file cannot be read, is a damaged or incomplete gzip file, or a line is not text.
    """

    def split(text: bytes) -> list[str]:
        try:
            return text.decode(encoding).split("\n")
        except UnicodeDecodeError as error:
            raise LogError(path, f"not text in {encoding}: {error.reason}", first) from error

    first = 1
    rest = b""
    with unpacked(Path(path), lambda: first) as file:
        while block := file.read1(BLOCK_SIZE):  # type: ignore[attr-defined] # both kinds have it
            head, newline, tail = block.rpartition(b"\n")
            if not newline:
                rest += block
                if len(rest) > LONGEST_LINE:
                    raise LogError(path, "has a line of over 16 MB, so it is not a log", first)
                continue
            text = rest + head
            yield first, split(text.removeprefix(codecs.BOM_UTF8) if first == 1 else text)
            first += text.count(b"\n") + 1
            rest = tail
    if first == 1:
        rest = rest.removeprefix(codecs.BOM_UTF8)
    if rest:
        yield first, split(rest)
