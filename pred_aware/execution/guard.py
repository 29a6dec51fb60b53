"""A guard process that runs an external program: ``python -I guard.py PROGRAM ARGUMENT...``.

Its standard input is a pipe without data. When the parent dies for any reason, the pipe closes, and
the guard ends the program's process group, first with SIGTERM and then with SIGKILL. The guard
exits with the program's exit code; if the guard itself is killed, Linux kills the program.

It is run by its path, and therefore imports nothing of this package.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

TERM_PATIENCE = 2.0
"""Seconds between SIGTERM and SIGKILL."""

_CAN_NOT_START = 127
_PARENT_DEATH_SIGNAL = 1
"""Linux's PR_SET_PDEATHSIG."""


def _die_with_guard() -> None:
    """Tell Linux to kill this process, which becomes the program, when the guard dies."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (OSError, AttributeError):
        # not Linux: a killed guard leaves the program running
        pass


def _tell(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def _watch(group: int) -> None:
    """End a process group when standard input closes."""
    while os.read(0, 1024):
        pass
    _tell(group, signal.SIGTERM)
    time.sleep(TERM_PATIENCE)
    _tell(group, signal.SIGKILL)


def main() -> None:
    """Run the program on the command line, and exit with its exit code."""
    try:
        program = subprocess.Popen(  # noqa: S603 - the program that the user names
            sys.argv[1:],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_guard,  # noqa: PLW1509 - no thread runs yet
        )
    except OSError as error:
        sys.stdout.write(f"{sys.argv[1]}: cannot be started: {error.strerror}\n")
        sys.stdout.flush()
        os._exit(_CAN_NOT_START)
    threading.Thread(target=_watch, args=(program.pid,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = program.wait()
    _tell(program.pid, signal.SIGKILL)
    # sys.exit would wait for the thread's lock on standard input
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
