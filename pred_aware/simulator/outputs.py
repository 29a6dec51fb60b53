"""Where the files of a run go: to disk, all of them or none, or into memory."""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Protocol, Self

from pred_aware.simulator.errors import SimulationError

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "jobs": "_jobs.csv",
        "schedule": "_schedule.csv",
        "machine_states": "_machine_states.csv",
        "estimates": "_estimates.csv",
        "run": "_run.json",
    }
)
"""What stands behind the prefix in the name of each file that a run may have."""


class Output(Protocol):
    """A file of a run while it is written."""

    def write(self, text: str, /) -> object:
        """Write some text."""
        ...


class Outputs(Protocol):
    """The files of a run while they are written."""

    def open(self, kind: str) -> Output:
        """Begin a file, one of `SUFFIXES`.

        Raises
        ------
        SimulationError
            It can't be written.
        """
        ...

    def digest(self, kind: str) -> str:
        """Return the SHA-256 of what was written to a file so far, in hexadecimal digits."""
        ...


class _Output:
    """Encodes what is written, and keeps account of it."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self.sha256 = hashlib.sha256()

    def write(self, text: str) -> None:
        """Write some text."""
        data = text.encode()
        self.sha256.update(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise SimulationError(f"can't write {self._name}: {error.strerror}") from error


class RunFiles:
    """Files under temporary names, a context: they get theirs together when it ends well.

    A file that this run does not have, but that stands there from an earlier one, goes then.

    Parameters
    ----------
    prefix
        What the files' names begin with: ``PREFIX_jobs.csv`` and so on.

    Raises
    ------
    SimulationError
        The folder does not exist or can't be written, or a folder has the name of one of the files.
    """

    def __init__(self, prefix: str | Path) -> None:
        self.prefix = prefix
        self._files: dict[str, IO[bytes]] = {}
        self._outputs: dict[str, _Output] = {}
        for kind in SUFFIXES:
            if self.path(kind).is_dir():
                raise self._failed(self.path(kind), "is a folder")

    def path(self, kind: str) -> Path:
        """Return the name that a file will have."""
        return Path(f"{self.prefix}{SUFFIXES[kind]}")

    def _temporary(self, kind: str) -> Path:
        path = self.path(kind)
        return path.with_name(f".{path.name}.{os.getpid()}.part")

    @staticmethod
    def _failed(path: Path, reason: str | None) -> SimulationError:
        return SimulationError(f"can't write {path}: {reason}; give another prefix with -e")

    def open(self, kind: str) -> Output:
        """Begin a file; see `Outputs`."""
        try:
            file = self._temporary(kind).open("wb")
        except OSError as error:
            raise self._failed(self.path(kind), error.strerror) from error
        self._files[kind] = file
        self._outputs[kind] = output = _Output(file, f"{self.prefix}_*.csv")
        return output

    def digest(self, kind: str) -> str:
        """Return the SHA-256 of what was written to a file so far."""
        return self._outputs[kind].sha256.hexdigest()

    def _keep(self) -> None:
        try:
            for file in self._files.values():
                file.close()
            for kind in self._files:
                self._temporary(kind).replace(self.path(kind))
            for kind in SUFFIXES.keys() - self._files:
                # one of an earlier run would be taken for this one's
                self.path(kind).unlink(missing_ok=True)
        except OSError as error:
            message = f"can't write {self.prefix}_*.csv: {error.strerror}"
            raise SimulationError(message) from error

    def _discard(self) -> None:
        for kind, file in self._files.items():
            # what is left in its buffer may find the disk full
            with suppress(OSError):
                file.close()
            self._temporary(kind).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Use the files as a context: they are kept only if the block ends well."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the files their names, or remove them."""
        try:
            if error is None:
                self._keep()
        finally:
            self._discard()


class _Pieces:
    """Keeps what is written, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.write = self.pieces.append


class RunTexts:
    """The files of a run that stay in memory."""

    def __init__(self) -> None:
        self._outputs: dict[str, _Pieces] = {}

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
