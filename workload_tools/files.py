"""Write one file or a group of files completely or not at all."""

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

# level 9 takes three times as long, and its files are only 2 % smaller
_COMPRESSION_LEVEL = 6
_OWNER_ONLY = 0o600
_EVERYBODY = 0o666


class WholeFiles:
    """Files that belong together: all of them get their final names, or none does.

    The files are written under temporary names in their final folders. If the ``with`` block ends
    without an error, they get their final names. Otherwise they are removed, and existing files
    stay. A special file such as ``/dev/stdout`` or a pipe is written directly. If a path is a
    symbolic link, the file behind the link is replaced.

    Parameters
    ----------
    error_class
        The exception to raise if a file cannot be opened, written or renamed.
    advice
        Advice to the user, appended to the message if a file cannot be opened.

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
        """Open a file for bytes. All files are closed together when the block ends.

        Parameters
        ----------
        path
            The file's final name; an existing file is replaced.
        private
            True if only the file's owner may read the file.

        Raises
        ------
        InputError
            The folder does not exist or is not writable, or the path is a folder.
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
        """Open a file for UTF-8 text as `open` does; line ends are not converted."""
        file = io.TextIOWrapper(self.open(path), encoding="utf-8", newline="")
        # closing the wrapper writes the end of the text, and closes the file
        self._open[-1] = (Path(path), file)
        return file

    def place(self, path: str | Path) -> Path:
        """Return the temporary path of a file that another program or a copy will write.

        Raises
        ------
        InputError
            The path is a folder.
        """
        path, target = self._named(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        self._temporary[temporary] = (target, path)
        return temporary

    def leave_none(self, path: str | Path) -> None:
        """Remove an old file at this path when the new files get their final names.

        If one of the new files has this path, nothing is removed.

        Raises
        ------
        InputError
            The path is a folder.
        """
        self._removed.append(self._named(path))

    def _named(self, path: str | Path) -> tuple[Path, Path]:
        """Return the path, which must not be a folder, and the file behind its symbolic links."""
        if path in self._names:
            return self._names[path]
        path = Path(path)
        try:
            if path.is_dir():
                raise self._error_class(path, f"is a folder; give a file name{self._advice}")
        except OSError as error:
            raise self._failed(path, error, self._advice) from error
        # not Path.resolve, which raises an error for circular links
        named = self._names[path] = path, Path(os.path.realpath(path))
        return named

    def _failed(self, path: Path, error: OSError, advice: str = "") -> InputError:
        return self._error_class(path, f"cannot be written: {error.strerror or error}{advice}")

    def _keep(self) -> None:
        path = Path()
        try:
            # the operating system may report a full disk only here, when files are closed
            for path, file in self._open:  # noqa: B007 - the error names it
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
            # the first error was reported already
            with suppress(OSError, self._error_class):
                file.close()
        for temporary in self._temporary:
            # the first error was reported already
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Return this object. If the block ends without an error, the files get their names."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the files their final names, or remove them.

        Raises
        ------
        InputError
            A file cannot be completed.
        """
        try:
            if kind is None:
                self._keep()
        finally:
            self._discard()


@contextmanager
def created_folder(folder: Path, *, advice: str = "") -> Iterator[None]:
    """Create a folder and its parents. If the block fails, remove the new folders that are empty.

    Raises
    ------
    InputError
        The folder cannot be created. The message ends with `advice`.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{error.strerror}; {advice}" if advice else f"{error.strerror}"
        raise InputError(folder, f"cannot be created: {reason}") from error
    try:
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise


class _Raw(io.FileIO):
    """A file whose write errors contain the file's name."""

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
    """Open a file that gets its final name if the block ends without an error; see `WholeFiles`.

    Parameters
    ----------
    path
        The file to write; an existing file is replaced.
    error_class
        The exception to raise if the file cannot be written.
    private
        True if only the file's owner may read the file.

    Raises
    ------
    InputError
        The folder does not exist or is not writable, or the disk is full.
    """
    with WholeFiles(error_class) as files:
        yield files.open(path, private=private)


@contextmanager
def packed(file: IO[bytes], path: str | Path) -> Iterator[IO[bytes]]:
    """Return an open file, with gzip compression if its name ends in ``.gz``.

    The gzip header contains neither name nor date, so the same content gives the same bytes.

    Parameters
    ----------
    file
        The file to write to. This function does not close it.
    path
        The file's name.
    """
    if not str(path).endswith(".gz"):
        yield file
        return
    import gzip

    with gzip.GzipFile("", "wb", compresslevel=_COMPRESSION_LEVEL, fileobj=file, mtime=0) as into:
        yield into  # type: ignore[misc] # a GzipFile takes bytes
