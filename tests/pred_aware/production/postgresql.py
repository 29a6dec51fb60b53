"""A PostgreSQL server of the tests alone, at a socket of its own."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_PLACES = "usr/lib/postgresql/*/bin"


def _program(name: str) -> str | None:
    packaged = sorted(Path("/").glob(f"{_PLACES}/{name}"))
    return str(packaged[-1]) if packaged else shutil.which(name)


class PostgreSQL:
    """Its data are in a folder; it can be stopped, or die, and be started again.

    Skips the test where PostgreSQL is not installed.
    """

    def __init__(self, folder: Path) -> None:
        initdb, server = _program("initdb"), _program("postgres")
        if initdb is None or server is None:
            pytest.skip("needs PostgreSQL's initdb and postgres")
        self._server = server
        self._folder = folder
        # it refuses to run as root
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
        subprocess.run(  # noqa: S603 - Debian's own program
            [initdb, "-D", folder / "data", "-U", "tests", "-A", "trust", "--no-sync",
             "-E", "UTF8"],
            check=True, capture_output=True, user=self._user, cwd=folder,
        )  # fmt: skip

    def url(self, database: str) -> str:
        """Return what a store of it is named by."""
        return f"postgresql://tests@/{database}?host={self._folder}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(  # noqa: S603 - as above
            [self._server, "-D", self._folder / "data", "-k", self._folder,
             "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, user=self._user, cwd=self._folder,
            text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if "ready to accept connections" in line:
                break
        assert self._process.poll() is None

    def stop(self) -> None:
        """Stop it without waiting for its clients."""
        self._end(signal.SIGINT)

    def die(self) -> None:
        """Let it die without writing anything down, as when it crashes."""
        self._end(signal.SIGQUIT)

    def _end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.communicate(timeout=30)


@contextmanager
def running_postgresql() -> Iterator[PostgreSQL]:
    """Start a server on a socket of its own, and stop it at the end."""
    with TemporaryDirectory(prefix="pg-") as name:
        server = PostgreSQL(Path(name))
        server.start()
        try:
            yield server
        finally:
            server.stop()
