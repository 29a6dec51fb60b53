"""The store of runs: files in folders, each written under a name of its own and renamed.

There are no locks and no database: what is in it is what its folders hold, so that it can be used
from several machines at once, and nothing that is killed can break it. Two that make the same run
write the same, and the first of them is kept.
"""

import errno
import os
import secrets
import shutil
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.campaign.messages import Figures
from pred_aware.errors import PredAwareError
from workload_tools.batsim.workload import UNREADABLE
from workload_tools.expected import in_words

FORMAT = 1
"""Raised when the store is laid out in another way."""

RUN = "run.json"
MEASURED = "measured.json"
PART = ".part"

_ADVICE = "what is in it stays, and `pred-aware campaign run` goes on from there"

Content = Mapping[str, bytes]
"""Files by name."""

_SHELF = 2
"""How many digits of a digest name the folder that a run stands in."""

INDEX = "index.cache"
"""The figures of all runs in one file: a cache, made anew whenever it does not serve."""

_FEW = 100
"""Fewer new runs are no reason to write it again."""

_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


class StoreError(PredAwareError):
    """The store can't be written."""


@dataclass(frozen=True)
class Failure:
    """Why a run was not made."""

    kind: str
    """``error``: something raised; ``time``, ``memory``: it took too much; ``died``: its process
    ended by itself."""
    reason: str
    """In words."""
    measured: dict[str, Any]
    """Host, date and what it took."""


