"""A service, and a store of either kind; PostgreSQL is a real one, of this test run alone."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.pred_aware.production.jobs import ended, told_ended
from tests.pred_aware.production.postgresql import PostgreSQL, running_postgresql
from tests.pred_aware.production.serving import Serving

pytest.importorskip(
    "sqlalchemy", reason="not installed: pip install --no-deps -r requirements-service.lock"
)


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Serve estimates of the last two jobs of Ann, Cat and Bob."""
    lasted = {"ann": (100.0, 300.0), "cat": (1200.0, 1200.0), "bob": (600.0, 600.0)}
    jobs = [
        ended(f"{user}{run_time}{place}", user=user, run_time=run_time)
        for user, run_times in lasted.items()
        for place, run_time in enumerate(run_times)
    ]
    with Serving(tmp_path_factory.mktemp("serving")) as made:
        made.ask(told_ended(*jobs))
        yield made


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Start a server on a socket of its own, and stop it at the end."""
    with running_postgresql() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
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
