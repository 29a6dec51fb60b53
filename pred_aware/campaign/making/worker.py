"""A worker: a process that makes one run after the other, as it is told through a connection.

Its standard input is a pipe that nobody writes to: when who started it dies, however, the pipe
ends, and so must it.
"""

import os
import signal
import sys
import threading
from importlib import invalidate_caches
from multiprocessing.connection import Connection

from pred_aware.campaign.making.maker import Makes, answer
from pred_aware.campaign.messages import Began, Task


def work(connection: Connection) -> None:
    """Make runs until there are no more."""
    end_with_parent()
    # what parts print shall not get between what the command prints
    os.dup2(2, 1)
    # where modules are found, which it takes to read who makes runs of one's own
    sys.path[:], sys.argv[:], environment = connection.recv()
    invalidate_caches()
    os.environ.clear()
    os.environ.update(environment)
    maker: Makes | None = None
    while (said := connection.recv()) is not None:
        if isinstance(said, Task):
            assert maker is not None
            connection.send(answer(maker, said, began=lambda: connection.send(Began())))
        else:
            maker = said


def end_with_parent() -> None:
    """End this process when the pipe ends that is its standard input, and not by Ctrl-C.

    Ctrl-C is for who started us, and ends us, too.
    """
    threading.Thread(target=_watch, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _watch() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)
