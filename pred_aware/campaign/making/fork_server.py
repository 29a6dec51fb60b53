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
from importlib import import_module
from multiprocessing.connection import Connection

from pred_aware.campaign.making import worker

REQUEST = struct.Struct("=qd")
"""0 and any number, with `FILES`, to fork a worker; or the id of a worker to end.

The second number is its time in seconds until it is killed.
"""

ANSWER = struct.Struct("=q")
"""The new worker's id, or an ended one's return code as in `subprocess.Popen`, or `KILLED`.
"""

FILES = 4
"""A worker's end of the connection, its standard input and error, and its working folder."""

KILLED = 1 << 16
"""The answer for a worker that had to be killed."""

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
    # Ctrl-C is for the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # imported modules contain no garbage
    gc.disable()
    for module in _NEEDED:
        import_module(module)
    gc.freeze()
    files = _serve(socket.socket(fileno=int(sys.argv[1])))
    gc.enable()
    if files is not None:
        connection, *others = files
        _become(*others)
        worker.work(Connection(connection))


def _serve(connection: socket.socket) -> list[int] | None:
    """Answer requests until the end; return the files in a forked worker."""
    running: set[int] = set()
    with connection:
        while True:
            request, files, _, _ = socket.recv_fds(connection, REQUEST.size, FILES)
            if len(request) < REQUEST.size:
                break
            process, patience = REQUEST.unpack(request)
            if process:
                running.discard(process)
                answer = _ended(process, patience)
            elif (answer := os.fork()) == 0:
                return files
            else:
                running.add(answer)
            for file in files:
                os.close(file)
            try:
                connection.sendall(ANSWER.pack(answer))
            except ConnectionError:
                # the parent has ended, for example by Ctrl-C
                break
    for process in running:
        _ended(process, 0.0)
    return None


def _ended(process: int, patience: float) -> int:
    """Wait for a worker to end within a time limit, or kill it, and return the answer."""
    until = time.monotonic() + patience
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= until:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return KILLED
        time.sleep(_EVERY)


def _become(standard_input: int, standard_error: int, folder: int) -> None:
    """Take over standard input, standard error and the working folder."""
    os.dup2(standard_input, 0)
    os.dup2(standard_error, 2)
    os.fchdir(folder)
    for file in (standard_input, standard_error, folder):
        os.close(file)
