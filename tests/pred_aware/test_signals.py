"""What stops a command, wherever it comes."""

import signal

from tests.pred_aware.command import Ended, python

# futures of libraries have a `__del__` that takes its time, in which a signal may come
FINALISED = """
import signal, sys, time
from pred_aware.signals import Terminated, install_signal_handlers

class Last:
    def __del__(self):
        signal.raise_signal(int(sys.argv[1]))

signal.signal(signal.SIGINT, signal.default_int_handler)
install_signal_handlers()
last = Last()
try:
    del last
    time.sleep(20)
except (KeyboardInterrupt, Terminated) as stopped:
    print(type(stopped).__name__)
"""


def test_a_signal_lost_in_a_finaliser_still_stops_the_program() -> None:
    for number, name in ((signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "Terminated")):
        assert python("-c", FINALISED, number.value) == Ended(0, f"{name}\n", "")


STOPPED_WHILE_LOADING = """
import signal, sys
from pred_aware.__main__ import main

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "pred_aware.cli":
            signal.raise_signal(int(sys.argv[1]))

sys.meta_path.insert(0, Finder())
main()
"""


def test_a_signal_during_imports_stops_the_program_with_one_line() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        ended = python("-c", STOPPED_WHILE_LOADING, number.value)
        assert ended == Ended(128 + number, "", "pred-aware: stopped\n")
