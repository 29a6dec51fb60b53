"""Files, plain or gzipped."""

import gzip
import zlib
from pathlib import Path

from pred_aware.errors import PredAwareError
from workload_tools.files import GZIP_MAGIC


def read_unpacked(path: Path) -> bytes:
    """Read a file, and unpack it if it is gzipped.

    Raises
    ------
    PredAwareError
        The file cannot be read.
    """
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data.startswith(GZIP_MAGIC) else data
    except OSError as error:
        raise PredAwareError(f"{path}: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise PredAwareError(f"{path}: the gzip file is incomplete or damaged: {error}") from error
