"""A store of either kind; PostgreSQL is a real one, of this test run alone."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest

pytest.importorskip("sqlalchemy", reason="not installed: pip install 'pred-aware[service]'")

MakeStore = Callable[[], str]
_PLACES = "usr/lib/postgresql/*/bin"


def _program(name: str) -> str | None:
    packaged = sorted(Path("/").glob(f"{_PLACES}/{name}"))
    return str(packaged[-1]) if packaged else shutil.which(name)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Start a server on a socket of its own, and stop it at the end."""
    initdb, server = _program("initdb"), _program("postgres")
    if initdb is None or server is None:
        pytest.skip("needs PostgreSQL's initdb and postgres")
    # it refuses to run as root
    user = "postgres" if os.geteuid() == 0 else None
    with TemporaryDirectory(prefix="pg-") as name:
        folder = Path(name)
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"
        subprocess.run(  # noqa: S603 - Debian's own program
            [initdb, "-D", data, "-U", "tests", "-A", "trust", "--no-sync", "-E", "UTF8"],
            check=True, capture_output=True, user=user, cwd=folder,
        )  # fmt: skip
        started = subprocess.Popen(  # noqa: S603 - as above
            [server, "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, user=user, cwd=folder, text=True,
        )  # fmt: skip
        try:
            assert started.stderr is not None
            for line in started.stderr:
                if "ready to accept connections" in line:
                    break
            assert started.poll() is None
            yield f"postgresql://tests@/DATABASE?host={folder}"
        finally:
            # without waiting for its clients
            started.send_signal(signal.SIGINT)
            started.communicate(timeout=30)


@pytest.fixture(params=["sqlite", "postgresql"])
def store_name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name a store that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "jobs.db")
    import psycopg

    url = str(request.getfixturevalue("postgresql"))
    name = f"d{uuid4().hex}"
    with psycopg.connect(url.replace("DATABASE", "postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return url.replace("DATABASE", name)
