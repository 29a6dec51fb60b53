"""The files of a run: on disk (all or none) or in memory."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Protocol, Self

from workload_tools.errors import InputError
from workload_tools.files import WholeFiles, created_folder

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "jobs": "_jobs.csv",
        "schedule": "_schedule.csv",
        "machine_states": "_machine_states.csv",
        "estimates": "_estimates.csv",
        "blocks": "_blocks.csv",
        "trust": "_trust.csv",
        "stops": "_stops.csv",
        "run": "_run.json",
    }
)
"""The suffixes of the files of a run, after the prefix."""

SUFFIXES_5: Mapping[str, str] = MappingProxyType(
    {kind: suffix.replace("_", "/", 1) for kind, suffix in SUFFIXES.items()}
    | {"schedule": "/schedule.json"}
)
"""The suffixes in Batsim 5, where the prefix is a folder."""

ADVICE = "give another prefix with -e"


class Rows(Protocol):
    """Rows of a file, which become text only when the file is written or read."""

    def text(self) -> Iterator[str]:
        """Return the text, piece by piece."""
        ...


class Output(Protocol):
    """A file of a run while it is written."""

    def write(self, text: str, /) -> object:
        """Write some text."""
        ...

    def add(self, rows: Rows, /) -> None:
        """Write some rows."""
        ...


class Outputs(Protocol):
    """The files of a run while they are written."""

    def open(self, kind: str) -> Output:
        """Begin a file, one of `SUFFIXES`. Raise an `InputError` if it cannot be written."""
        ...

    def digest(self, kind: str) -> Callable[[], str]:
        """Return a function that returns the SHA-256 of a file's content so far, in hexadecimal.

        The function refers only to this file, so that another file of the run can contain the
        digest.
        """
        ...


class _Output:
    """A file that computes the SHA-256 of its content."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()

    def write(self, text: str) -> None:
        """Write some text."""
        data = text.encode()
        self.sha256.update(data)
        self._file.write(data)

    def add(self, rows: Rows) -> None:
        """Write some rows."""
        for text in rows.text():
            self.write(text)


class RunFiles:
    """The files of a run, as a context. They get their final names together at a normal end.

    File names begin with the prefix: ``PREFIX_jobs.csv`` and so on. Files of other kinds that an
    earlier run wrote with this prefix are then removed. An `InputError` says that the folder
    does not exist or is not writable, or that a folder has the name of one of the files.
    """

    def __init__(self, prefix: str | Path, suffixes: Mapping[str, str] = SUFFIXES) -> None:
        self.prefix = prefix
        self._files = WholeFiles(advice=ADVICE)
        self._digests: dict[str, Callable[[], str]] = {}
        self._paths = {kind: Path(f"{prefix}{suffix}") for kind, suffix in suffixes.items()}
        for path in self._paths.values():
            # otherwise a file of an earlier run would seem to belong to this one
            self._files.leave_none(path)
        self._stack = ExitStack()

    def path(self, kind: str) -> Path:
        """Return the final name of a file."""
        return self._paths[kind]

    def open(self, kind: str) -> Output:
        """Begin a file; see `Outputs`."""
        output = _Output(self._files.open(self.path(kind)))
        self._digests[kind] = output.sha256.hexdigest
        return output

    def adopt(self, kind: str, written: Path) -> None:
        """Move a file here that another program wrote."""
        path = self.path(kind)
        temporary = self._files.place(path)
        try:
            written.replace(temporary)
        except OSError as error:
            raise InputError(path, f"cannot be written: {error.strerror}") from error
        self._digests[kind] = lambda: hashlib.sha256(temporary.read_bytes()).hexdigest()

    def digest(self, kind: str) -> Callable[[], str]:
        """Return a function for a file's SHA-256; see `Outputs`."""
        return self._digests[kind]

    def __enter__(self) -> Self:
        """Enter a context that keeps the files only if it ends without an error."""
        self._stack.enter_context(created_folder(self.path("jobs").parent, advice=ADVICE))
        self._stack.enter_context(self._files)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Rename the files to their final names, or remove them after an error."""
        self._stack.__exit__(kind, error, traceback)


class InMemory:
    """A file of a run in memory. Its text is created on demand."""

    def __init__(self) -> None:
        self.pieces: list[str | Rows] = []
        """The written texts and rows, in order."""
        self.write = self.pieces.append
        self.add = self.pieces.append

    @cached_property
    def content(self) -> bytes:
        """The file's bytes. After this call nothing may be written."""
        return "".join(self._texts()).encode()

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the file, in hexadecimal digits, computed without keeping the bytes."""
        digest = hashlib.sha256()
        if "content" in self.__dict__:
            digest.update(self.content)
        else:
            for text in self._texts():
                digest.update(text.encode())
        return digest.hexdigest()

    def _texts(self) -> Iterator[str]:
        texts = ((one,) if isinstance(one, str) else one.text() for one in self.pieces)
        return chain.from_iterable(texts)


class RunInMemory:
    """The files of a run in memory, as a context like `RunFiles`."""

    def __init__(self) -> None:
        self.files: dict[str, InMemory] = {}
        """The files by kind (`SUFFIXES`)."""

    def __enter__(self) -> Self:
        """Do nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def open(self, kind: str) -> Output:
        """Begin a file; see `Outputs`."""
        self.files[kind] = output = InMemory()
        return output

    def digest(self, kind: str) -> Callable[[], str]:
        """Return a function for a file's SHA-256; see `Outputs`."""
        return partial(getattr, self.files[kind], "sha256")
