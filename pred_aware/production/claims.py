"""The claim of one process to feed a store, since each job goes to whoever reads it first."""

import fcntl
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pred_aware.production.errors import JobStoreError, store_errors

_OURS_ALONE = 0o600
_FOLLOWING = 0x70726665
_BITS = 32


class FeedClaim(Protocol):
    """The right to follow a feed.

    The operating system, or the database, takes it back by itself from a process that has died.
    """

    def hold(self) -> bool:
        """Say whether it is ours, and take it if nobody has it."""
        ...

    def release(self) -> None:
        """Leave it to others."""
        ...


def claim_on(engine: Engine, place: str, feed: str) -> FeedClaim:
    """Return the claim on a feed, which nobody holds yet.

    Parameters
    ----------
    engine, place
        The store's database, and how people are told of it.
    feed
        Its name.
    """
    key = zlib.crc32(feed.encode("utf-8", "surrogateescape"))
    if engine.dialect.name == "postgresql":
        return _DatabaseClaim(engine, place, key)
    return _FileClaim(Path(f"{os.path.realpath(engine.url.database or '')}-{key:08x}.lock"))


class _FileClaim:
    """A lock on a file beside the store, which stays there; the lock ends with the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def hold(self) -> bool:
        if self._file is not None:
            return True
        try:
            file = os.open(self._path, os.O_CREAT | os.O_RDWR, _OURS_ALONE)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(file)
                raise
        except BlockingIOError:
            return False
        except OSError as error:
            raise JobStoreError(f"{self._path}: cannot be locked: {error.strerror}") from error
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


class _DatabaseClaim:
    """A lock of PostgreSQL's own, which lasts as long as its connection."""

    def __init__(self, engine: Engine, place: str, key: int) -> None:
        self._engine = engine
        self._place = place
        # PostgreSQL's whole numbers have a sign
        self._keys = {"one": _FOLLOWING, "other": key - (1 << _BITS if key >> _BITS - 1 else 0)}
        self._connection: Connection | None = None

    def hold(self) -> bool:
        if self._connection is not None:
            try:
                self._connection.execute(text("SELECT 1"))
            except SQLAlchemyError:
                # the database was away, and the lock with it
                self.release()
            else:
                return True
        with store_errors(self._place):
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            lock = text("SELECT pg_try_advisory_lock(:one, :other)")
            if connection.execute(lock, self._keys).scalar():
                self._connection = connection
                return True
            connection.close()
        return False

    def release(self) -> None:
        if self._connection is not None:
            # at once, since a connection that is closed is noticed a little later
            with suppress(SQLAlchemyError):
                unlock = text("SELECT pg_advisory_unlock(:one, :other)")
                self._connection.execute(unlock, self._keys)
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
