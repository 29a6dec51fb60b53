"""Worker processes, forked by a server process that is started once."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from threading import Lock
from weakref import finalize

from pred_aware.campaign.making.fork_server import NUMBER
from pred_aware.errors import PredAwareError

_READ_AT_START = ("LD_", "MALLOC_", "MKL_", "OMP_", "OPENBLAS_", "PYTHON")
"""Prefixes of environment variables that Python or a library reads only at its start."""

_PROGRAM = "from pred_aware.campaign.making.fork_server import main; main()"


class Forked:
    """A worker's process.

    Parameters
    ----------
    connection
        The process's end of the connection; this class closes its copy.

    Raises
    ------
    PredAwareError
        The process cannot be created.
    """

    def __init__(self, connection: Connection) -> None:
        folder = os.open(".", os.O_RDONLY)
        try:
            self._server = _running_server()
            self.id = self._server.ask(0, [connection.fileno(), 2, folder])
        finally:
            os.close(folder)
            connection.close()

    def kill(self) -> None:
        """Kill the process, and wait for its end."""
        with suppress(ProcessLookupError):
            os.kill(self.id, signal.SIGKILL)
        self.exit_code()

    def exit_code(self) -> int | None:
        """Wait for the process to end; return its exit code, or ``None`` if the server has died."""
        try:
            return self._server.ask(self.id)
        except PredAwareError:
            return None


class _ForkServer:
    """The process that forks workers. When this object is deleted, the process and workers end."""

    def __init__(self) -> None:
        self._socket, server_end = socket.socketpair()
        with server_end:
            self._process = subprocess.Popen(  # noqa: S603 - this Python
                [sys.executable, "-P", "-c", _PROGRAM, str(server_end.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[server_end.fileno()],
                env=environment(),
                # only the parent gets Ctrl-C, even before the server ignores it
                process_group=0,
            )
        self._one_by_one = Lock()
        self.end = finalize(self, _end, self._socket, self._process)

    @property
    def is_there(self) -> bool:
        """Whether the server still runs."""
        return self.end.alive and self._process.poll() is None

    def ask(self, worker: int, files: list[int] | None = None) -> int:
        """Send a request, as `fork_server.NUMBER` describes, and return the answer."""
        try:
            with self._one_by_one:
                socket.send_fds(self._socket, [NUMBER.pack(worker)], files or [])
                answer = self._socket.recv(NUMBER.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        except BaseException:
            # end the server, because the next caller would receive the answer to this request
            self.end()
            raise
        if len(answer) < NUMBER.size:
            self.end()
            code = self._process.returncode
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            raise PredAwareError(f"the server process of the workers ended {how}")
        return int(NUMBER.unpack(answer)[0])


def environment() -> dict[str, str]:
    """Return the environment variables of a worker."""
    # one thread for each worker, so that libraries with threads do not compete for cores
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}


def _running_server() -> _ForkServer:
    """Return this process's server, which is started on first use."""
    read = frozenset(one for one in os.environ.items() if one[0].startswith(_READ_AT_START))
    server = _server(os.getpid(), read)
    if not server.is_there:
        _server.cache_clear()
        server = _server(os.getpid(), read)
    return server


@lru_cache(maxsize=1)
def _server(_process: int, _read: frozenset[tuple[str, str]]) -> _ForkServer:
    """Return this process's server; a new server if the environment variables differ."""
    return _ForkServer()


def _end(connection: socket.socket, process: subprocess.Popen[bytes]) -> None:
    connection.close()
    process.wait()
