"""A server process from which workers are forked, so that their imports happen once.

It answers each request on its socket. When its parent closes the socket or dies, it ends all
workers and itself.
"""

import gc
import os
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module, invalidate_caches
from multiprocessing.connection import Connection

from pred_aware.campaign.making.maker import Makes, answer
from pred_aware.campaign.messages import Began, Task

NUMBER = struct.Struct("=q")
"""A request: 0 with `FILES` to fork a worker, or the id of a worker to end.

The answer: the new worker's id, or the ended worker's return code as in `subprocess.Popen`.
"""

FILES = 3
"""Number of files sent for a worker: its end of the connection, standard error, working folder."""

PATIENCE = 0.2
"""Seconds that a worker may need to end before it is killed."""

_EVERY = 0.005

_NEEDED = (
    "pandas",
    "pred_aware.campaign.making.run_maker",
    "pred_aware.execution.in_process",
    "pred_aware.metrics.groups",
    "pred_aware.runs.jobs_table",
)
"""Modules that nearly all runs import."""


def main() -> None:
    """Fork workers until the socket closes; its file number is the argument."""
    # the parent handles Ctrl-C, and ends the workers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # no garbage collection, because imported modules contain no garbage
    gc.disable()
    for module in _NEEDED:
        import_module(module)
    gc.freeze()
    files = serve(socket.socket(fileno=int(sys.argv[1])))
    gc.enable()
    if files is not None:
        connection, standard_error, folder = files
        # what a user's own part prints must not appear in the command's output
        os.dup2(standard_error, 1)
        os.dup2(standard_error, 2)
        os.fchdir(folder)
        os.close(standard_error)
        os.close(folder)
        _work(Connection(connection))


def serve(connection: socket.socket) -> list[int] | None:
    """Answer requests until the connection closes; only a forked worker returns its files."""
    running: set[int] = set()
    with connection:
        while True:
            request, files, _, _ = socket.recv_fds(connection, NUMBER.size, FILES)
            if len(request) < NUMBER.size:
                break
            (process,) = NUMBER.unpack(request)
            if process:
                running.discard(process)
                said = _ended(process, PATIENCE)
            elif (said := os.fork()) == 0:
                return files
            else:
                running.add(said)
            for file in files:
                os.close(file)
            try:
                connection.sendall(NUMBER.pack(said))
            except ConnectionError:
                # the parent has ended, for example by Ctrl-C
                break
    for process in running:
        _ended(process, 0.0)
    return None


def _ended(process: int, patience: float) -> int:
    """Wait for a worker to end within a time limit, or kill it, and return its return code."""
    until = time.monotonic() + patience
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if not ended and time.monotonic() >= until:
            os.kill(process, signal.SIGKILL)
            ended, status = os.waitpid(process, 0)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_EVERY)


def _work(connection: Connection) -> None:
    """Make the runs that come through the connection, until there are no more."""
    # sys.path is needed to unpickle the user's own classes
    sys.path[:], sys.argv[:], environment = connection.recv()
    invalidate_caches()
    os.environ.clear()
    os.environ.update(environment)
    maker: Makes = connection.recv()
    # the connection ends with the parent
    with suppress(EOFError, ConnectionError):
        while True:
            task: Task = connection.recv()
            connection.send(answer(maker, task, began=lambda: connection.send(Began())))
