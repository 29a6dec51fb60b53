"""Decision processes in processes of their own."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

PYBATSIM = "from pybatsim.cmdline import main; main()"
PATIENCE = 60

Started = Callable[..., str]


def reap(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait(PATIENCE)


@pytest.fixture
def pybatsim() -> Iterator[Started]:
    """Start ``pybatsim SCHEDULER``, and return the address where it listens."""
    with ExitStack() as stack:

        def start(*scheduler: str) -> str:
            # a short path, since the name of a socket has at most 107 characters
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pybatsim-"))
            endpoint = f"ipc://{folder}/socket"
            log = stack.enter_context((Path(folder) / "log").open("wb"))
            child = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-c", PYBATSIM, "-t", "60000", "-s", endpoint, *scheduler],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            stack.callback(reap, child)
            return endpoint

        yield start
