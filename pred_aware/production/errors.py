"""Errors of production, with what the operator can do about each."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from pred_aware.errors import PredAwareError
from workload_tools.errors import installs

LIBRARIES = ("sqlalchemy", "alembic")


class JobStoreError(PredAwareError):
    """The store can't be read or written; the message says where and what to do."""


class FeedError(PredAwareError):
    """A batch system's accounting can't be read now; it is tried again."""


def require_service() -> None:
    """Make sure that what the store is made with is there, without the time that importing takes.

    Raises
    ------
    PredAwareError
        It is not installed.
    """
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise PredAwareError(
            f"the store needs {' and '.join(missing)}, which is not installed; add it with: "
            f"{installs('service')}"
        )


@contextmanager
def store_errors(place: str) -> Iterator[None]:
    """Tell what the database says in one line, with its place.

    Parameters
    ----------
    place
        The store, as people are told of it.

    Raises
    ------
    StoreError
        Anything that the database refuses.
    """
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError

    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        words = " ".join(str(getattr(error, "orig", error)).split())
        raise JobStoreError(f"{place}: the store can't be used: {words}{_advice(words)}") from error
    except SQLAlchemyError as error:
        words = " ".join(str(error).split())
        raise JobStoreError(f"{place}: the store can't be used: {words}") from error


def _advice(words: str) -> str:
    """Say what to do about what SQLite says; PostgreSQL says it itself."""
    for said, advice in (
        ("file is not a database", "it is no store; name another file"),
        ("unable to open", "the folder must exist, and its owner run this"),
        ("readonly", "the file and its folder must be writable"),
        ("is full", "make room; nothing that was acknowledged is lost"),
        ("is locked", "another process has been writing for long; try again"),
    ):
        if said in words:
            return f"; {advice}"
    return ""
