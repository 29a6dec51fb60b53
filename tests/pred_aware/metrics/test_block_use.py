"""What a run on blocks wasted and lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from pred_aware import BlockList, Platform, Workload, read_run, simulate
from pred_aware.errors import PredAwareError
from pred_aware.metrics.block_use import block_use
from schedulers.machine.block import Block
from schedulers.machine.block_file import text_of
from tests.pred_aware.simulator.world import job, workload_of

HALVES = BlockList(
    "small", 8, (Block("left", ((0, 3),)), Block("right", ((4, 7),)), Block("all", ((0, 7),)))
)


def workload(*jobs: tuple[int, int, int]) -> Workload:
    """Make jobs that are submitted at a date, ask for so many processors, and run for so long."""
    told = enumerate(jobs)
    return workload_of([job(n, date, size, last, last) for n, (date, size, last) in told], 8)


def test_free_processors_count_as_lost_only_while_a_job_that_fits_waits() -> None:
    # the first leaves one processor of its half; all wait for it from 10 to 30 s, and none of the
    # free half is lost to that one, but to the third, which would outlast the drain, it is
    jobs = workload((0, 3, 30), (10, 8, 10), (15, 2, 60))
    use = block_use(simulate(jobs, "easy", machine=HALVES))
    assert use.capacity == 8 * 100
    assert use.used == 3 * 30 + 8 * 10 + 2 * 60
    assert use.wasted == 1 * 30 + 2 * 60
    assert use.lost == 4 * (30 - 15)
    assert use.drained == 4 * (30 - 10) + 4 * (40 - 40)


def test_with_any_sizes_the_record_names_the_block_of_a_job() -> None:
    both = workload((0, 3, 30), (0, 2, 30), (0, 2, 30))
    pair = (Block("left", ((0, 3),)), Block("middle", ((4, 5),)), Block("right", ((6, 7),)))
    machine = {"name": "blocks", "file": BlockList("small", 8, pair), "sizes": "any"}
    swapped = simulate(workload((0, 2, 30), (0, 2, 30), (0, 2, 30)), "easy", machine=machine)
    assert block_use(swapped, BlockList("small", 8, pair)).wasted == 2 * 30
    assert block_use(simulate(both, "easy", machine=machine)).wasted == 1 * 30


def test_without_the_record_drains_are_unknown_and_blocks_are_the_smallest(tmp_path: Path) -> None:
    run = simulate(workload((0, 3, 30), (10, 8, 10)), "easy", machine=HALVES)
    run.write(tmp_path / "out")
    (tmp_path / "out_blocks.csv").unlink()
    assert block_use(read_run(tmp_path / "out")) == replace(block_use(run), drained=None)


def test_blocks_come_from_the_file_that_the_run_names(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(text_of(HALVES))
    run = simulate(workload((0, 3, 30)), "easy", machine=str(file))
    assert block_use(run) == block_use(run, HALVES)


def test_a_run_on_other_blocks_is_refused() -> None:
    jobs = workload((0, 3, 30))
    with pytest.raises(PredAwareError, match="not on a machine of blocks"):
        block_use(simulate(jobs, "easy"))
    with pytest.raises(PredAwareError, match="did not use the blocks of 'small'"):
        block_use(simulate(jobs, "easy", platform=Platform.of(16)), HALVES)
