"""Files that are written whole or not at all, one or several together."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from workload_tools.errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

GZIP_MAGIC = b"\x1f\x8b"
"""The first bytes of a gzip file."""

# Level 9 takes three times as long for 2 % less.
_COMPRESSION_LEVEL = 6
_OWNER_ONLY = 0o600
_EVERYBODY = 0o666


class WholeFiles:
    """Files that belong together: all of them get their names, or none does.

    They are written under temporary names beside their own, which they get when the block ends
    without an error; else what was written is removed, and what stood there before stays. What is
    no file, such as ``/dev/stdout`` or a pipe, is written to as it is; a link stays, and the file
    that it names is replaced.

    Parameters
    ----------
    error_class
        What to raise when one can't be written, be it here or by a ``write`` to it.
    advice
        What the user may do about one that can't even be begun, for the end of the message.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with WholeFiles() as files:
    ...     _ = files.text(folder / "run_jobs.csv").write("job_id")
    ...     _ = files.open(folder / "run_picture.png").write(b"")
    ...     [path.name for path in folder.glob("run_*")]
    []
    >>> sorted(path.name for path in folder.iterdir())
    ['run_jobs.csv', 'run_picture.png']
    """

    def __init__(self, error_class: type[InputError] = InputError, *, advice: str = "") -> None:
        self._error_class = error_class
        self._advice = f"; {advice}" if advice else ""
        self._open: list[tuple[Path, IO[bytes] | IO[str]]] = []
        self._temporary: dict[Path, tuple[Path, Path]] = {}
        self._removed: list[tuple[Path, Path]] = []
        self._names: dict[str | Path, tuple[Path, Path]] = {}

    def open(self, path: str | Path, *, private: bool = False) -> IO[bytes]:
        """Open one of them for bytes; it is closed with the others.

        Parameters
        ----------
        path
            Its name; a file that exists is replaced.
        private
            Whether nobody but its owner may read it.

        Raises
        ------
        InputError
            The folder does not exist or can't be written, or it is a folder itself.
        """
        path = Path(path)
        mode = _OWNER_ONLY if private else _EVERYBODY
        try:
            special = path.exists() and not (path.is_file() or path.is_dir())
            raw = _Raw(
                path if special else self.place(path),
                partial(os.open, mode=mode),
                lambda error: self._failed(path, error),
            )
        except OSError as error:
            raise self._failed(path, error, self._advice) from error
        file = io.BufferedWriter(raw)
        self._open.append((path, file))
        return file

    def text(self, path: str | Path) -> IO[str]:
        """Open one of them for text in UTF-8, with lines as they are written; see `open`."""
        file = io.TextIOWrapper(self.open(path), encoding="utf-8", newline="")
        # the text's end is written when the wrapper closes, and closes the file below
        self._open[-1] = (Path(path), file)
        return file

    def place(self, path: str | Path) -> Path:
        """Say where to write one of them; for other programs, and for what is copied or moved.

        Raises
        ------
        InputError
            It is a folder.
        """
        path, target = self._named(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        self._temporary[temporary] = (target, path)
        return temporary

    def leave_none(self, path: str | Path) -> None:
        """Let a file of an earlier run go when these are kept, unless it is one of these.

        Raises
        ------
        InputError
            It is a folder.
        """
        self._removed.append(self._named(path))

    def _named(self, path: str | Path) -> tuple[Path, Path]:
        """Return a name that is no folder's as a path, and the file that it stands for."""
        if path in self._names:
            return self._names[path]
        path = Path(path)
        try:
            if path.is_dir():
                raise self._error_class(path, f"is a folder; name a file to write{self._advice}")
        except OSError as error:
            raise self._failed(path, error, self._advice) from error
        # not Path.resolve, which raises where links go round in a circle
        named = self._names[path] = path, Path(os.path.realpath(path))
        return named

    def _failed(self, path: Path, error: OSError, advice: str = "") -> InputError:
        return self._error_class(path, f"can't be written: {error.strerror or error}{advice}")

    def _keep(self) -> None:
        path = Path()
        try:
            # a disk that is full may say so here only, before any of them has its name
            for path, file in self._open:  # noqa: B007 - told in the error
                file.close()
            written = {target for target, _ in self._temporary.values()}
            for path, target in self._removed:
                if target not in written:
                    path.unlink(missing_ok=True)
            for temporary, (target, path) in self._temporary.items():  # noqa: B007
                temporary.replace(target)
        except OSError as error:
            raise self._failed(path, error) from error
        self._temporary.clear()

    def _discard(self) -> None:
        for _, file in self._open:
            # what is left in its buffer may find the disk full, which is told already
            with suppress(OSError, self._error_class):
                file.close()
        for temporary in self._temporary:
            # a folder that is gone or can't be searched was the error, and is told already
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Use it as a context: the files get their names when the block ends without an error."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the files their names, or remove what was written.

        Raises
        ------
        InputError
            One of them can't be written to its end.
        """
        try:
            if kind is None:
                self._keep()
        finally:
            self._discard()


@contextmanager
def folder_made(folder: Path, *, advice: str = "") -> Iterator[None]:
    """Make a folder and those above it; what is still empty goes again if the block fails.

    Raises
    ------
    InputError
        It can't be made; the message ends with the advice.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        told = f"{error.strerror}; {advice}" if advice else f"{error.strerror}"
        raise InputError(folder, f"can't be made: {told}") from error
    try:
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise


class _Raw(io.FileIO):
    """A file that tells its name when it can't be written to."""

    def __init__(
        self,
        path: Path,
        opener: Callable[[str, int], int],
        failed: Callable[[OSError], InputError],
    ) -> None:
        super().__init__(path, "wb", opener=opener)
        self._failed = failed

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise self._failed(error) from error


@contextmanager
def written_whole(
    path: str | Path, error_class: type[InputError] = InputError, *, private: bool = False
) -> Iterator[IO[bytes]]:
    """Open a file that gets its name when the block ends without an error; see `WholeFiles`.

    Parameters
    ----------
    path
        The file to write; one that exists is replaced.
    error_class
        What to raise when it can't be written.
    private
        Whether nobody but its owner may read it.

    Raises
    ------
    InputError
        The folder does not exist or can't be written, or the disk is full.
    """
    with WholeFiles(error_class) as files:
        yield files.open(path, private=private)


@contextmanager
def packed(file: IO[bytes], path: str | Path) -> Iterator[IO[bytes]]:
    """Compress what is written to an open file if its name ends in ``.gz``.

    Neither name nor date stand in the gzip's header, so that the same content gives the same bytes.

    Parameters
    ----------
    file
        Where the bytes go; stays open.
    path
        Its name.
    """
    if not str(path).endswith(".gz"):
        yield file
        return
    import gzip

    with gzip.GzipFile("", "wb", compresslevel=_COMPRESSION_LEVEL, fileobj=file, mtime=0) as into:
        yield into  # type: ignore[misc] # a GzipFile takes bytes
