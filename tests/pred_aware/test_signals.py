"""What stops a command, wherever it comes."""

import os
import signal
from pathlib import Path

import pytest

from tests.pred_aware.command import HEEDS_SIGNALS, python
from tests.pred_aware.simulator.world import job, write_inputs

# futures of libraries have a `__del__` that takes its time, in which a signal may come
FINALISED = """
import signal, time

class Last:
    def __del__(self):
        signal.raise_signal(signal.{name})

class Mine:
    def __init__(self):
        self.last = Last()
    def predict(self, submission, now):
        del self.last
        time.sleep(100)
    def learn(self, submission, run_time, now):
        pass
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_python_loses_in_a_finaliser_stops_us(
    tmp_path: Path, number: signal.Signals
) -> None:
    write_inputs(tmp_path, [job(1, 0, 1, 5, 60)])
    (tmp_path / "mine_here.py").write_text(FINALISED.format(name=number.name))
    before = set(tmp_path.iterdir())
    run = python(
        "-c", HEEDS_SIGNALS, "run", "-p", "platform.xml", "-w", "workload.json",
        "-s", "easy_plus_plus", "--predictor", "mine_here:Mine", "-q",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert run == (128 + number, "", "pred-aware: stopped\n")
    assert set(tmp_path.iterdir()) == before
