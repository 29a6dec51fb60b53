"""Making runs: the same by however many workers, however often it is killed."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import make_runs
from pred_aware.campaign.specification import RunKey
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import read_log
from tests.pred_aware.campaign.conftest import RUNS, SHAKES, MakeCampaign, WriteCampaign
from tests.pred_aware.campaign.stores import determined
from tests.pred_aware.command import Command


def test_one_and_two_workers_give_equal_stores_except_for_measured_times(
    campaign: WriteCampaign, tmp_path: Path
) -> None:
    stores = []
    for workers in (1, 2):
        path = campaign(top=f"store = 'by{workers}'\nmeasures = 'later_than_baseline'")
        done = read_campaign(path).run(workers=workers)
        assert (done.made, done.there, done.failed) == (8, 0, [])
        stores.append(determined(tmp_path / f"by{workers}"))
    assert stores[0] == stores[1]
    assert len([name for name in stores[0] if name.endswith("run.json")]) == 8


def test_a_killed_campaign_resumes_to_the_same_store(
    campaign: WriteCampaign, store_of_runs: Path, tmp_path: Path
) -> None:
    killed = campaign(top="store = 'killed'", shakes=SHAKES)
    command = [sys.executable, "-m", "pred_aware", "campaign", "run", "-q", "-j", "2", killed]
    process = subprocess.Popen(command)  # noqa: S603 - our own command
    while len(list(tmp_path.glob("killed/runs/*/*/run.json"))) < 2:
        assert process.poll() is None
    process.kill()
    process.wait()
    assert read_campaign(killed).run(workers=2).there >= 2
    assert determined(tmp_path / "killed") == determined(store_of_runs)


def test_finished_runs_are_not_repeated_and_campaigns_share_them(made: MakeCampaign) -> None:
    again = read_campaign(made()).run(workers=1)
    assert (again.made, again.there) == (0, RUNS)
    another = "[policies.easy]\n[policies.conservative]\n"
    other = read_campaign(made(another)).run(workers=1)
    assert (other.made, other.there) == (RUNS / 2, RUNS / 2)
    # a log replaced under the same name is simulated again
    assert read_campaign(made(jobs=60)).inventory.agenda().to_do == 0
    assert read_campaign(made(jobs=61)).inventory.agenda().to_do == RUNS


def test_an_old_store_gets_the_files_for_a_new_measure(made: MakeCampaign) -> None:
    before = read_campaign(made()).runs()
    newer = read_campaign(made(top="measures = 'later_than_baseline'"))
    assert newer.run(workers=1).made == RUNS
    after = newer.runs()
    pd.testing.assert_frame_equal(after[before.columns], before)
    assert after["later_than_baseline"].notna().sum() == RUNS / 2


def test_a_run_has_the_figures_of_the_same_simulation(made: MakeCampaign) -> None:
    path = made()
    campaign = read_campaign(path)
    workload = read_log(path.parent / "log.swf").workload
    run = simulate(
        workload.shaken(2), "easy_sjbf", platform=read_log(path.parent / "log.swf").platform
    )
    values = dict(campaign.inventory.agenda().values(0, 1, "mean_waiting_time"))
    assert values[2] == run.figures["mean_waiting_time"]


def test_the_commands_report_new_runs_and_differences(
    campaign: WriteCampaign, command: Command
) -> None:
    path = campaign()
    ended = command("campaign", "run", "-j", 1, "--json", path)
    assert (ended.code, json.loads(ended.out)["made"]) == (0, 8)
    status = json.loads(command("campaign", "status", "--json", path).out)
    assert (status["there"], status["to_do"], status["failed"]) == (8, 0, [])
    (compared,) = json.loads(command("campaign", "table", "--json", path).out)["compared"]
    assert (compared["log"], compared["policy"]) == ("made", "easy_sjbf")
    assert compared["shakes"] == 3
    assert "made: easy_sjbf" in command("campaign", "table", path).out


def test_in_order_each_perturbed_copy_is_complete_before_the_next_begins(
    campaign: WriteCampaign,
) -> None:
    found = read_campaign(campaign(shakes=4, jobs=20))
    make_runs(found.inventory, workers=1, in_order=True)
    inventory = found.inventory
    places = list(inventory.agenda().figures)
    by_date = sorted(places, key=lambda place: written_at(inventory, place))
    assert [place.shake or 0 for place in by_date] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def written_at(inventory: Inventory, place: RunKey) -> int:
    digest = inventory.digest(place)
    assert digest is not None
    return (inventory.store.place(digest) / "run.json").stat().st_mtime_ns
