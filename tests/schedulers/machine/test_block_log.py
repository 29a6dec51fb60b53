"""The record of a machine of blocks: blocks of jobs, and drained blocks."""

import csv
import io
from itertools import pairwise
from typing import Any

from schedulers.contract.playing import Played
from tests.schedulers.machine.blocks_model import Watched
from tests.schedulers.machine.test_blocks import RACKS, cases, figure_1, played_on


def record(policy: Any) -> list[dict[str, str]]:  # noqa: ANN401 - a policy or what watches one
    return list(csv.DictReader(io.StringIO("".join(policy.block_log.text()))))


def test_figure_1_of_paper_004_e_drains_r1r2_up_to_its_start() -> None:
    _, _, policy = played_on(RACKS, figure_1())
    of_e = [tuple(row.values()) for row in record(policy) if row["job_id"] == "e"]
    assert of_e == [
        ("e", "drained", "R1R2", "10.000000", "100.000000"),
        ("e", "ran", "R1R2", "100.000000", "150.000000"),
    ]


def test_the_record_has_the_block_and_dates_of_each_job() -> None:
    for machine, specs in cases(60):
        played, had, policy = played_on(machine, specs, backfilling="conservative")
        told = {row["job_id"]: row for row in record(policy)}
        assert {job: row["block"] for job, row in told.items()} == {
            job.removeprefix("w0!"): block.name for job, block in had.items()
        }
        for job in played.starts:
            row = told[job.removeprefix("w0!")]
            dates = float(row["start"]), float(row["end"])
            assert dates == (played.starts[job], played.ends[job])


def one_after_another(drains: list[dict[str, str]], played: Played) -> None:
    for before, after in pairwise(drains):
        assert float(before["end"]) <= float(after["start"])
    for row in drains:
        assert float(row["start"]) < float(row["end"]) <= played.starts[f"w0!{row['job_id']}"]


def test_one_block_at_a_time_is_drained_for_a_job_that_waits_and_fits_there() -> None:
    drained = 0
    for machine, specs in cases(150):
        played, _, policy = played_on(machine, specs, order="wfp")
        drains = [row for row in record(policy) if row["use"] == "drained"]
        one_after_another(drains, played)
        sizes = {block.name: block.size for block in machine.blocks}
        asked = {spec.id.removeprefix("w0!"): spec.size for spec in specs}
        assert all(sizes[row["block"]] >= asked[row["job_id"]] for row in drains)
        drained += len(drains)
    assert drained > 100


def test_names_with_commas_and_quotes_are_read_again() -> None:
    odd = 'left, or "west"'
    block = RACKS.blocks[0]
    machine = Watched({
        "kind": "blocks", "processors": 1, "blocks": [{"name": odd, "processors": "0"}],
    })  # fmt: skip
    assert block.size == machine.machine.blocks[0].size
    machine.begin(1)
    _, _, policy = played_on(machine.machine, figure_1()[:1])
    assert record(policy)[0]["block"] == odd
