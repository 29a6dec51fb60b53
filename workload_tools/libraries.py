"""Optional libraries, and how to install them."""

from importlib.util import find_spec
from pathlib import Path

from workload_tools.errors import MissingLibraryError


def installs(extra: str) -> str:
    """Return the command that installs an extra in a checkout."""
    return f"pip install --no-deps --require-hashes -r requirements-{extra}.lock"


def require_arrow(path: str | Path) -> None:
    """Check that pyarrow is installed, without importing it.

    Parameters
    ----------
    path
        The file to read or write.

    Raises
    ------
    MissingLibraryError
        pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise MissingLibraryError(
            path,
            f"this needs pyarrow, which is not installed; install it with: {installs('tables')}",
        )
