"""Campaigns by Dask workers: failures of workers and schedulers do not change the store."""

import asyncio
import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from distributed.client import AllExit

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.cluster.dask_team import connected
from tests.pred_aware.campaign.cluster.dask_processes import DaskProcesses
from tests.pred_aware.campaign.cluster.slow import (
    PATIENCE,
    SLOW,
    runs_in,
    started,
    wait_for_runs,
    wait_until,
)
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined

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


def test_a_killed_command_resumes_without_the_killed_worker_to_the_same_store(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, _ = dask.worker(), dask.worker()
    path = campaign(SLOW, top="store = 'there'", shakes=4)
    killed = by_dask(path, dask)
    wait_for_runs(tmp_path / "there", 2)
    killed.kill()
    killed.communicate()
    with connected(dask.address) as client:
        wait_until(lambda: not client.call_stack(), "no worker makes a run")
    made = runs_in(tmp_path / "there")
    assert 2 <= made < 10
    again = by_dask(path, dask)
    wait_for_runs(tmp_path / "there", made + 1)
    lost.kill()
    assert again.communicate(timeout=PATIENCE) == (None, "")
    assert again.returncode == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    read_campaign(campaign(SLOW, top="store = 'here'", shakes=4)).run(workers=2)
    left = determined(tmp_path / "there")
    assert left == determined(tmp_path / "here")
    assert len([name for name in left if name.endswith("run.json")]) == 10


def test_ctrl_c_ends_the_workers_runs(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path
) -> None:
    worker = dask.worker()
    running = by_dask(campaign(SLOW), dask)
    wait_for_runs(tmp_path / "small.runs", 2)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=PATIENCE)[1].startswith("pred-aware: stopped;")
    assert running.returncode == 130
    wait_until(lambda: not simulating(worker), "no process makes a run")


def simulating(worker: Popen[str]) -> list[str]:
    """Return the processes that make runs beside a Dask worker: children of the one that forks."""
    return [one for child in children(worker.pid) for one in children(child)]


def children(process: int | str) -> list[str]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [child for file in tasks for child in file.read_text().split()]


def test_limits_hold_and_a_run_that_loses_its_workers_fails_alone(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    dask.worker(nanny=True)
    policies = "".join(
        f"[policies.{name}]\nscheduler = 'easy'\npredictor = 'slow_here:{name}'\n"
        for name in ("Endless", "Deadly")
    )
    path = campaign(f"[limits]\ntime = '3 s'\n[policies.easy]\n{policies}", shakes=0)
    said = by_dask(path, dask).communicate(timeout=PATIENCE)[1]
    assert "2 failed; the first one is: made, " in said
    made = read_campaign(path)
    assert len(made.runs()) == 1
    assert made.failures == {
        "made, Endless, unperturbed": "took longer than its limit, 3.0 s",
        "made, Deadly, unperturbed": "its Dask workers were lost 4 times",
    }


def test_dasks_messages_about_a_lost_worker_are_not_shown(
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


def test_a_lost_dask_scheduler_gives_a_one_line_error(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path
) -> None:
    dask.worker()
    running = by_dask(campaign(SLOW), dask)
    wait_for_runs(tmp_path / "small.runs", 1)
    dask.scheduler.kill()
    said = running.communicate(timeout=PATIENCE)[1]
    assert running.returncode == 2, said
    assert said.startswith("pred-aware: error: the Dask scheduler is gone; finished runs are in ")
    assert said.count("\n") == 1


def test_a_worker_of_another_version_is_reported_and_makes_no_run(
    campaign: WriteCampaign, dask: DaskProcesses, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text(
        "import pred_aware.version\npred_aware.version.__version__ = '0.0.9'\n"
    )
    dask.worker(environment={"PYTHONPATH": f"{other}:{Path.cwd()}"})
    running = by_dask(campaign(), dask)
    said = running.communicate(timeout=PATIENCE)[1]
    assert running.returncode == 2
    assert " has pred-aware 0.0.9 under Python " in said
    assert said.count("\n") == 1
    assert not list((tmp_path / "small.runs").glob("runs/*/*"))
