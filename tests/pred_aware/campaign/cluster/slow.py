"""Campaigns whose runs take a while and no CPU, so that something can happen meanwhile."""

import os
import subprocess
import sys
import time
from pathlib import Path

PREDICTOR = """
import time


class Slow:
    def predict(self, submission, now):
        time.sleep(0.005)
        return submission.walltime or 60.0

    def learn(self, submission, run_time, now):
        pass
"""
SLOW = "[policies.easy]\n[policies.slow]\nscheduler = 'easy'\npredictor = 'slow_here:Slow'\n"
PATIENCE = 60.0


def started(
    path: Path, on: str, *options: str, environment: dict[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start a campaign as somebody does who has a module of his own beside its file."""
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
    until = time.monotonic() + PATIENCE
    while len(list(store.glob("runs/*/*/run.json"))) < number:
        assert time.monotonic() < until, "no more runs are made"
        time.sleep(0.05)
