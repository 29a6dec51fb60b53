"""A store of either kind; PostgreSQL is a real one, of this test run alone."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest

from tests.pred_aware.production.postgresql import PostgreSQL

pytest.importorskip("sqlalchemy", reason="not installed: pip install 'pred-aware[service]'")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Start a server on a socket of its own, and stop it at the end."""
    with TemporaryDirectory(prefix="pg-") as name:
        server = PostgreSQL(Path(name))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name a store that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "jobs.db")
    import psycopg

    server: PostgreSQL = request.getfixturevalue("postgresql")
    name = f"d{uuid4().hex}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.url(name)
