"""Ctrl-C and signals that end the command, as exceptions."""

import signal
import sys
from threading import Thread, get_ident, main_thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPED = 128
"""Offset of a signal's number in exit codes, as in shells."""

INTERRUPTED = STOPPED + signal.SIGINT
"""The exit code after Ctrl-C."""

AGAIN = 0.01
"""If the exception of a signal was lost, seconds until the signal is sent again."""

_HEEDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Terminated(BaseException):
    """A signal ends the command. As the exception propagates, unfinished files are removed.

    Attributes
    ----------
    number : int
        Number of the signal.
    code : int
        Exit code.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.code = STOPPED + number


def install_signal_handlers() -> None:
    """Install handlers that raise `KeyboardInterrupt` or `Terminated` in the main thread."""
    for number in _HEEDED:
        # a shell starts background jobs, and nohup its program, with the other signals ignored
        if number == signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    sys.unraisablehook = _raise_again


def _stop(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is _raise_again.__code__:
            # an exception in that hook would be lost; the hook's thread sends the signal again
            return
        frame = frame.f_back
    _ignore_signals()
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def _ignore_signals() -> None:
    """Ignore further signals, so that a second Ctrl-C does not interrupt the cleanup."""
    for number in _HEEDED:
        signal.signal(number, signal.SIG_IGN)


def _raise_again(lost: "UnraisableHookArgs") -> None:
    """Send a signal again that arrived in a `__del__`, where exceptions are lost."""
    error = lost.exc_value
    if get_ident() != main_thread().ident or not isinstance(error, KeyboardInterrupt | Terminated):
        sys.__unraisablehook__(lost)
        return
    number = error.number if isinstance(error, Terminated) else signal.SIGINT
    signal.signal(number, _stop)
    # a daemon thread, because the command must not wait for its end
    Thread(target=_send_until_heeded, args=(get_ident(), number), daemon=True).start()


def _send_until_heeded(thread: int, number: int) -> None:
    while signal.getsignal(number) is _stop:
        sleep(AGAIN)
        signal.pthread_kill(thread, number)
