"""A small campaign, to be run or made already."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pred_aware.campaign.campaign import read_campaign
from tests.pred_aware.api.synthetic_log import write_log

WriteCampaign = Callable[..., Path]
MakeCampaign = Callable[..., Path]

POLICIES = """
[policies.easy]
[policies.easy_sjbf]
"""
SHAKES = 6
RUNS = 2 * (1 + SHAKES)
"""Of the campaign that is made."""


def write_campaign(
    folder: Path, more: str = POLICIES, *, top: str = "", shakes: int = 3, jobs: int = 60
) -> Path:
    """Write a campaign's file on a log of so many jobs, which stands beside it."""
    write_log(folder / "log.swf", jobs=jobs)
    path = folder / "small.toml"
    at_least = f"[shakes]\nat_least = {shakes}\nat_most = {shakes}\n"
    path.write_text(f"{top}\n[logs.made]\nfile = 'log.swf'\n{at_least}{more}")
    return path


@pytest.fixture
def campaign(tmp_path: Path) -> WriteCampaign:
    """Write a campaign's file; see `write_campaign`."""
    return lambda more=POLICIES, **options: write_campaign(tmp_path, more, **options)


@pytest.fixture(scope="session")
def store_of_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a campaign of `SHAKES` shakes that was run; not to be changed."""
    path = write_campaign(tmp_path_factory.mktemp("made"), shakes=SHAKES)
    made = read_campaign(path)
    assert made.run(workers=1).made == RUNS
    return made.store


@pytest.fixture
def made(store_of_runs: Path, campaign: WriteCampaign) -> MakeCampaign:
    """Write the file of a campaign whose runs are there; it may ask for others."""

    def make(more: str = POLICIES, *, top: str = "", jobs: int = 60) -> Path:
        path = campaign(more, top=top, shakes=SHAKES, jobs=jobs)
        if not path.with_name("small.runs").exists():
            shutil.copytree(store_of_runs, path.with_name("small.runs"))
        return path

    return make
