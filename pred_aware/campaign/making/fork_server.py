"""A process that workers are forked from: what all of them need is imported once.

It answers each request that it gets through a socket, and ends, with all workers that it has
forked, when who started it has closed the socket or died.
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
"""0 and anything, with `FILES` beside it, to fork a worker; else the id of one that is to end, and
how many seconds it has for that until it is killed."""

ANSWER = struct.Struct("=q")
"""The id of the worker; or how it ended, as `subprocess.Popen.returncode` tells it, or `KILLED`."""

FILES = 4
"""A worker's end of the connection and of the pipe that is its standard input, its standard error,
and its working folder."""

KILLED = 1 << 16
"""Answered where a worker did not end by itself."""

_EVERY = 0.005

_NEEDED = (
    "pandas",
    "pred_aware.campaign.making.run_maker",
    "pred_aware.execution.in_process",
    "pred_aware.metrics.groups",
    "pred_aware.runs.jobs_table",
)
"""What is imported only when a run is made, by nearly all runs."""


def main() -> None:
    """Fork workers until nobody asks any more, through the socket whose number is the argument."""
    # Ctrl-C is for who started us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # nothing of what is imported is garbage
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


def _serve(asked: socket.socket) -> list[int] | None:
    """Answer requests to the end; in a worker that is forked return its files."""
    running: set[int] = set()
    with asked:
        while True:
            request, files, _, _ = socket.recv_fds(asked, REQUEST.size, FILES)
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
                asked.sendall(ANSWER.pack(answer))
            except ConnectionError:
                # the process that asked has ended, such as by Ctrl-C
                break
    for process in running:
        _ended(process, 0.0)
    return None


def _ended(process: int, patience: float) -> int:
    """Wait so many seconds for a worker to end, or kill it, and return the answer."""
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
    """Take over what a process of its own would have been started with."""
    os.dup2(standard_input, 0)
    os.dup2(standard_error, 2)
    os.fchdir(folder)
    for file in (standard_input, standard_error, folder):
        os.close(file)
