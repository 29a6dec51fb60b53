"""A disk that is really full: one clear error, nothing lost, and it goes on when there is room."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pred_aware.campaign.campaign import read_campaign
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined
from tests.pred_aware.command import Command

SHAKES = 20
Resize = Callable[[str], None]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Resize]:
    """Mount a small disk of memory on the folder `disk`, and give what changes its size."""
    (tmp_path / "disk").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", str(tmp_path / "disk")]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603
        pytest.skip("needs to mount a disk of its own")

    def resize(size: str) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", mount[-1]], check=True)  # noqa: S603, S607

    yield resize
    subprocess.run(["umount", mount[-1]], check=True)  # noqa: S603, S607


@pytest.mark.large
def test_a_full_disk_loses_no_run_and_leaves_no_partial_file(
    campaign: WriteCampaign, command: Command, disk: Resize, tmp_path: Path
) -> None:
    path = campaign(top="store = 'disk/store'", shakes=SHAKES)
    for _ in range(2):
        command("campaign", "run", "-q", "-j", 2, path).assert_refused(
            "cannot be written: No space left on device; finished runs are kept"
        )
    there = len(read_campaign(path).runs())
    assert 0 < there < 2 * (1 + SHAKES)
    assert command("campaign", "gc", "--dry-run", path).out.endswith(" 0 leftovers\n")
    disk("20M")
    assert read_campaign(path).run(workers=2).made == 2 * (1 + SHAKES) - there
    read_campaign(campaign(top="store = 'whole'", shakes=SHAKES)).run(workers=2)
    assert determined(tmp_path / "disk" / "store") == determined(tmp_path / "whole")
