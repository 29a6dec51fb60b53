"""Runs pybatsim, and ends with its parent: ``python -P launcher.py ARGUMENT...``.

Its standard input is a pipe without data, which closes when the parent dies for any reason. It is
run by its path, and therefore imports nothing of this package.
"""

import os
import threading


def _watch() -> None:
    # os.read, because the interpreter could not get the lock of sys.stdin when it ends
    while os.read(0, 1024):
        pass
    os._exit(1)


def launch() -> None:
    """Run pybatsim with the arguments of the command line."""
    threading.Thread(target=_watch, daemon=True).start()
    from pybatsim.cmdline import main

    main()


if __name__ == "__main__":
    launch()
