"""Four recordings of a real Slurm 22.05: from the recorded state the same jobs start or wait."""

from pathlib import Path

import pytest

from tests.schedulers.slurm.reasons import compared
from tests.schedulers.slurm.recorded_state import figures

NEAR = {"partitions": 0.99, "limits": 0.96, "memory": 0.95, "fairshare": 0.93}
"""The share of the starts that come within two seconds, at least."""
NEXT = ("partitions", "limits")
"""Those that are gone through whenever the slow tests run."""
HELD = 0.05
"""How much of the waiting at most is told to be over earlier than it was."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=getattr(pytest.mark, "slow" if name in NEXT else "large"))
        for name in NEAR
    ],
)
def test_nearly_all_recorded_starts_are_reproduced_within_two_seconds(
    shared: Path, name: str
) -> None:
    found = figures(shared / "slurm" / name)
    assert found.near >= NEAR[name] * found.starts, found.summary()
    assert found.held <= HELD * found.waited, found.summary()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "share"), [("partitions", 0.99), ("limits", 0.96)])
def test_jobs_wait_for_the_recorded_reasons(shared: Path, name: str, share: float) -> None:
    found = compared(shared / "slurm" / name)
    same = sum(count for (recorded, told), count in found.items() if recorded == told)
    assert same >= share * found.total(), found.most_common(20)
