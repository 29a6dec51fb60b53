"""The exclusive right to read a feed into a store: two readers would each miss jobs."""

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
    """The exclusive right to read a feed into a store.

    The operating system or the database releases it when the process dies.
    """

    def hold(self) -> bool:
        """Return True if this process holds the claim; take it if it is free."""
        ...

    def release(self) -> None:
        """Release the claim."""
        ...


def claim_on(engine: Engine, place: str, feed: str) -> FeedClaim:
    """Return the claim on a feed, not yet taken.

    Parameters
    ----------
    engine, place
        The store's database, and its name in messages.
    feed
        The feed's name.
    """
    key = zlib.crc32(feed.encode("utf-8", "surrogateescape"))
    if engine.dialect.name == "postgresql":
        return _DatabaseClaim(engine, place, key)
    return _FileClaim(Path(f"{os.path.realpath(engine.url.database or '')}-{key:08x}.lock"))


class _FileClaim:
    """A lock on a file next to the store. The file remains; the lock ends with the process."""

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
    """An advisory lock of PostgreSQL, which lasts as long as its connection."""

    def __init__(self, engine: Engine, place: str, key: int) -> None:
        self._engine = engine
        self._place = place
        # PostgreSQL's integers are signed
        self._keys = {"one": _FOLLOWING, "other": key - (1 << _BITS if key >> _BITS - 1 else 0)}
        self._connection: Connection | None = None

    def hold(self) -> bool:
        if self._connection is not None:
            try:
                self._connection.execute(text("SELECT 1"))
            except SQLAlchemyError:
                # the database was unreachable, so the lock was lost
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
            # unlock explicitly, because PostgreSQL notices a closed connection only later
            with suppress(SQLAlchemyError):
                unlock = text("SELECT pg_advisory_unlock(:one, :other)")
                self._connection.execute(unlock, self._keys)
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
