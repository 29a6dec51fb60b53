"""Removal of jobs from a store, which also overwrites their data and shrinks SQLite's files."""

import sqlite3
from contextlib import suppress
from itertools import islice
from typing import Any

from sqlalchemy import Engine, delete, select

from pred_aware.production.errors import JobStoreError
from pred_aware.production.opening import WRITES
from pred_aware.production.schema import ENDED
from pred_aware.report.plural import counted

_AT_ONCE = 500
_UNUSED = 0.25


def removed(engine: Engine, condition: Any, place: str) -> int:  # noqa: ANN401 - a type of SQLAlchemy
    """Remove the jobs that satisfy a condition; return their number.

    Parameters
    ----------
    engine, place
        The store's database, and its name in messages.
    condition
        A condition of SQLAlchemy.

    Raises
    ------
    JobStoreError
        The jobs are removed, but another process reads the store, so that SQLite cannot overwrite
        them.
    """
    number, sqlite = 0, engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        numbers = iter(connection.execute(select(ENDED.c.number).where(condition)).scalars().all())
    # in small groups to keep SQLite's write-ahead log small: the disk may be full
    while some := list(islice(numbers, _AT_ONCE)):
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            number += connection.execute(delete(ENDED).where(ENDED.c.number.in_(some))).rowcount
        if sqlite:
            outside(engine, "PRAGMA wal_checkpoint(PASSIVE)")
    if sqlite and not _overwritten(engine):
        raise JobStoreError(
            f"{place}: {counted(number, 'job')} removed, but another process reads the store, so "
            "their data is still in its files; repeat this when no process reads it"
        )
    return number


def outside(engine: Engine, statement: str, **parameters: str) -> list[tuple[Any, ...]]:
    """Run a statement that SQLite runs only outside of transactions; return its rows.

    Parameters
    ----------
    engine
        The engine of an SQLite store.
    statement, parameters
        A statement of SQLite, and its parameters.
    """
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        rows: list[tuple[Any, ...]] = driver.execute(statement, parameters).fetchall()
    return rows


def _overwritten(engine: Engine) -> bool:
    """Shrink the files and overwrite removed content; False if another process reads them."""
    unused, pages = (
        outside(engine, f"PRAGMA {name}")[0][0] for name in ("freelist_count", "page_count")
    )
    if unused > _UNUSED * pages:
        # if the disk has no space for a copy, or another process writes, the file keeps its size,
        # and new jobs use the free pages
        with suppress(sqlite3.OperationalError):
            outside(engine, "VACUUM")
    # this statement waits for readers as long as for writers
    ((busy, _, _),) = outside(engine, "PRAGMA wal_checkpoint(TRUNCATE)")
    return not busy
