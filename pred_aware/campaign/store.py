"""The store of runs: files in folders, each written under a temporary name and then renamed.

There are no locks and no database. The folders hold the whole state, so several machines can use
the store simultaneously, and a killed process cannot damage it. If two processes make the same run,
their results are equal, and the first is kept.
"""

import errno
import os
import secrets
import shutil
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pred_aware.campaign.messages import Figures
from pred_aware.errors import PredAwareError
from workload_tools.expected import UNREADABLE, in_words

T = TypeVar("T")

FORMAT = 1
"""Version of the store's layout."""

RUN = "run.json"
MEASURED = "measured.json"
PART = ".part"

_ADVICE = "finished runs are kept, and `pred-aware campaign run` continues"

Content = Mapping[str, bytes]
"""Contents of files by name."""

_SHELF = 2
"""Number of a digest's digits that name the parent folder of a run."""

INDEX = "index.cache"
"""The measures of all runs in one file: a cache, written again if it is missing or invalid."""

_FEW = 100
"""With fewer new runs than this, the index is not written again."""

_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


class StoreError(PredAwareError):
    """The store cannot be written."""


@dataclass(frozen=True)
class Failure:
    """Why a run failed."""

    kind: str
    """``error`` for an exception; ``time`` or ``memory`` for an exceeded limit; ``died`` if its
    process ended unexpectedly.
    """
    reason: str
    """The reason in words."""
    measured: dict[str, Any]
    """Host, date and cost."""


