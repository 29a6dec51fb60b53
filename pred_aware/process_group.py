"""Programs that are ended with all that they started."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any


def end_group(process: "subprocess.Popen[Any]") -> None:
    """End a program that was started with ``start_new_session``, and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run_group(
    command: Sequence[str],
    *,
    timeout: float,
    told: bytes = b"",
    **options: Any,  # noqa: ANN401 - as Popen has them
) -> subprocess.CompletedProcess[bytes]:
    """Run a program as `subprocess.run` does, and end also what it started.

    Parameters
    ----------
    command
        The program and its arguments.
    timeout
        Seconds that it may take.
    told
        What it reads.
    **options
        Of `subprocess.Popen`.

    Raises
    ------
    OSError
        It cannot be started.
    subprocess.TimeoutExpired
        It or something that it started still writes when the time is over.
    """
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(  # noqa: S603 - the caller names it
        command, stdin=subprocess.PIPE, start_new_session=True, **options
    ) as process:
        try:
            output, errors = process.communicate(told, timeout)
        finally:
            end_group(process)
    return subprocess.CompletedProcess(list(command), process.returncode, output, errors)
