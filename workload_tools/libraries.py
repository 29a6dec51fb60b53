"""Libraries that only some need, and how they are installed."""

from importlib.util import find_spec
from pathlib import Path

from workload_tools.errors import MissingLibraryError


def installs(extra: str) -> str:
    """Return the command that installs an extra in a clone."""
    return f"pip install --no-deps --require-hashes -r requirements-{extra}.lock"


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
            f"this needs pyarrow, which is not installed; add it with: {installs('tables')}",
        )
