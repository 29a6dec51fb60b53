"""One schedule, however it is made: in one process or two, once more, under another hash seed."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.compare_with_batsim import MEASURED, read_lines
from pred_aware.execution.simulate import Transport, simulate
from pred_aware.log.workload import read_workload
from pred_aware.simulator.simulation import Delays
from predictors import PREDICTORS
from schedulers import COMBINATIONS

RUNS: dict[str, dict[str, Any]] = {
    "easy_bf": {}, "conservative_bf": {}, "filler": {}, "pred_aware": {},
    "easy": {"predictor": "last_two"},
}  # fmt: skip


FIRST_JOBS = 1000
TRANSPORTS: tuple[Transport, ...] = ("process", "zmq")
CORRECTED = ("easy_plus_plus", "easy_plus_plus_simple", "power_only", "soft_conservative")


@pytest.fixture(scope="module")
def kth(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first jobs of KTH-SP2."""
    folder = shared / "golden" / "kth"
    workload = json.loads(gzip.decompress((folder / "workload.json.gz").read_bytes()))
    workload["jobs"] = workload["jobs"][:FIRST_JOBS]
    copy = tmp_path_factory.mktemp("kth")
    (copy / "workload.json").write_text(json.dumps(workload))
    (copy / "platform.xml").write_bytes((folder / "platform.xml").read_bytes())
    return copy


def output(prefix: Path) -> list[Any]:
    """Everything in the output files but what is measured."""
    names, values = (line.split(",") for line in read_lines(Path(f"{prefix}_schedule.csv")))
    figures = dict(zip(names, values, strict=True))
    return [
        Path(f"{prefix}_jobs.csv").read_bytes(),
        Path(f"{prefix}_machine_states.csv").read_bytes(),
        # easy_bf writes none
        [path.read_bytes() for path in prefix.parent.glob(f"{prefix.name}_estimates.csv")],
        {name: value for name, value in figures.items() if name not in MEASURED},
    ]


@pytest.mark.parametrize("delays", ["none", pytest.param("batsim", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "scheduler",
    ["easy"]
    + [
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("easy_bf", "conservative_bf", "filler", "pred_aware")
    ],
)
def test_one_process_zeromq_a_repetition_and_another_hash_seed_give_the_same_bytes(
    shared: Path, tmp_path: Path, scheduler: str, delays: Delays
) -> None:
    folder = shared / "golden" / "transcripts"
    platform, workload = folder / "platform.xml", folder / "kth400.json.gz"
    outputs = []
    for name in ("first", "again"):
        simulate(
            read_workload(workload), scheduler, platform=platform, options=RUNS[scheduler],
            write_to=tmp_path / name, delays=delays,
        )  # fmt: skip
        outputs.append(output(tmp_path / name))
    options = [part for key, value in RUNS[scheduler].items() for part in (f"--{key}", value)]
    # both this process and the child of its child get another seed than the test's
    subprocess.run(  # noqa: S603 - our own command
        [
            sys.executable,
            "-m",
            "pred_aware",
            "run",
            "-q",
            "-p",
            platform,
            "-w",
            workload,
            "-e",
            tmp_path / "zmq",
            "-s",
            scheduler,
            *options,
            "--delays",
            delays,
            "--transport",
            "zmq",
        ],
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "4321"},
    )
    outputs.append(output(tmp_path / "zmq"))
    assert outputs[1:] == outputs[:1] * 2


@pytest.mark.slow
@pytest.mark.parametrize("predictor", PREDICTORS.names())
def test_every_predictor_gives_the_same_bytes_in_one_process_and_over_zeromq(
    shared: Path, tmp_path: Path, predictor: str
) -> None:
    folder = shared / "golden" / "transcripts"
    for transport in TRANSPORTS:
        simulate(
            read_workload(folder / "kth400.json.gz"), "easy_plus_plus",
            platform=folder / "platform.xml", options={"predictor": predictor},
            write_to=tmp_path / transport, transport=transport,
        )  # fmt: skip
    assert output(tmp_path / "process") == output(tmp_path / "zmq")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheduler", "delays"),
    [(name, "none") for name in COMBINATIONS] + [(name, "batsim") for name in CORRECTED],
)
def test_every_named_scheduler_gives_the_same_bytes_in_one_process_and_over_zeromq(
    kth: Path, tmp_path: Path, scheduler: str, delays: Delays
) -> None:
    outputs, figures = [], []
    for transport in TRANSPORTS:
        summary = simulate(
            read_workload(kth / "workload.json"), scheduler, platform=kth / "platform.xml",
            write_to=tmp_path / transport, delays=delays, transport=transport,
        ).summary  # fmt: skip
        outputs.append(output(tmp_path / transport))
        figures.append({name: summary[name] for name in summary if name not in MEASURED})
    assert outputs[0] == outputs[1]
    assert figures[0] == figures[1]
    assert figures[0]["nb_jobs"] == FIRST_JOBS
    if scheduler in CORRECTED:
        assert int(figures[0]["corrections"]) > 100
