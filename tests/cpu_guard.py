"""A limit on CPU time, for tests of what must not run on for ever."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class EndlessError(BaseException):
    """Something took more CPU time than it may."""


@contextmanager
def cpu_guard(seconds: float) -> Iterator[None]:
    """Raise an `EndlessError` in the main thread once this takes more CPU seconds."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise EndlessError(f"more than {seconds:g} CPU s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
