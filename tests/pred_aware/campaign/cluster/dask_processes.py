"""A Dask scheduler and workers, processes of their own on this machine."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

PATIENCE = 60.0


class DaskProcesses:
    """A Dask scheduler, and workers on request; all end with the context.

    Parameters
    ----------
    folder
        Where they work; modules there are found by nobody but those who are told.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        """Start the scheduler."""
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.address = heard(self.scheduler, r"Scheduler at:\s+(\S+)")
        return self

    def worker(
        self, *, nanny: bool = False, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start a worker with one thread, and wait until it is there.

        A nanny starts another one when it is lost.
        """
        kind = "--nanny" if nanny else "--no-nanny"
        worker = self._start(
            "worker", self.address, "--nthreads", "1", kind, environment=environment
        )
        heard(worker, r"(Registered) to:")
        return worker

    def _start(
        self, *arguments: str, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        module = f"distributed.cli.dask_{arguments[0]}"
        process = subprocess.Popen(  # noqa: S603 - of our own environment
            [sys.executable, "-m", module, *arguments[1:], "--no-dashboard"],
            cwd=self._folder,
            env={**os.environ, **(environment or {})},
            stderr=subprocess.PIPE,
            text=True,
        )
        self._processes.append(process)
        return process

    def __exit__(self, *_: object) -> None:
        """End all of them."""
        for process in reversed(self._processes):
            process.send_signal(signal.SIGKILL)
            process.communicate()


def heard(process: subprocess.Popen[str], pattern: str) -> str:
    """Wait until a process has said something on standard error, and return what is in brackets."""
    said = ""
    assert process.stderr is not None
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if select.select([process.stderr], [], [], 1.0)[0]:
            said += os.read(process.stderr.fileno(), 10_000).decode()
        if found := re.search(pattern, said):
            return found[1]
        if process.poll() is not None:
            break
    raise AssertionError(said)
