"""What a run on blocks wasted and lost."""

from pathlib import Path

import pytest

from pred_aware import BlockList, Platform, Workload, simulate
from pred_aware.errors import PredAwareError
from pred_aware.measures.block_use import block_use
from schedulers.machine.block import Block
from schedulers.machine.block_file import text_of

HALVES = BlockList(
    "small", 8, (Block("left", ((0, 3),)), Block("right", ((4, 7),)), Block("all", ((0, 7),)))
)


def workload(*jobs: tuple[int, int, int]) -> Workload:
    """Make jobs that are submitted at a date, ask for so many processors, and run for so long."""
    entries = [
        {"id": n, "subtime": date, "res": size, "walltime": lasting, "profile": f"p{lasting}"}
        for n, (date, size, lasting) in enumerate(jobs)
    ]
    profiles = {f"p{t}": {"type": "delay", "delay": t} for _, _, t in jobs}
    return Workload.of({"nb_res": 8, "jobs": entries, "profiles": profiles})


def test_what_is_free_counts_as_lost_only_while_a_job_waits_that_needs_no_more() -> None:
    # the first leaves one processor of its half; all wait for it from 10 to 30 s, and none of the
    # free half is lost to that one, but to the third, which would outlast the drain, it is
    jobs = workload((0, 3, 30), (10, 8, 10), (15, 2, 60))
    use = block_use(simulate(jobs, "easy", machine=HALVES))
    assert use.capacity == 8 * 100
    assert use.used == 3 * 30 + 8 * 10 + 2 * 60
    assert use.wasted == 1 * 30 + 2 * 60
    assert use.lost == 4 * (30 - 15)


def test_the_blocks_are_those_of_the_file_that_the_run_names(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(text_of(HALVES))
    run = simulate(workload((0, 3, 30)), "easy", machine=str(file))
    assert block_use(run) == block_use(run, HALVES)


def test_a_run_that_was_not_on_such_blocks_is_refused() -> None:
    jobs = workload((0, 3, 30))
    with pytest.raises(PredAwareError, match="on no machine of blocks"):
        block_use(simulate(jobs, "easy"))
    any_size = {"name": "blocks", "file": HALVES, "sizes": "any"}
    with pytest.raises(PredAwareError, match="had blocks of any size"):
        block_use(simulate(jobs, "easy", options={"machine": any_size}))
    with pytest.raises(PredAwareError, match="not on the blocks of 'small'"):
        block_use(simulate(jobs, "easy", platform=Platform.of(16)), HALVES)
