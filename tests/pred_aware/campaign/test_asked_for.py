"""What runs keep where a campaign asks for it: how jobs were started, classes of its own."""

import math

import pandas as pd
import pytest

from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.campaign.measured import OF_STARTS
from pred_aware.campaign.store import RUN
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.inputs.job_log import read_log
from tests.pred_aware.campaign.conftest import RUNS, MakeCampaign
from tests.pred_aware.campaign.stores import determined

STARTS = "measures = ['mean_waiting_time', 'started_as_head']"
CLASSES = "[classes]\nsize = [2, 4]\nlength = 200\n[policies.easy]\n[policies.easy_sjbf]\n"


def test_how_jobs_were_started_is_kept_where_it_is_asked_for_and_records_stay(
    made: MakeCampaign,
) -> None:
    before = determined(read_campaign(made()).store)
    asking = read_campaign(made(top=STARTS))
    assert (asking.run(workers=1).made, asking.run(workers=1).made) == (RUNS, 0)
    after = determined(asking.store)
    assert {name: after[name] for name in before} == before
    new = set(after) - set(before)
    assert {name.rpartition("/")[2] for name in new} == {"starts.json"}
    assert read_campaign(made()).run(workers=1).made == 0
    again = read_campaign(made(top=STARTS)).runs()
    assert again[list(OF_STARTS)].sum(axis=1).to_numpy() == pytest.approx(1.0)
    assert asking.compared()["measure"].tolist() == ["mean_waiting_time", "started_as_head"]


def test_how_jobs_were_started_is_what_their_column_says(made: MakeCampaign) -> None:
    path = made(top=STARTS)
    campaign = read_campaign(path)
    campaign.run(workers=1)
    log = read_log(path.with_name("log.swf"))
    found = campaign.runs()
    mine = found[(found["policy"] == "easy") & (found["shake"] == 2)].iloc[0]
    run = simulate(log.workload.shaken(2), "easy", platform=log.platform)
    counted = run.jobs["started_as"].value_counts(normalize=True)
    told = {name: mine[f"started_as_{name}"] for name in ("head", "queue", "backfilled")}
    assert told == pytest.approx(counted.reindex(told, fill_value=0.0).to_dict())
    *shares, without_trust = run.measures(OF_STARTS).tolist()
    assert shares == list(told.values())
    assert math.isnan(without_trust)


def test_classes_of_a_campaigns_own_are_those_of_a_simulation_of_the_same(
    made: MakeCampaign,
) -> None:
    path = made(CLASSES)
    campaign = read_campaign(path)
    assert (campaign.run(workers=1).made, campaign.run(workers=1).made) == (RUNS, 0)
    found = campaign.groups("size")
    mine = found[(found["policy"] == "easy") & (found["shake"] == 1)].set_index("group")
    log = read_log(path.with_name("log.swf"))
    run = simulate(log.workload.shaken(1), "easy", platform=log.platform)
    expected = run.measures_by("size", ["mean_waiting_time"], edges=[2, 4])
    assert mine.index.tolist() == ["1-2", "3-4", "over 4"]
    pd.testing.assert_series_equal(
        mine["mean_waiting_time"], expected["mean_waiting_time"], check_names=False
    )
    assert set(campaign.groups("length")["group"]) == {"up to 3 min 20 s", "over 3 min 20 s"}
    assert set(campaign.gains("length")["group"]) == set(campaign.groups("length")["group"])
    records = [name for name in determined(campaign.store) if name.endswith(RUN)]
    assert len(records) == RUNS


@pytest.mark.parametrize("edges", [[], [4, 4], [0], ["4"], [True], 0.5])
def test_classes_that_can_t_be_are_told(edges: object) -> None:
    content = {
        "logs": {"a": {"file": "a.swf"}},
        "policies": {"easy": {}},
        "classes": {"size": edges},
    }
    with pytest.raises(PredAwareError, match=r"\[classes\] size is a list of numbers from 1 on"):
        Campaign.of(content)