class Store:
    """A folder of runs, identified by their digests.

    Parameters
    ----------
    folder
        The folder; it is created with the first run.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs = folder / "runs"
        self._parts = folder / "parts"
        self._failures = folder / "failures"
        self.jobs = folder / "jobs"

    def check(self) -> None:
        """Check that the store can be used.

        Raises
        ------
        PredAwareError
            The folder is not a store, or a store of another version.
        """
        file = self.folder / "store.json"
        try:
            content = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        except FileNotFoundError:
            if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
                raise PredAwareError(
                    f"{self.folder}: is not a store of runs; give an empty or a new folder"
                ) from None
            return
        except (OSError, *UNREADABLE) as error:
            raise PredAwareError(f"{file}: cannot be read: {in_words(error)}") from error
        if content.get("format") != FORMAT:
            raise PredAwareError(
                f"{self.folder}: is a store of version {content.get('format')}, but this "
                f"pred-aware needs version {FORMAT}; use the version that made it, or another "
                "store"
            )

    def begin(self) -> None:
        """Create the store if it does not exist.

        Raises
        ------
        PredAwareError
            The store cannot be created, has another version, or the folder is not a store.
        """
        self.check()
        with written(self.folder):
            self._runs.mkdir(parents=True, exist_ok=True)
            self._parts.mkdir(exist_ok=True)
            self._failures.mkdir(exist_ok=True)
            file = self.folder / "store.json"
            if not file.exists():
                _write(file, msgspec.json.encode({"format": FORMAT}) + b"\n")

    # runs

    def place(self, digest: str) -> Path:
        """Return the folder of a run."""
        return self._runs / digest[:_SHELF] / digest

    def digests(self) -> set[str]:
        """Return the digests of all runs in the store."""
        return {name for name in _names(self._runs) if not name.startswith(".")}

    def has(self, digest: str) -> bool:
        """Return True if the store has a run."""
        try:
            # a crash of the machine can leave an empty file
            return (self.place(digest) / RUN).stat().st_size > 0
        except OSError:
            return False

    def holds(self, digest: str, name: str) -> bool:
        """Return True if a run has a file of this name."""
        return (self.place(digest) / name).is_file()

    def size(self, digest: str, *, without: Iterable[str] = ()) -> int:
        """Return the size of a run's files in bytes, except files with given names."""
        left_out = set(without)
        place = self.place(digest)
        return sum(one.stat().st_size for one in place.iterdir() if one.name not in left_out)

    def read(self, digest: str, name: str = RUN) -> dict[str, Any]:
        """Return a run's record.

        Raises
        ------
        PredAwareError
            The record is missing or cannot be read.
        """
        return _read(self.place(digest) / name)

    def figures(self, names: Iterable[str] | None = None) -> dict[str, Figures]:
        """Return the measures of all runs in the store, by digest.

        Parameters
        ----------
        names
            Names of the measures; by default all.

        Raises
        ------
        PredAwareError
            A record cannot be read.
        """
        there, known = self.digests(), self._index()
        missing = there - known.keys()
        known |= {digest: self.read(digest)["figures"] for digest in missing}
        if len(missing) > max(_FEW, len(known) // 20):
            # without write permission, the index remains as it is
            with suppress(OSError):
                _write(self.folder / INDEX, msgspec.msgpack.encode(known))
        if names is None:
            return {digest: known[digest] for digest in there}
        wanted = list(names)
        return {digest: {name: known[digest].get(name) for name in wanted} for digest in there}

    def _index(self) -> dict[str, Figures]:
        try:
            content = (self.folder / INDEX).read_bytes()
            return msgspec.msgpack.decode(content, type=dict[str, Figures])
        except (OSError, *UNREADABLE):
            # the index is missing or has another form, but it is only a cache
            return {}

    def publish(self, digest: str, files: Content) -> None:
        """Write a run, with all of its files or none.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        place = self.place(digest)
        with written(self.folder):
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = place.with_name(_temporary_name(digest))
            try:
                temporary.mkdir()
                for name, content in files.items():
                    (temporary / name).write_bytes(content)
                self._move(temporary, digest)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
        self.forget_failure(digest)

    def add_file(self, digest: str, name: str, content: bytes) -> None:
        """Add a file to a run in the store.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        with written(self.folder):
            # the temporary file is in the run's parent folder, where `leftovers` finds it
            place = self.place(digest)
            _write(place / name, content, beside=place)

    def kept(self, digest: str, name: str, kind: type[T], make: Callable[[], T]) -> T:
        """Return a value from a file of a run, or compute it and write the file.

        Without write access to the store, the value is computed each time.

        Raises
        ------
        PredAwareError
            The file cannot be read.
        """
        if self.holds(digest, name):
            return msgspec.convert(self.read(digest, name), kind)
        value = make()
        with suppress(StoreError):
            self.add_file(digest, name, msgspec.json.encode(value) + b"\n")
        return value

    def _move(self, temporary: Path, digest: str) -> None:
        """Rename a temporary folder to its run; keep an existing run and add only missing files."""
        place = self.place(digest)
        if self.has(digest):
            for file in temporary.iterdir():
                # the existing run may lack files that this campaign stores, such as jobs
                if not (place / file.name).exists():
                    file.replace(place / file.name)
            return
        try:
            temporary.rename(place)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            if not self.has(digest):
                # an incomplete run: a machine crashed before its files reached the disk
                shutil.rmtree(place, ignore_errors=True)
                temporary.rename(place)

    def remove(self, digest: str) -> None:
        """Remove a run in one step: other processes never see a part of its files."""
        place = self.place(digest)
        with written(self.folder):
            temporary = place.with_name(_temporary_name(digest))
            with suppress(FileNotFoundError):
                place.rename(temporary)
                shutil.rmtree(temporary, ignore_errors=True)

    def leftovers(self) -> Iterator[Path]:
        """Yield the unfinished files of killed and of running processes."""
        for files in ("runs/*/*", "failures/*/*", "parts/*", "*"):
            yield from sorted(self.folder.glob(f"{files}{PART}"))

    def job_logs(self) -> list[Path]:
        """Return the folders with logs of batch jobs that were Dask workers."""
        return _folders(self.jobs)

    def temporary(self, name: str) -> Path:
        """Return a unique temporary path in the store; `leftovers` finds it after a crash."""
        return self.folder / _temporary_name(name)

    # identities of logs and policies, stored once for all their runs

    def keep_part(self, digest: str, content: bytes) -> None:
        """Write the identity of a log or a policy, if missing.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        file = self._parts / f"{digest}.json"
        with written(self.folder):
            if not file.is_file():
                _write(file, content)

    def part(self, digest: str) -> dict[str, Any]:
        """Return the identity of a log or a policy.

        Raises
        ------
        PredAwareError
            The file cannot be read.
        """
        return _read(self._parts / f"{digest}.json")

    # failures

    def fail(self, digest: str, failure: Failure) -> None:
        """Record that a run failed.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        with written(self.folder):
            file = self._failure(digest)
            file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, msgspec.json.encode(failure) + b"\n")

    def failures(self) -> set[str]:
        """Return the digests of the failed runs."""
        return {name.removesuffix(".json") for name in _names(self._failures) if name[0] != "."}

    def failure(self, digest: str) -> Failure | None:
        """Return why a run failed; ``None`` if unknown."""
        with suppress(OSError, *UNREADABLE):
            return msgspec.json.decode(self._failure(digest).read_bytes(), type=Failure)
        return None

    def forget_failure(self, digest: str) -> None:
        """Delete the record of a failure, so that the run is tried again."""
        with written(self.folder):
            self._failure(digest).unlink(missing_ok=True)

    def _failure(self, digest: str) -> Path:
        return self._failures / digest[:_SHELF] / f"{digest}.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except (OSError, *UNREADABLE) as error:
        raise PredAwareError(f"{file}: cannot be read: {in_words(error)}") from error


def _names(parent: Path) -> Iterator[str]:
    for shelf in _folders(parent):
        yield from os.listdir(shelf)  # noqa: PTH208 - a path for each name would take seconds


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(one for one in parent.iterdir() if one.is_dir())
    except FileNotFoundError:
        return []


def _temporary_name(name: str) -> str:
    """Return a unique name from host, process and a random number."""
    host = socket.gethostname().replace(".", "-")
    return f".{name}.{host}.{os.getpid()}.{secrets.token_hex(8)}{PART}"


def _write(file: Path, content: bytes, *, beside: Path | None = None) -> None:
    temporary = (beside or file).with_name(_temporary_name(file.name))
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def written(folder: Path) -> Iterator[None]:
    """Convert errors of the operating system into a StoreError.

    Raises
    ------
    StoreError
        The block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(f"{folder}: cannot be written: {why}; {_ADVICE}") from error
