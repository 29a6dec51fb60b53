"""Removing jobs from a store: nothing of them is left in SQLite's files, which become smaller."""

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


def removed(engine: Engine, condition: Any, place: str) -> int:  # noqa: ANN401 - of SQLAlchemy
    """Remove the jobs for which a condition holds; return how many they were.

    Parameters
    ----------
    engine, place
        The store's database, and how people are told of it.
    condition
        Any of SQLAlchemy.

    Raises
    ------
    StoreError
        They are removed, but somebody who reads the store keeps SQLite from overwriting them.
    """
    number, sqlite = 0, engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        numbers = iter(connection.execute(select(ENDED.c.number).where(condition)).scalars().all())
    # few at once, so that SQLite's log of changes stays small: the disk may be full
    while some := list(islice(numbers, _AT_ONCE)):
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            number += connection.execute(delete(ENDED).where(ENDED.c.number.in_(some))).rowcount
        if sqlite:
            outside(engine, "PRAGMA wal_checkpoint(PASSIVE)")
    if sqlite and not _overwritten(engine):
        raise JobStoreError(
            f"{place}: {counted(number, 'job')} removed, but somebody reads the store, and until "
            "nobody does they stand in its files; do the same again then"
        )
    return number


def outside(engine: Engine, statement: str, **parameters: str) -> list[tuple[Any, ...]]:
    """Run what SQLite runs outside of a transaction only; return its rows.

    Parameters
    ----------
    engine
        Of an SQLite store.
    statement, parameters
        In SQLite's words.
    """
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        rows: list[tuple[Any, ...]] = driver.execute(statement, parameters).fetchall()
    return rows


def _overwritten(engine: Engine) -> bool:
    """Make the files smaller and what was removed be gone; False where somebody reads them."""
    unused, pages = (
        outside(engine, f"PRAGMA {name}")[0][0] for name in ("freelist_count", "page_count")
    )
    if unused > _UNUSED * pages:
        # without room for a copy, or beside others who write, the file stays as large as it is:
        # the next jobs have room in it
        with suppress(sqlite3.OperationalError):
            outside(engine, "VACUUM")
    # waits for those who read as long as for those who write
    ((busy, _, _),) = outside(engine, "PRAGMA wal_checkpoint(TRUNCATE)")
    return not busy
