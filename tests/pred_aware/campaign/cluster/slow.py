"""Campaigns whose runs take a while and no CPU, so that something can happen meanwhile."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PREDICTOR = """
import os, signal, time
from pathlib import Path


class Slow:
    def predict(self, submission, now):
        time.sleep(0.005)
        return submission.walltime or 60.0

    def learn(self, submission, run_time, now):
        pass


class Endless(Slow):
    def predict(self, submission, now):
        time.sleep(100)


class Deadly(Slow):
    def predict(self, submission, now):
        # this process was forked by one that the Dask worker has started
        forks = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2]
        os.kill(int(forks.split()[1]), signal.SIGKILL)
        time.sleep(100)
"""
SLOW = "[policies.easy]\n[policies.slow]\nscheduler = 'easy'\npredictor = 'slow_here:Slow'\n"
PATIENCE = 60.0


def started(
    path: Path, on: str, *options: str, environment: dict[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start a campaign with a user's module beside its file."""
    (path.parent / "slow_here.py").write_text(PREDICTOR)
    command = ["campaign", "run", "-q", "--on", on, *options, str(path)]
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "pred_aware", *command],
        cwd=path.parent,
        env={**os.environ, "PYTHONPATH": f"{path.parent}:{Path.cwd()}", **(environment or {})},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_runs(store: Path, number: int) -> None:
    """Wait until so many runs are there."""
    wait_until(lambda: runs_in(store) >= number, f"{number} runs are there")


def runs_in(store: Path) -> int:
    """Return how many runs are there."""
    return len(list(store.glob("runs/*/*/run.json")))


def wait_until(there: Callable[[], bool], what: str) -> None:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < until, f"it is not so that {what}"
        time.sleep(0.05)
