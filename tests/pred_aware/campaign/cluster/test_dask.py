"""Campaigns by Dask workers: the same store, whatever becomes of workers and schedulers."""

import asyncio
import gc
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from distributed.client import AllExit

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.cluster import crew
from pred_aware.campaign.cluster.crew import connected
from tests.pred_aware.campaign.cluster.dask_processes import DaskProcesses
from tests.pred_aware.campaign.cluster.slow import SLOW, started, wait_for_runs
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined
from tests.pred_aware.command import Command

pytestmark = pytest.mark.cluster


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    """Start a scheduler."""
    folder = tmp_path / "dask"
    folder.mkdir()
    with DaskProcesses(folder) as processes:
        yield processes


def by_dask(path: Path, dask: DaskProcesses) -> Popen[str]:
    """Run a campaign by the workers of a scheduler."""
    return started(path, f"dask:{dask.address}")


def workers_of(process: Popen[str]) -> list[str]:
    """Return the processes that a Dask worker has started."""
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


def test_a_worker_that_is_killed_is_replaced_and_the_store_is_that_of_processes(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, _ = dask.worker(), dask.worker()
    running = by_dask(campaign(SLOW, top="store = 'there'", shakes=4), dask)
    wait_for_runs(tmp_path / "there", 3)
    lost.kill()
    dask.worker()
    assert running.communicate(timeout=60) == (None, "")
    monkeypatch.syspath_prepend(str(tmp_path))
    read_campaign(campaign(SLOW, top="store = 'here'", shakes=4)).run(workers=2)
    assert determined(tmp_path / "there") == determined(tmp_path / "here")
    assert not list((tmp_path / "there").glob(".*"))


def test_what_dask_has_left_waiting_for_a_lost_worker_is_not_said(
    dask: DaskProcesses, caplog: pytest.LogCaptureFixture
) -> None:
    async def lost() -> None:
        raise AllExit

    async def left() -> None:
        waiting = asyncio.ensure_future(lost())
        await asyncio.wait([waiting])

    with connected(dask.address) as client:
        client.sync(left)
        gc.collect()
        assert caplog.records == []


def test_ctrl_c_ends_what_the_workers_make_and_it_goes_on_from_there(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = dask.worker()
    path = campaign(SLOW)
    running = by_dask(path, dask)
    wait_for_runs(tmp_path / "small.runs", 2)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60)[1] == "pred-aware: stopped\n"
    assert running.returncode == 130
    until = time.monotonic() + 60
    while workers_of(worker) and time.monotonic() < until:
        time.sleep(0.1)
    assert workers_of(worker) == []
    again = by_dask(path, dask)
    assert again.communicate(timeout=60)[1] == ""
    monkeypatch.syspath_prepend(str(tmp_path))
    assert len(read_campaign(path).runs()) == 8


def test_a_scheduler_that_goes_away_is_told_in_one_line(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path
) -> None:
    dask.worker()
    running = by_dask(campaign(SLOW), dask)
    wait_for_runs(tmp_path / "small.runs", 1)
    dask.scheduler.kill()
    said = running.communicate(timeout=60)[1]
    assert running.returncode == 2, said
    assert said.startswith(f"pred-aware: error: the Dask scheduler at {dask.address} is gone; what")
    assert said.count("\n") == 1


def test_a_worker_of_another_version_is_told_and_nothing_is_mixed(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text(
        "import pred_aware.version\npred_aware.version.__version__ = '0.0.9'\n"
    )
    dask.worker(environment={"PYTHONPATH": f"{other}:{Path.cwd()}"})
    running = by_dask(campaign(), dask)
    said = running.communicate(timeout=60)[1]
    assert running.returncode == 2
    assert " has pred-aware 0.0.9 under Python " in said
    assert said.count("\n") == 1
    assert not list((tmp_path / "small.runs").glob("runs/*/*"))


def test_where_no_scheduler_answers_one_line_says_so(
    campaign: WriteCampaign, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "ANSWER", 1.0)
    command("campaign", "run", "-q", "--on", "dask:tcp://127.0.0.1:9", campaign()).assert_refused(
        "no Dask scheduler answers at tcp://127.0.0.1:9: "
    )
