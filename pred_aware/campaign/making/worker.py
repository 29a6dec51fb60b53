"""A worker process: it makes the runs that it gets through a connection.

Its standard input is a pipe without data. When the parent dies, the pipe ends, and then the worker
exits.
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
    # prints of user parts must not appear in the command's output
    os.dup2(2, 1)
    # the module path, which is needed to unpickle user classes
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
    """Exit when standard input ends, and ignore Ctrl-C.

    Ctrl-C is for the parent, which ends this process.
    """
    threading.Thread(target=_watch, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _watch() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)
