"""Opening of a store: its database, connection options and schema."""

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from pred_aware.production.errors import JobStoreError, store_errors
from pred_aware.production.schema import ENDED

WRITES = "pred_aware_writes"
"""Name of the option of connections that will write."""

PATIENCE = 10.0
"""Longest wait for another process that uses the database, in seconds."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_OURS_ALONE = 0o600
_PAUSE = 0.02
_PASSWORD = re.compile(r"(://[^/@]*?:)[^@]*(?=@)")
# key of the lock for which processes wait when they open one PostgreSQL store simultaneously
_UPGRADE_LOCK = 0x70726564


def engine_of(name: str | Path, *, create: bool) -> Engine:
    """Connect to the database of a store, and migrate it to the newest schema.

    Parameters
    ----------
    name
        The file of an SQLite database, or the URL of a PostgreSQL database
        (``postgresql://user@host/name``).
    create
        True to create a missing store.

    Raises
    ------
    JobStoreError
        The database cannot be opened, is missing, is not a store, or has a newer schema.
    """
    url = _url(str(name))
    place = without_password(url)
    if url.drivername == "sqlite":
        engine = _sqlite(Path(url.database or ""), url, create=create)
    else:
        options = {"connect_timeout": round(PATIENCE)}
        with store_errors(place):
            engine = create_engine(url, pool_pre_ping=True, connect_args=options)
    try:
        with store_errors(place):
            _to_newest(engine, place, create=create)
            if engine.dialect.name == "sqlite":
                _allow_reads_during_writes(engine)
    except JobStoreError:
        engine.dispose()
        raise
    return engine


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Provide a temporary file, which gets its final name if the block ends without an error.

    Parameters
    ----------
    path
        The final name; nothing may exist there.

    Raises
    ------
    JobStoreError
        The file cannot get its name, for example because another process has created it.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        # a link, because renaming would replace a file that another process created meanwhile
        os.link(temporary, path)
    except OSError as error:
        raise JobStoreError(f"{path}: cannot be created: {error.strerror}") from error
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            temporary.with_name(f"{temporary.name}{end}").unlink(missing_ok=True)


@contextmanager
def new_store(name: str) -> Iterator[str]:
    """Provide the name of a store to fill; a missing store is filled in a temporary file first.

    Parameters
    ----------
    name
        As in `engine_of`. An existing store or a PostgreSQL database is filled directly.
    """
    url = _url(name)
    path = Path(url.database or "")
    if url.drivername != "sqlite" or path.exists():
        yield name
        return
    with new_file(path) as temporary:
        try:
            yield str(temporary)
        except JobStoreError as error:
            raise JobStoreError(str(error).replace(str(temporary), str(path))) from error


def without_password(url: URL) -> str:
    """Return a database's name for messages, without a password."""
    if url.drivername == "sqlite":
        return url.database or ""
    return url.render_as_string(hide_password=True)


def _url(name: str) -> URL:
    if "://" not in name:
        return URL.create("sqlite", database=name)
    try:
        url = make_url(name)
    # an invalid port raises ValueError
    except (ArgumentError, ValueError) as error:
        shown = _PASSWORD.sub(r"\1***", name)
        raise JobStoreError(
            f"'{shown}' is not the URL of a database: give postgresql://user@host:port/name"
        ) from error
    kind = url.get_backend_name()
    if kind == "sqlite" and url.database:
        return url.set(drivername="sqlite")
    if kind != "postgresql":
        raise JobStoreError(
            f"a store is an SQLite file or postgresql://user@host/name, not '{kind}://'"
        )
    return url.set(drivername="postgresql+psycopg")


def _sqlite(path: Path, url: URL, *, create: bool) -> Engine:
    if not path.exists():
        if not create:
            raise JobStoreError(f"{path}: this store does not exist")
        try:
            # only the owner may read which user ran which jobs; SQLite's other files get this mode
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _OURS_ALONE))
        except OSError as error:
            raise JobStoreError(f"{path}: cannot be created: {error.strerror}") from error
    elif not path.is_file():
        raise JobStoreError(f"{path}: is not a file; give the store's file")
    engine = create_engine(url, connect_args={"timeout": PATIENCE, "check_same_thread": False})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - a type of the driver
    """Make commits survive a loss of power, and overwrite deleted content."""
    # `_begin` begins transactions, because the driver would not begin one for DDL
    connection.isolation_level = None
    for pragma in ("synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _allow_reads_during_writes(engine: Engine) -> None:
    """Allow reads during writes. This changes the file, which must be known to be a store."""
    end = time.monotonic() + PATIENCE
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        while True:
            try:
                driver.execute("PRAGMA journal_mode=WAL").close()
            # here SQLite does not wait for other processes that open the file
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(_PAUSE)
            else:
                return


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writing transaction first waits for other writers."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _to_newest(engine: Engine, place: str, *, create: bool) -> None:
    scripts = ScriptDirectory(_MIGRATIONS)
    known = {script.revision for script in scripts.walk_revisions()}
    newest = scripts.get_current_head()
    with engine.connect() as connection:
        if _schema(connection, place, known=known, create=create) == newest:
            return
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        # another process may have migrated the store meanwhile
        if _schema(connection, place, known=known, create=create) != newest:
            config = Config()
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _schema(connection: Connection, place: str, *, known: set[str], create: bool) -> str | None:
    """Return the current schema of a store; None for an empty database."""
    tables = inspect(connection).get_table_names()
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None:
        if ENDED.name in tables:
            raise JobStoreError(
                f"{place}: has jobs but no schema version: its table 'alembic_version' "
                "is damaged; restore a backup"
            )
        if tables and "alembic_version" not in tables:
            raise JobStoreError(f"{place}: is a database, but not a store; give another database")
        if not create:
            raise JobStoreError(f"{place}: is an empty database, not a store")
    elif current not in known:
        raise JobStoreError(
            f"{place}: has the schema '{current}', which this version of pred-aware does not know "
            f"(its newest is '{max(known)}'); install the newer version that made it"
        )
    return current