class Store:
    """A folder of runs, by their digests.

    Parameters
    ----------
    folder
        It is made when the first run is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs = folder / "runs"
        self._parts = folder / "parts"
        self._failures = folder / "failures"
        self.jobs = folder / "jobs"

    def check(self) -> None:
        """See that the store can be used.

        Raises
        ------
        PredAwareError
            It is of a newer version, or no store.
        """
        file = self.folder / "store.json"
        try:
            told = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        except FileNotFoundError:
            if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
                raise PredAwareError(
                    f"{self.folder}: is no store of runs; name a folder that is empty or not there"
                ) from None
            return
        except (OSError, *UNREADABLE) as error:
            raise PredAwareError(f"{file}: can't be read: {in_words(error)}") from error
        if told.get("format") != FORMAT:
            raise PredAwareError(
                f"{self.folder}: is a store of version {told.get('format')}, and this pred-aware "
                f"knows version {FORMAT}; use the version that made it, or name another store"
            )

    def begin(self) -> None:
        """Make the store, if it is not there.

        Raises
        ------
        PredAwareError
            It can't be made, is of a newer version, or is no store.
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
        """Return the digests of all runs that are there."""
        return {name for name in _names(self._runs) if not name.startswith(".")}

    def has(self, digest: str) -> bool:
        """Say whether a run is there."""
        try:
            # an empty one is what a machine leaves that went down
            return (self.place(digest) / RUN).stat().st_size > 0
        except OSError:
            return False

    def holds(self, digest: str, name: str) -> bool:
        """Say whether a run has a file beside its record."""
        return (self.place(digest) / name).is_file()

    def size(self, digest: str, *, without: Iterable[str] = ()) -> int:
        """Return the bytes of a run's files, but for those of some names."""
        left_out = set(without)
        place = self.place(digest)
        return sum(one.stat().st_size for one in place.iterdir() if one.name not in left_out)

    def read(self, digest: str, name: str = RUN) -> dict[str, Any]:
        """Return what a run's record says.

        Raises
        ------
        PredAwareError
            There is none, or it can't be read.
        """
        return _read(self.place(digest) / name)

    def figures(self, names: Iterable[str] | None = None) -> dict[str, Figures]:
        """Return figures of all runs that are there, by digest.

        Parameters
        ----------
        names
            Which; all by default.

        Raises
        ------
        PredAwareError
            A record can't be read.
        """
        there, known = self.digests(), self._index()
        missing = there - known.keys()
        known |= {digest: self.read(digest)["figures"] for digest in missing}
        if len(missing) > max(_FEW, len(known) // 20):
            # who may only read the store has to do without
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
            # not there, or of another form: it is a cache
            return {}

    def publish(self, digest: str, files: Content) -> None:
        """Write a run: all of its files, or none.

        Raises
        ------
        StoreError
            It can't be written.
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

    def keep_beside(self, digest: str, name: str, content: bytes) -> None:
        """Write a file beside the record of a run that is there.

        Raises
        ------
        StoreError
            It can't be written.
        """
        with written(self.folder):
            # what is left of it when it is killed is found where runs are begun, too
            place = self.place(digest)
            _write(place / name, content, beside=place)

    def _move(self, temporary: Path, digest: str) -> None:
        """Give a run its name; where somebody else made it meanwhile, theirs is the same."""
        place = self.place(digest)
        if self.has(digest):
            for file in temporary.iterdir():
                # theirs may lack what this campaign keeps, such as the jobs
                if not (place / file.name).exists():
                    file.replace(place / file.name)
            return
        try:
            temporary.rename(place)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            if not self.has(digest):
                # no run stands there: a machine went down while its files were on the way to disk
                shutil.rmtree(place, ignore_errors=True)
                temporary.rename(place)

    def remove(self, digest: str) -> None:
        """Remove a run, at once for whoever looks."""
        place = self.place(digest)
        with written(self.folder):
            temporary = place.with_name(_temporary_name(digest))
            with suppress(FileNotFoundError):
                place.rename(temporary)
                shutil.rmtree(temporary, ignore_errors=True)

    def leftovers(self) -> Iterator[Path]:
        """Yield what was begun and never renamed: of those that were killed, or that still run."""
        for parent in (self._runs, self._failures):
            for shelf in _folders(parent):
                yield from sorted(one for one in shelf.iterdir() if one.name.endswith(PART))
        if self.folder.is_dir():
            yield from sorted(one for one in self.folder.iterdir() if one.name.endswith(PART))

    def job_logs(self) -> list[Path]:
        """Return the folders of the logs of jobs that were Dask workers."""
        return _folders(self.jobs)

    def temporary(self, name: str) -> Path:
        """Return a path in the store that nobody else has, and that is a leftover if it is left."""
        return self.folder / _temporary_name(name)

    # what determines runs: logs and policies, told once for all of their runs

    def keep_part(self, digest: str, content: bytes) -> None:
        """Write what a log or a policy is, if it is not there.

        Raises
        ------
        StoreError
            It can't be written.
        """
        file = self._parts / f"{digest}.json"
        with written(self.folder):
            if not file.is_file():
                _write(file, content)

    def part(self, digest: str) -> dict[str, Any]:
        """Return what a log or a policy is.

        Raises
        ------
        PredAwareError
            It can't be read.
        """
        return _read(self._parts / f"{digest}.json")

    # failures

    def fail(self, digest: str, failure: Failure) -> None:
        """Note that a run was not made.

        Raises
        ------
        StoreError
            It can't be written.
        """
        with written(self.folder):
            file = self._failure(digest)
            file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, msgspec.json.encode(failure) + b"\n")

    def failures(self) -> set[str]:
        """Return the digests of the runs that were not made."""
        return {name.removesuffix(".json") for name in _names(self._failures) if name[0] != "."}

    def failure(self, digest: str) -> Failure | None:
        """Return why a run was not made; ``None`` where nothing is known."""
        with suppress(OSError, *UNREADABLE):
            return msgspec.json.decode(self._failure(digest).read_bytes(), type=Failure)
        return None

    def forget_failure(self, digest: str) -> None:
        """Let a run be tried again."""
        with written(self.folder):
            self._failure(digest).unlink(missing_ok=True)

    def _failure(self, digest: str) -> Path:
        return self._failures / digest[:_SHELF] / f"{digest}.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except (OSError, *UNREADABLE) as error:
        raise PredAwareError(f"{file}: can't be read: {in_words(error)}") from error


def _names(parent: Path) -> Iterator[str]:
    for shelf in _folders(parent):
        yield from os.listdir(shelf)  # noqa: PTH208 - a path for each name would take seconds


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(one for one in parent.iterdir() if one.is_dir())
    except FileNotFoundError:
        return []


def _temporary_name(name: str) -> str:
    """Make a name that nobody else makes: by host, process, and chance."""
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
    """Tell in one line that a store can't be written.

    Raises
    ------
    StoreError
        The block has met an error of the system.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(f"{folder}: can't be written: {why}; {_ADVICE}") from error
