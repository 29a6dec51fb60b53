"""Runs on a machine of blocks: the same files in one process and under pybatsim."""

import json
from pathlib import Path

import pred_aware as pa
from schedulers.machine.block_file import text_of
from tests.pred_aware.simulator.world import job, workload_of
from tests.schedulers.machine.test_blocks import RACKS, figure_1

KINDS = ("jobs", "machine_states", "estimates", "blocks")


def workload() -> pa.Workload:
    """Figure 1 of paper 004."""
    specs = figure_1()
    return workload_of(
        [job(one.id, one.submit, one.size, one.duration, one.walltime) for one in specs], 8
    )


def test_one_process_and_pybatsim_give_the_same_bytes_on_blocks() -> None:
    here, there = (
        pa.simulate(workload(), "easy", machine=RACKS, delays="batsim", transport=transport)
        for transport in ("process", "zmq")
    )
    assert [here.content(kind) for kind in KINDS] == [there.content(kind) for kind in KINDS]
    assert here.blocks is not None
    assert here.blocks["block"][here.blocks["use"] == "drained"].tolist()[0] == "R1R2"


def test_with_batsims_delays_a_job_starts_on_its_block_milliseconds_later() -> None:
    run = pa.simulate(workload(), "easy", machine=RACKS, delays="batsim")
    assert run.blocks is not None
    ran = run.blocks[run.blocks["use"] == "ran"].set_index("job_id")
    later = run.jobs["starting_time"] - ran["start"]
    assert ((later > 0.0) & (later < 0.1)).all()


def test_a_machine_given_in_a_script_is_recorded_like_its_file(tmp_path: Path) -> None:
    file = tmp_path / "racks.json"
    file.write_text(text_of(RACKS))
    given = [RACKS, {"name": "blocks", "file": RACKS}]
    files = [file, str(file), {"name": "blocks", "file": file}]
    runs = [pa.simulate(workload(), "easy", machine=machine) for machine in (*given, *files)]
    assert len({run.content("blocks") for run in runs}) == 1
    made = [
        run.provenance["scheduler"]["options"]["machine"]["file"] for run in runs if run.provenance
    ]
    assert made == [json.loads(text_of(RACKS))] * 2 + [str(file)] * 3
