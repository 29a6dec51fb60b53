"""What wants the command to end, by Ctrl-C or by a signal: an exception on the way out."""

import signal
import sys
from threading import Timer, get_ident, main_thread
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPED = 128
"""What shells add the number of a signal to, for the exit code of what it has stopped."""

INTERRUPTED = STOPPED + signal.SIGINT
"""The exit code after Ctrl-C."""

AGAIN = 0.01
"""Seconds until a signal is sent again whose exception was lost."""


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
    signal.signal(signal.SIGTERM, _terminate)
    # what was started in the background, or with nohup, may have been told to ignore these two
    for number, handler in ((signal.SIGINT, _interrupt), (signal.SIGHUP, _terminate)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    sys.unraisablehook = _raise_again


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    _be_deaf()
    raise Terminated(number)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    _be_deaf()
    raise KeyboardInterrupt


def _be_deaf() -> None:
    """Let nobody who presses Ctrl-C twice keep us from clearing away, which takes seconds."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _raise_again(lost: "UnraisableHookArgs") -> None:
    """Send a signal again that came in the midst of a `__del__`, out of which nothing is raised."""
    error = lost.exc_value
    if get_ident() != main_thread().ident or not isinstance(error, KeyboardInterrupt | Terminated):
        sys.__unraisablehook__(lost)
        return
    if isinstance(error, Terminated):
        number = error.number
        signal.signal(number, _terminate)
    else:
        number = int(signal.SIGINT)
        signal.signal(number, _interrupt)
    # at once would be in the midst of this hook, out of which nothing is raised either
    later = Timer(AGAIN, signal.pthread_kill, (get_ident(), number))
    # the command may end before, and need not wait for it
    later.daemon = True
    later.start()
