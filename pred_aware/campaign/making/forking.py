"""Workers' processes, forked by a process that this one starts for that, once."""

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
"""How variables begin that a library or Python itself looks at only when it starts."""

_PROGRAM = "from pred_aware.campaign.making.fork_server import main; main()"


class Forked:
    """A worker's process.

    Parameters
    ----------
    server
        Who forks it.
    connection
        Its end of the connection; closed here.
    """

    def __init__(self, server: "ForkServer", connection: Connection) -> None:
        self._server = server
        theirs, self._input = os.pipe()
        folder = os.open(".", os.O_RDONLY)
        try:
            files = [connection.fileno(), theirs, 2, folder]
            self.id = server.ask(0, files=files)
        except BaseException:
            os.close(self._input)
            raise
        finally:
            os.close(theirs)
            os.close(folder)
            connection.close()

    def end(self, patience: float) -> int | None:
        """End it at once, or after so many seconds; return its exit code if it ended by itself."""
        try:
            code = self._server.ask(self.id, patience=patience)
        except PredAwareError:
            # its server has died, and with this pipe it does, too
            code = KILLED
        os.close(self._input)
        return None if code == KILLED else code


class ForkServer:
    """The process that forks; it ends, with all its workers, when nobody has it any more."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-c", _PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=environment(),
                # Ctrl-C is for who started it, also before it can ignore it
                process_group=0,
            )
        self._one_by_one = Lock()
        self.end = finalize(self, _end, self._socket, self._process)

    @property
    def is_there(self) -> bool:
        """Whether it can be asked."""
        return self.end.alive and self._process.poll() is None

    def ask(self, worker: int, *, patience: float = 0.0, files: list[int] | None = None) -> int:
        """Send a request as `fork_server.REQUEST` has it, and return the answer.

        Raises
        ------
        PredAwareError
            It has died.
        """
        try:
            with self._one_by_one:
                socket.send_fds(self._socket, [REQUEST.pack(worker, patience)], files or [])
                answer = self._socket.recv(ANSWER.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        except BaseException:
            # who is interrupted leaves an answer behind that is no other's
            self.end()
            raise
        if len(answer) < ANSWER.size:
            self.end()
            code = self._process.returncode
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            raise PredAwareError(f"the process that workers are forked from ended {how}")
        return int(ANSWER.unpack(answer)[0])


def environment() -> dict[str, str]:
    """Return the variables of a worker."""
    # a core each: libraries that compute with several threads would get into each other's way
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}


def fork(connection: Connection) -> Forked:
    """Return a new worker's process with that end of a connection, which is closed here.

    Raises
    ------
    PredAwareError
        It cannot be had.
    """
    return Forked(get_ready(), connection)


def get_ready() -> ForkServer:
    """Start who forks, if nobody has: what it imports it may import while this goes on."""
    read = frozenset(one for one in os.environ.items() if one[0].startswith(_READ_AT_START))
    server = _server(os.getpid(), read)
    if not server.is_there:
        _server.cache_clear()
        server = _server(os.getpid(), read)
    return server


@lru_cache(maxsize=1)
def _server(_process: int, _read: frozenset[tuple[str, str]]) -> ForkServer:
    """Return the server of this process, another one where variables differ."""
    return ForkServer()


def _end(asked: socket.socket, process: subprocess.Popen[bytes]) -> None:
    asked.close()
    process.wait()
