"""One schedule, however it is made: in one process or two, once more, under another hash seed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.compare_with_batsim import MEASURED, read_lines
from pred_aware.simulation import simulate
from pred_aware.simulator.simulation import Delays

RUNS: dict[str, dict[str, Any]] = {
    "easy_bf": {},
    "filler": {},
    "pred_aware": {},
    "easy": {"predictor": "last_two"},
}


def output(prefix: Path) -> list[Any]:
    """Everything in the output files but what is measured."""
    names, values = (line.split(",") for line in read_lines(Path(f"{prefix}_schedule.csv")))
    figures = dict(zip(names, values, strict=True))
    return [
        Path(f"{prefix}_jobs.csv").read_bytes(),
        Path(f"{prefix}_machine_states.csv").read_bytes(),
        {name: value for name, value in figures.items() if name not in MEASURED},
    ]


@pytest.mark.parametrize("delays", ["none", "batsim"])
@pytest.mark.parametrize("scheduler", RUNS)
def test_one_process_zeromq_again_and_another_hash_seed_give_the_same_bytes(
    shared: Path, tmp_path: Path, scheduler: str, delays: Delays
) -> None:
    folder = shared / "golden" / "transcripts"
    platform, workload = folder / "platform.xml", folder / "kth400.json.gz"
    outputs = []
    for name in ("first", "again"):
        simulate(
            platform=platform, workload=workload, scheduler=scheduler, options=RUNS[scheduler],
            prefix=tmp_path / name, delays=delays,
        )  # fmt: skip
        outputs.append(output(tmp_path / name))
    options = [part for key, value in RUNS[scheduler].items() for part in (f"--{key}", value)]
    # both this process and the child of its child get another seed than the test's
    subprocess.run(  # noqa: S603 - our own command
        [
            sys.executable, "-m", "pred_aware", "run", "-q", "-p", platform, "-w", workload,
            "-e", tmp_path / "zmq", "-s", scheduler, *options, "--delays", delays,
            "--transport", "zmq",
        ],
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "4321"},
    )  # fmt: skip
    outputs.append(output(tmp_path / "zmq"))
    assert outputs[1:] == outputs[:1] * 2
