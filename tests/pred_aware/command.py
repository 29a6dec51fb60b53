"""What a command leaves: of the fixture `command`, or of a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

# a background process, or one started by nohup, may ignore these signals
HEEDS_SIGNALS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from pred_aware.cli import main
main()
"""


class Ended(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    def assert_refused(self, *told: str) -> None:
        """Assert that all it left is one clear line with these texts, and exit code 2."""
        assert (self.code, self.out, self.err.count("\n")) == (2, "", 1), self
        assert self.err.startswith("pred-aware: error: ")
        for text in told:
            assert text in self.err


Command = Callable[..., Ended]


def python(*arguments: object, **process: Any) -> Ended:  # noqa: ANN401 - as subprocess takes them
    """Run this Python in a process of its own."""
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=600, **process,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)
