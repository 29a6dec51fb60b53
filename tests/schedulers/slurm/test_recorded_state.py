"""Four recordings of a real Slurm 22.05: from the recorded state the same jobs start."""

from pathlib import Path

import pytest

from tests.schedulers.slurm.recorded_state import figures

HELD = 0.05
"""How much of the waiting at most is told to be over earlier than it was."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["partitions", "limits", "memory", "fairshare"])
def test_nearly_all_recorded_starts_come_within_two_seconds(shared: Path, name: str) -> None:
    found = figures(shared / "slurm" / name)
    assert found.near >= 0.93 * found.starts, found.summary()
    assert found.held <= HELD * found.waited, found.summary()
