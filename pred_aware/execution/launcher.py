"""Runs pybatsim, and ends with whoever started it: ``python -P launcher.py ARGUMENT...``.

Its standard input is a pipe that nobody writes to: when we die, however, it ends, and so must it.

It is run by its path, and imports nothing of this package.
"""

import os
import threading


def _watch() -> None:
    # not through sys.stdin, of which the lock could not be had when the interpreter ends
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
