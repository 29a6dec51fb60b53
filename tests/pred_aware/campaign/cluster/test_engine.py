"""Where runs are made: a Dask scheduler of this process, and what is refused."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import LocalCluster

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.cluster import dask_team, dask_worker
from pred_aware.campaign.cluster.dask_worker import make_run, write_order
from pred_aware.campaign.messages import Task
from pred_aware.errors import PredAwareError
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined
from tests.pred_aware.command import Command


@pytest.fixture
def scheduler() -> Iterator[str]:
    """Return the address of a scheduler with a worker, both threads of this process."""
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_dask_gives_the_same_store_as_processes_and_no_other_file(
    campaign: WriteCampaign, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # files of other machines are not looked for in their working folder
    path = campaign(top="store = 'there'", shakes=0).relative_to(tmp_path)
    done = read_campaign(path).run(on=f"dask:{scheduler}")
    assert (done.made, done.there, done.failed) == (2, 0, [])
    read_campaign(campaign(top="store = 'here'", shakes=0)).run(workers=1)
    assert determined(tmp_path / "there") == determined(tmp_path / "here")
    assert not list((tmp_path / "there").glob(".*"))


REFUSED = {
    "--on slurm-array": "no longer exists: use --on dask-slurm",
    "--on pbs-array": "no longer exists: use --on dask-pbs",
    "--on dask-slum": "runs cannot be made on 'dask-slum': did you mean 'dask-slurm'",
    "--walltime 2h": "it must be a number and a unit",
    "--cores 2": "give --on dask-slurm or --on dask-pbs with them",
    "--on dask-pbs --account a\nb": "an option of jobs must be one line",
    "--on dask:tcp://127.0.0.1:9 -j 2": "omit --workers",
    "--on dask:tcp://127.0.0.1:9": "no Dask scheduler answers at tcp://127.0.0.1:9: ",
}


def test_an_invalid_place_for_runs_gives_a_one_line_error(
    campaign: WriteCampaign, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_team, "ANSWER", 0.2)
    for options, said in REFUSED.items():
        command("campaign", "run", "-q", *options.split(" "), campaign()).assert_refused(said)


def test_a_worker_with_another_version_store_or_log_makes_no_run(
    campaign: WriteCampaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inventory = read_campaign(campaign()).inventory
    place = inventory.agenda().open[0, None][0]
    task = Task(place, str(inventory.digest(place)))
    order = tmp_path / "order"
    write_order(order, inventory.specification, memory=None)
    wrong = pickle.dumps(replace(task, digest="another"))
    with pytest.raises(PredAwareError, match="libraries differ from those of the campaign"):
        make_run(str(order), wrong)
    with pytest.raises(PredAwareError, match="the store must be in a folder that has the same"):
        make_run(str(tmp_path / "nowhere"), wrong)
    monkeypatch.setattr(dask_worker, "__version__", "0.0.9")
    with pytest.raises(
        PredAwareError, match=r"has pred-aware 0\.0\.9 under Python .* use one environment"
    ):
        make_run(str(order.rename(tmp_path / "unread")), wrong)
