"""What runs keep where a campaign asks for it: how jobs were started, classes of its own."""

import shutil
from pathlib import Path

import pytest

from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.campaign.kept_metrics import OF_STARTS
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import read_log
from pred_aware.runs.run import Run
from tests.pred_aware.campaign.conftest import POLICIES, RUNS, SHAKES, write_campaign
from tests.pred_aware.campaign.stores import determined

STARTS = "measures = ['mean_waiting_time', 'started_as_head']"
CLASSES = "[classes]\nsize = [2, 4]\nlength = 200\n"


@pytest.fixture(scope="module")
def asking(store_of_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a campaign that asks for both, of runs that were made without."""
    folder = tmp_path_factory.mktemp("asking")
    path = write_campaign(folder, CLASSES + POLICIES, top=STARTS, shakes=SHAKES)
    shutil.copytree(store_of_runs, folder / "small.runs")
    assert read_campaign(path).run(workers=1).made == RUNS
    return path


@pytest.fixture(scope="module")
def run(asking: Path) -> Run:
    """The first shake under EASY."""
    log = read_log(asking.with_name("log.swf"))
    return simulate(log.workload.shaken(1), "easy", platform=log.platform)


def test_requested_files_are_kept_and_records_stay_the_same(
    asking: Path, store_of_runs: Path
) -> None:
    campaign = read_campaign(asking)
    assert campaign.run(workers=1).made == 0
    before, after = determined(store_of_runs), determined(campaign.store)
    assert {name: after[name] for name in before} == before
    new = {name.rpartition("/")[2] for name in set(after) - set(before)}
    classes = campaign.inventory.specification.classes
    assert classes is not None
    assert new == {"starts.json", classes.file}
    asking.with_name("usual").mkdir()
    usual = write_campaign(asking.with_name("usual"), shakes=SHAKES)
    shutil.copytree(campaign.store, usual.with_name("small.runs"))
    assert read_campaign(usual).run(workers=1).made == 0


def test_counts_of_starts_equal_those_of_the_jobs_column(asking: Path, run: Run) -> None:
    campaign = read_campaign(asking)
    found = campaign.runs()
    mine = found[(found["policy"] == "easy") & (found["shake"] == 1)].iloc[0]
    counted = run.jobs["started_as"].value_counts(normalize=True)
    told = {name: mine[f"started_as_{name}"] for name in ("head", "queue", "backfilled")}
    assert told == pytest.approx(counted.reindex(told, fill_value=0.0).to_dict())
    assert run.measures([f"started_as_{name}" for name in told]).tolist() == list(told.values())
    assert set(OF_STARTS) <= set(found.columns)
    assert campaign.compared()["measure"].tolist() == ["mean_waiting_time", "started_as_head"]


def test_a_campaigns_classes_equal_those_of_the_same_simulation(asking: Path, run: Run) -> None:
    campaign = read_campaign(asking)
    found = campaign.groups("size")
    mine = found[(found["policy"] == "easy") & (found["shake"] == 1)].set_index("group")
    names = ["mean_waiting_time", "started_as_head"]
    expected = run.measures_by("size", names, edges=[2, 4])
    assert mine.index.tolist() == ["1-2", "3-4", "over 4"]
    assert mine[names].to_dict() == expected[names].to_dict()
    assert set(campaign.groups("length")["group"]) == {"up to 3 min 20 s", "over 3 min 20 s"}
    assert set(campaign.gains("length")["group"]) == set(campaign.groups("length")["group"])
    assert campaign.gains("size")["group"].tolist() == ["1-2", "3-4", "over 4"]


def test_invalid_classes_are_reported() -> None:
    for edges in ([], [4, 4], [0], ["4"], [True], 0.5):
        content = {
            "logs": {"a": {"file": "a.swf"}},
            "policies": {"easy": {}},
            "classes": {"size": edges},
        }
        with pytest.raises(PredAwareError, match=r"classes\.size .*is .*; (it|each) must be"):
            Campaign.of(content)
