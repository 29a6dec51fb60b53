"""What wants the command to end, by Ctrl-C or by a signal: an exception on the way out."""

import signal
import sys
from threading import Thread, get_ident, main_thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPED = 128
"""What shells add the number of a signal to, for the exit code of what it has stopped."""

INTERRUPTED = STOPPED + signal.SIGINT
"""The exit code after Ctrl-C."""

AGAIN = 0.01
"""Seconds until a signal is sent again whose exception was lost."""

_HEEDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Terminated(BaseException):
    """A signal wants us to end; what is unfinished is cleared away on the way out.

    Attributes
    ----------
    number : int
        That of the signal.
    code : int
        The exit code to end with.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.code = STOPPED + number


def heed_signals() -> None:
    """Let the main thread raise `KeyboardInterrupt` or `Terminated` where a signal reaches it."""
    for number in _HEEDED:
        # what was started in the background, or with nohup, may have been told to ignore the others
        if number == signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    sys.unraisablehook = _raise_again


def _stop(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is _raise_again.__code__:
            # nothing is raised out of that hook; the signal comes again
            return
        frame = frame.f_back
    _be_deaf()
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def _be_deaf() -> None:
    """Let nobody who presses Ctrl-C twice keep us from clearing away, which takes seconds."""
    for number in _HEEDED:
        signal.signal(number, signal.SIG_IGN)


def _raise_again(lost: "UnraisableHookArgs") -> None:
    """Send a signal again that came in the midst of a `__del__`, out of which nothing is raised."""
    error = lost.exc_value
    if get_ident() != main_thread().ident or not isinstance(error, KeyboardInterrupt | Terminated):
        sys.__unraisablehook__(lost)
        return
    number = error.number if isinstance(error, Terminated) else signal.SIGINT
    signal.signal(number, _stop)
    # the command may end before, and need not wait for it
    Thread(target=_send_until_heeded, args=(get_ident(), number), daemon=True).start()


def _send_until_heeded(thread: int, number: int) -> None:
    while signal.getsignal(number) is _stop:
        sleep(AGAIN)
        signal.pthread_kill(thread, number)
