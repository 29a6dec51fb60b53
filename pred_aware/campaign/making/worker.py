"""A worker: a process that makes one run after the other, as it is told through a socket.

``python -m pred_aware.campaign.making.worker FILE_DESCRIPTOR``. Its standard input is a pipe that
nobody writes to: when who started it dies, however, the pipe ends, and so must it.
"""

import os
import signal
import sys
import threading
from multiprocessing.connection import Connection

from pred_aware.campaign.making.run_maker import Maker
from pred_aware.campaign.messages import Answer, Began, Begin, Task
from pred_aware.campaign.store import StoreError
from pred_aware.errors import USER_ERRORS
from predictors.failures import in_words, place


def main() -> None:
    """Make runs until there are no more."""
    end_with_parent()
    # what parts print shall not get between what the command prints
    os.dup2(2, 1)
    connection = Connection(int(sys.argv[1]))
    begin: Begin = connection.recv()
    sys.path[:] = begin.path
    maker = Maker(begin.campaign)
    while (task := connection.recv()) is not None:
        connection.send(_read(maker, task) or _made(maker, task, connection))


def _read(maker: Maker, task: Task) -> Answer | None:
    """Read the log of a task, if it was not; answer if that fails."""
    for log in task.over:
        maker.forget(log)
    try:
        maker.inputs(task.run.log)
    except USER_ERRORS as error:
        return Answer(failed=str(error), why="log")
    except MemoryError:
        return Answer(failed="there was no more memory to read it", why="log")
    return None


def _made(maker: Maker, task: Task, connection: Connection) -> Answer:
    connection.send(Began())
    try:
        _, figures, measured = maker.make(task.run, digest=task.digest)
    except StoreError as error:
        return Answer(failed=str(error), why="store")
    except USER_ERRORS as error:
        return Answer(failed=_with_place(error))
    except MemoryError:
        return Answer(failed="there was no more memory", why="memory")
    except Exception as error:
        # a defect of ours shows its traceback and ends this process; one in somebody's own part is
        # the run's
        if not place(error):
            raise
        return Answer(failed=in_words(error))
    return Answer(figures, measured)


def _with_place(error: Exception) -> str:
    where = "" if error.__cause__ is None else place(error.__cause__)
    said = str(error)
    return said if where in said else f"{said}{where}"


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


if __name__ == "__main__":
    main()
