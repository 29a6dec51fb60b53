"""Decimals in messages: all of them without delays, otherwise Batsim's six."""

import csv
from pathlib import Path

import pytest

from pred_aware.execution.simulate import Transport
from pred_aware.simulator.simulation import Delays
from tests.pred_aware.simulator.world import job, simulated, write_inputs

# the first holds the machine until both others wait; the last is shorter by 3e-7 s
JOBS = [job(1, 0, 10, 100, 200), job(2, 10, 10, 5, 20.0000004), job(3, 11, 10, 5, 20.0000001)]


@pytest.mark.parametrize(
    ("delays", "order", "transport"),
    [("none", "132", "process"), ("none", "132", "zmq"), ("batsim", "123", "process")],
)
def test_walltimes_in_batsims_messages_have_six_decimals(
    tmp_path: Path, transport: Transport, delays: Delays, order: str
) -> None:
    write_inputs(tmp_path, JOBS)
    options = {"order": "sjf", "backfilling": "filler"}
    simulated(tmp_path, "policy", options=options, transport=transport, delays=delays)
    with (tmp_path / "out_jobs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert "".join(row["job_id"] for row in rows) == order
