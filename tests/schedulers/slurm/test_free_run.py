"""Four recordings of a real Slurm 22.05, simulated from what was submitted."""

from pathlib import Path

import pytest

from tests.schedulers.slurm.free_run import free_run

RANK = 0.03
"""How far the rank correlation of the waits is below that of two shakes, at most."""
NEAR = 0.1
"""How far the share of starts within ten seconds is below that of two shakes, at most."""
OFF = {"partitions": 0.05, "limits": 0.15, "memory": 0.05, "fairshare": 0.05}
"""How far the mean wait is off at most, if it is not within the shakes': for limits too long."""

SHAKES = {"limits": 12}
"""Where 8 tell too little of how far two of them are from each other."""


@pytest.mark.slow
@pytest.mark.parametrize("name", OFF)
def test_a_recorded_schedule_is_within_the_spread_of_perturbed_copies(
    shared: Path, name: str
) -> None:
    found = free_run(shared / "slurm" / name, shakes=SHAKES.get(name, 8))
    assert found.rank >= found.rank_of_two - RANK, found
    assert found.near >= found.near_of_two - NEAR, found
    mean = sum(found.waits) / len(found.waits)
    is_within = min(found.waits) <= found.wait <= max(found.waits)
    assert is_within or abs(mean - found.wait) <= OFF[name] * found.wait, found


@pytest.mark.slow
@pytest.mark.parametrize("name", OFF)
def test_the_output_of_sacct_gives_nearly_the_queue_of_the_submissions(
    shared: Path, tmp_path: Path, name: str
) -> None:
    asked = free_run(shared / "slurm" / name, shakes=8)
    shown = free_run(shared / "slurm" / name, shakes=8, sacct=tmp_path)
    assert shown.jobs >= asked.jobs
    assert shown.rank >= asked.rank - 2.0 * RANK, (asked, shown)
    assert shown.near >= asked.near - NEAR, (asked, shown)
