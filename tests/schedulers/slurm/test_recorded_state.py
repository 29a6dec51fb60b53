"""Four recordings of a real Slurm 22.05: from the recorded state the same jobs start."""

from pathlib import Path

import pytest

from tests.schedulers.slurm.recorded_state import figures

HELD = {"partitions": 0.08, "limits": 0.05, "memory": 0.05, "fairshare": 0.07}
"""How much of the waiting at most is told to be over earlier than it was."""


@pytest.mark.slow
@pytest.mark.parametrize("name", HELD)
def test_nine_of_ten_recorded_starts_come_within_two_seconds(shared: Path, name: str) -> None:
    found = figures(shared / "slurm" / name)
    assert found.near >= 0.9 * found.starts, found.summary()
    assert found.held <= HELD[name] * found.waited, found.summary()
