"""Campaigns by Dask workers that are jobs of a real Slurm."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pred_aware.campaign.campaign import read_campaign
from tests.pred_aware.campaign.cluster.slow import SLOW, started, wait_for_runs
from tests.pred_aware.campaign.cluster.slurm_here import SlurmHere, why_not
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

SHAKES = 5


@pytest.fixture(scope="module")
def slurm() -> Iterator[SlurmHere]:
    """Start it once."""
    with SlurmHere() as here:
        # Dask replaces a lost worker after this time
        here.environment["DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT"] = "2s"
        yield here


@pytest.fixture
def same(
    campaign: WriteCampaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Give a campaign to be run elsewhere; its store must be the one that processes leave."""
    there = campaign(SLOW, top="store = 'there'", shakes=SHAKES).rename(tmp_path / "there.toml")
    yield there
    monkeypatch.syspath_prepend(str(tmp_path))
    read_campaign(campaign(SLOW, top="store = 'here'", shakes=SHAKES)).run(workers=2)
    # what workers have said of one that was stopped
    shutil.rmtree(tmp_path / "there" / "jobs")
    left = determined(tmp_path / "there")
    assert left == determined(tmp_path / "here")
    assert len([name for name in left if name.endswith("run.json")]) == 2 * (1 + SHAKES)


def jobs(slurm: SlurmHere, state: str) -> list[str]:
    """Return the jobs that are in a state."""
    return slurm.run("squeue", "-h", "-r", "-t", state, "-o", "%A").split()


def test_jobs_of_dask_workers_end_with_ctrl_c_and_lost_ones_are_replaced(
    slurm: SlurmHere, same: Path
) -> None:
    options = ("-j", "2", "--walltime", "10 min", "--memory", "2 GB")
    stopped = started(same, "dask-slurm", *options, environment=slurm.environment)
    wait_for_runs(same.parent / "there", 1)
    stopped.send_signal(signal.SIGINT)
    assert stopped.communicate(timeout=60)[1].startswith("pred-aware: stopped; repeat the command")
    assert stopped.returncode == 130
    assert jobs(slurm, "PENDING,RUNNING") == []
    running = started(same, "dask-slurm", *options, environment=slurm.environment)
    wait_for_runs(same.parent / "there", 4)
    slurm.run("scancel", *jobs(slurm, "RUNNING"))
    assert running.communicate(timeout=100) == (None, "")
    assert running.returncode == 0
    assert jobs(slurm, "PENDING,RUNNING") == []


def test_jobs_that_slurm_refuses_give_a_one_line_error_and_no_files(
    slurm: SlurmHere, campaign: WriteCampaign, tmp_path: Path
) -> None:
    refused = started(
        campaign(), "dask-slurm", "--partition", "nowhere", environment=slurm.environment
    )
    said = refused.communicate(timeout=60)[1]
    assert (refused.returncode, said.count("\n")) == (2, 1)
    assert "invalid partition specified: nowhere" in said
    assert not list((tmp_path / "small.runs").glob("jobs/*"))
