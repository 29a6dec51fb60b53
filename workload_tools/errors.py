"""Errors in logs, workloads and platforms. Each message says what the user can do."""


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
