"""Errors in logs, workloads and platforms. Each message says what the user can do."""

from importlib.util import find_spec
from pathlib import Path


class InputError(ValueError):
    """A file cannot be used. The message states the file, the line or job, and what to do."""

    def __init__(self, path: object, message: str, line: int | None = None) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.line = line


class LogError(InputError):
    """A job log cannot be read."""


class WorkloadError(InputError):
    """A Batsim workload cannot be read or written."""


class MissingLibraryError(InputError):
    """A required library is not installed. The message says how to install it."""


class PlatformError(InputError):
    """A platform description cannot be read or written."""


def installs(extra: str) -> str:
    """Return the command that installs an optional extra (such as ``tables``) in a checkout."""
    return f"pip install --no-deps --require-hashes -r requirements-{extra}.lock"


def require_arrow(path: str | Path) -> None:
    """Check that the library pyarrow is installed, without importing it.

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
            f"this file needs pyarrow, which is not installed; run: {installs('tables')}",
        )
