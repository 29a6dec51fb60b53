"""The library that only tables and parquet files need."""

from importlib.util import find_spec
from pathlib import Path

from workload_tools.errors import MissingLibraryError


def require_arrow(path: str | Path) -> None:
    """Make sure that pyarrow is there, without the time that importing it takes.

    Parameters
    ----------
    path
        The file that is read or written with it.

    Raises
    ------
    MissingLibraryError
        It is not installed.
    """
    if find_spec("pyarrow") is None:
        raise MissingLibraryError(
            path,
            "this needs pyarrow, which is not installed; add it with: "
            "pip install --no-deps --require-hashes -r requirements-tables.lock",
        )
