"""Stands between us and a program of somebody else's: ``python -I guard.py PROGRAM ARGUMENT...``.

Its standard input is a pipe that nobody writes to: when we die, however, the pipe closes, and then
the program and all that it started, a process group of its own, is asked to end, and then killed.
It ends as the program does; if it is killed itself, Linux kills the program.

It is run by its path, and imports what it needs to run, and nothing of this package.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

TERM_PATIENCE = 2.0
"""How long a program of somebody else's may take to end when it is asked to, in seconds."""

_CAN_NOT_START = 127
_PARENT_DEATH_SIGNAL = 1
"""Linux's PR_SET_PDEATHSIG."""


def _die_with_guard() -> None:
    """Let Linux kill this process, the program to be, when the guard dies."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (OSError, AttributeError):
        # not Linux: then a guard that is killed leaves the program behind
        pass


def _tell(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def _watch(group: int) -> None:
    """End a process group when standard input does."""
    while os.read(0, 1024):
        pass
    _tell(group, signal.SIGTERM)
    time.sleep(TERM_PATIENCE)
    _tell(group, signal.SIGKILL)


def main() -> None:
    """Run the program that the command line names, and end as it does."""
    try:
        program = subprocess.Popen(  # noqa: S603 - what the user gave, as arguments
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
    # not sys.exit, which would wait for the thread's lock on standard input
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
