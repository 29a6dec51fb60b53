"""Errors of the prediction service, with advice for the operator."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from pred_aware.errors import PredAwareError
from workload_tools.errors import installs

LIBRARIES = ("sqlalchemy", "alembic")


class JobStoreError(PredAwareError):
    """The store cannot be read or written; the message says where and what to do."""


class FeedError(PredAwareError):
    """The batch system's accounting cannot be read now; the read is repeated later."""


def require_service() -> None:
    """Check that the store's libraries are installed, without importing them.

    Raises
    ------
    PredAwareError
        A library is not installed.
    """
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise PredAwareError(
            f"the store needs {' and '.join(missing)}, which is not installed; install with: "
            f"{installs('service')}"
        )


@contextmanager
def store_errors(place: str) -> Iterator[None]:
    """Convert errors of the database into one line with the store's name.

    Parameters
    ----------
    place
        The store's name in messages.

    Raises
    ------
    JobStoreError
        The database reported an error.
    """
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError

    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        words = " ".join(str(getattr(error, "orig", error)).split())
        raise JobStoreError(
            f"{place}: the store cannot be used: {words}{_advice(words)}"
        ) from error
    except SQLAlchemyError as error:
        words = " ".join(str(error).split())
        raise JobStoreError(f"{place}: the store cannot be used: {words}") from error


def _advice(words: str) -> str:
    """Return advice for a message of SQLite; PostgreSQL's messages include their own."""
    for said, advice in (
        ("file is not a database", "it is not a store; give another file"),
        ("unable to open", "the folder must exist and be accessible"),
        ("readonly", "the file and its folder must be writable"),
        ("is full", "free some space; acknowledged jobs are not lost"),
        ("is locked", "another process is writing; try again"),
    ):
        if said in words:
            return f"; {advice}"
    return ""
