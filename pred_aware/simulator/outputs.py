"""The files of a run: on disk, all of them or none, or in memory."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Protocol, Self

from workload_tools.errors import InputError
from workload_tools.files import WholeFiles

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "jobs": "_jobs.csv",
        "schedule": "_schedule.csv",
        "machine_states": "_machine_states.csv",
        "estimates": "_estimates.csv",
        "blocks": "_blocks.csv",
        "trust": "_trust.csv",
        "run": "_run.json",
    }
)
"""The end of the name of each file that a run may have, behind the prefix."""


class Output(Protocol):
    """A file of a run while it is written."""

    def write(self, text: str, /) -> object:
        """Write some text."""
        ...


class Outputs(Protocol):
    """The files of a run while they are written."""

    def open(self, kind: str) -> Output:
        """Begin a file, one of `SUFFIXES`; an `InputError` where it can't be written."""
        ...

    def digest(self, kind: str) -> str:
        """Return the SHA-256 of what was written to a file so far, in hexadecimal digits."""
        ...


class _Output:
    """A file with the SHA-256 of what was written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()

    def write(self, text: str) -> None:
        """Write some text."""
        data = text.encode()
        self.sha256.update(data)
        self._file.write(data)


class RunFiles:
    """Files under temporary names, a context: they get theirs together when it ends well.

    A file that this run does not have, but that stands there from an earlier one, goes then. Their
    names begin with the prefix: ``PREFIX_jobs.csv`` and so on. An `InputError` says that the folder
    does not exist or can't be written, or that a folder has the name of one of the files.
    """

    def __init__(self, prefix: str | Path) -> None:
        self.prefix = prefix
        self._files = WholeFiles(advice="give another prefix with -e")
        self._digests: dict[str, Callable[[], str]] = {}
        self._paths = {kind: Path(f"{prefix}{suffix}") for kind, suffix in SUFFIXES.items()}
        for path in self._paths.values():
            # one of an earlier run would be taken for this one's
            self._files.leave_none(path)

    def path(self, kind: str) -> Path:
        """Return the name that a file will have."""
        return self._paths[kind]

    def open(self, kind: str) -> Output:
        """Begin a file; see `Outputs`."""
        output = _Output(self._files.open(self.path(kind)))
        self._digests[kind] = output.sha256.hexdigest
        return output

    def adopt(self, kind: str, written: Path) -> None:
        """Move here a file that another program wrote, in a folder beside this one's."""
        path = self.path(kind)
        temporary = self._files.place(path)
        try:
            written.replace(temporary)
        except OSError as error:
            raise InputError(path, f"can't be written: {error.strerror}") from error
        self._digests[kind] = lambda: hashlib.sha256(temporary.read_bytes()).hexdigest()

    def digest(self, kind: str) -> str:
        """Return the SHA-256 of what was written to a file so far."""
        return self._digests[kind]()

    def __enter__(self) -> Self:
        """Use the files as a context: they are kept only if the block ends well."""
        self._files.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the files their names, or remove them."""
        self._files.__exit__(kind, error, traceback)


class _Pieces:
    """Keeps what is written, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.write = self.pieces.append


class RunTexts:
    """The files of a run that stay in memory; a context, as `RunFiles`."""

    def __init__(self) -> None:
        self._outputs: dict[str, _Pieces] = {}

    def __enter__(self) -> Self:
        """Do nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def open(self, kind: str) -> Output:
        """Begin a file; see `Outputs`."""
        self._outputs[kind] = output = _Pieces()
        return output

    def digest(self, kind: str) -> str:
        """Return the SHA-256 of what was written to a file so far."""
        return hashlib.sha256(self._content(kind)).hexdigest()

    def _content(self, kind: str) -> bytes:
        return "".join(self._outputs[kind].pieces).encode()

    def contents(self) -> dict[str, bytes]:
        """Return what was written, by kind."""
        return {kind: self._content(kind) for kind in self._outputs}
