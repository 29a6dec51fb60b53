"""The files of a run: on disk, all of them or none, or in memory."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Protocol, Self

from workload_tools.errors import InputError
from workload_tools.files import WholeFiles, folder_made

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
"""The end of the name of each file that a run may have, behind the prefix."""

SUFFIXES_5: Mapping[str, str] = MappingProxyType(
    {kind: suffix.replace("_", "/", 1) for kind, suffix in SUFFIXES.items()}
    | {"schedule": "/schedule.json"}
)
"""The same as Batsim 5 has it: the prefix is a folder."""

ADVICE = "give another prefix with -e"


class Rows(Protocol):
    """What becomes text where files are written, and stays as it is where a run is in memory."""

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
        """Begin a file, one of `SUFFIXES`; an `InputError` where it can't be written."""
        ...

    def digest(self, kind: str) -> Callable[[], str]:
        """Return what tells the SHA-256 of what was written to a file so far, in hexadecimal.

        It keeps that file alone: who is written into another one may have it.
        """
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

    def add(self, rows: Rows) -> None:
        """Write some rows."""
        for text in rows.text():
            self.write(text)


class RunFiles:
    """Files under temporary names, a context: they get theirs together when it ends well.

    A file that this run does not have, but that stands there from an earlier one, goes then. Their
    names begin with the prefix: ``PREFIX_jobs.csv`` and so on. An `InputError` says that the folder
    does not exist or can't be written, or that a folder has the name of one of the files.
    """

    def __init__(self, prefix: str | Path, suffixes: Mapping[str, str] = SUFFIXES) -> None:
        self.prefix = prefix
        self._files = WholeFiles(advice=ADVICE)
        self._digests: dict[str, Callable[[], str]] = {}
        self._paths = {kind: Path(f"{prefix}{suffix}") for kind, suffix in suffixes.items()}
        for path in self._paths.values():
            # one of an earlier run would be taken for this one's
            self._files.leave_none(path)
        self._stack = ExitStack()

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

    def digest(self, kind: str) -> Callable[[], str]:
        """Return what tells the SHA-256 of what was written to a file so far."""
        return self._digests[kind]

    def __enter__(self) -> Self:
        """Use the files as a context: they are kept only if the block ends well."""
        self._stack.enter_context(folder_made(self.path("jobs").parent, advice=ADVICE))
        self._stack.enter_context(self._files)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the files their names, or remove them."""
        self._stack.__exit__(kind, error, traceback)


class InMemory:
    """A file of a run that stays in memory, of which the text is made when it is asked for."""

    def __init__(self) -> None:
        self.pieces: list[str | Rows] = []
        """What was written, in order."""
        self.write = self.pieces.append
        self.add = self.pieces.append

    @cached_property
    def content(self) -> bytes:
        """The file's bytes; nothing may be written any more."""
        return "".join(self._texts()).encode()

    @cached_property
    def sha256(self) -> str:
        """Of the bytes, which are not kept for it, in hexadecimal digits."""
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
    """The files of a run that stay in memory; a context, as `RunFiles`."""

    def __init__(self) -> None:
        self.files: dict[str, InMemory] = {}
        """By kind."""

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
        """Return what tells the SHA-256 of what was written to a file."""
        return partial(getattr, self.files[kind], "sha256")
