"""Worker processes, forked by a server process that is started once."""

import os
import socket
import subprocess
import sys
from functools import lru_cache
from multiprocessing.connection import Connection
from threading import Lock
from weakref import finalize

from pred_aware.campaign.making.fork_server import ANSWER, KILLED, REQUEST
from pred_aware.errors import PredAwareError

_READ_AT_START = ("LD_", "MALLOC_", "MKL_", "OMP_", "OPENBLAS_", "PYTHON")
"""Prefixes of variables that a library or Python itself only reads at its start."""

_PROGRAM = "from pred_aware.campaign.making.fork_server import main; main()"


class Forked:
    """A worker's process.

    Parameters
    ----------
    server
        The server that forks it.
    connection
        Its end of the connection; closed here.
    """

    def __init__(self, server: "ForkServer", connection: Connection) -> None:
        self._server = server
        read_end, self._input = os.pipe()
        folder = os.open(".", os.O_RDONLY)
        try:
            files = [connection.fileno(), read_end, 2, folder]
            self.id = server.ask(0, files=files)
        except BaseException:
            os.close(self._input)
            raise
        finally:
            os.close(read_end)
            os.close(folder)
            connection.close()

    def end(self, patience: float) -> int | None:
        """End the process within some seconds; return its exit code if it ended by itself."""
        try:
            code = self._server.ask(self.id, patience=patience)
        except PredAwareError:
            # the server has died, and closing this pipe ends the worker too
            code = KILLED
        os.close(self._input)
        return None if code == KILLED else code


class ForkServer:
    """The process that forks workers; it ends with all of them when the object is deleted."""

    def __init__(self) -> None:
        self._socket, server_end = socket.socketpair()
        with server_end:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-c", _PROGRAM, str(server_end.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[server_end.fileno()],
                env=environment(),
                # Ctrl-C is for the parent, even before the server ignores it
                process_group=0,
            )
        self._one_by_one = Lock()
        self.end = finalize(self, _end, self._socket, self._process)

    @property
    def is_there(self) -> bool:
        """Whether the server still runs."""
        return self.end.alive and self._process.poll() is None

    def ask(self, worker: int, *, patience: float = 0.0, files: list[int] | None = None) -> int:
        """Send a request in the form of `fork_server.REQUEST`, and return the answer.

        Raises
        ------
        PredAwareError
            The server has died.
        """
        try:
            with self._one_by_one:
                socket.send_fds(self._socket, [REQUEST.pack(worker, patience)], files or [])
                answer = self._socket.recv(ANSWER.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        except BaseException:
            # after an interruption, the pending answer would be read by another caller
            self.end()
            raise
        if len(answer) < ANSWER.size:
            self.end()
            code = self._process.returncode
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            raise PredAwareError(f"the server process of the workers ended {how}")
        return int(ANSWER.unpack(answer)[0])


def environment() -> dict[str, str]:
    """Return the environment variables of a worker."""
    # one core each, so that multi-threaded libraries do not disturb each other
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}


def fork(connection: Connection) -> Forked:
    """Return a new worker process with this end of a connection, which is closed here.

    Raises
    ------
    PredAwareError
        The worker cannot be created.
    """
    return Forked(get_ready(), connection)


def get_ready() -> ForkServer:
    """Start the server if it does not run; it imports modules in the background."""
    read = frozenset(one for one in os.environ.items() if one[0].startswith(_READ_AT_START))
    server = _server(os.getpid(), read)
    if not server.is_there:
        _server.cache_clear()
        server = _server(os.getpid(), read)
    return server


@lru_cache(maxsize=1)
def _server(_process: int, _read: frozenset[tuple[str, str]]) -> ForkServer:
    """Return this process's server; another one if the variables differ."""
    return ForkServer()


def _end(connection: socket.socket, process: subprocess.Popen[bytes]) -> None:
    connection.close()
    process.wait()
