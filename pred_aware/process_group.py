"""Programs that are ended together with all processes that they started."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any


def end_group(process: "subprocess.Popen[Any]") -> None:
    """Kill a program that was started with ``start_new_session``, and all its child processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run_group(
    command: Sequence[str],
    *,
    timeout: float,
    standard_input: bytes = b"",
    **options: Any,  # noqa: ANN401 - as Popen has them
) -> subprocess.CompletedProcess[bytes]:
    """Run a program like `subprocess.run`, and end all processes that it started.

    Parameters
    ----------
    command
        The program and its arguments.
    timeout
        Time limit in seconds.
    standard_input
        Standard input.
    **options
        Options of `subprocess.Popen`.

    Raises
    ------
    OSError
        The program cannot be started.
    subprocess.TimeoutExpired
        The program, or a process that it started, still runs at the time limit.
    """
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(  # noqa: S603 - the caller names it
        command, stdin=subprocess.PIPE, start_new_session=True, **options
    ) as process:
        try:
            output, errors = process.communicate(standard_input, timeout)
        finally:
            end_group(process)
    return subprocess.CompletedProcess(list(command), process.returncode, output, errors)
