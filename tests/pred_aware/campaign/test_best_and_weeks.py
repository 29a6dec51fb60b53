"""Weeks in a campaign, policies not worse than the best, and choices from other logs."""

import json

import pytest

import pred_aware as pa
from pred_aware.comparison.weeks import weeks_of
from tests.pred_aware.campaign.test_resamples import write_log
from tests.pred_aware.command import Command

FILE = """
weeks = true
[logs.one]
file = "log.swf"
[logs.two]
file = "log.swf"
clean = ["warm-up=20%"]
[policies.easy]
[policies.again]
scheduler = "easy"
[policies.sjf]
scheduler = "easy"
order = "sjf"
[policies.saf]
scheduler = "easy"
order = "saf"
[shakes]
at_least = 5
at_most = 5
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> pa.Campaign:
    """A campaign that was run."""
    folder = tmp_path_factory.mktemp("campaign")
    write_log(folder / "log.swf")
    path = folder / "best.toml"
    path.write_text(FILE)
    made = pa.read_campaign(path)
    made.run(workers=1)
    return made


def test_weeks_are_those_of_the_runs_also_with_a_warm_up(
    campaign: pa.Campaign,
) -> None:
    rows = campaign.over_weeks().set_index(["log", "policy"])
    file = campaign.store.parent / "log.swf"
    for log, clean in (("one", []), ("two", ["warm-up=20%"])):
        read = pa.read_log(file, clean=clean)
        runs = [pa.simulate(read, "easy"), pa.simulate(read, "easy", order="sjf", name="sjf")]
        (expected,) = weeks_of(runs, ["mean_waiting_time"])
        row = rows.loc[log, "sjf"]
        assert (row["baseline"], row["change"]) == (expected.baseline.value, expected.change.value)
        assert row["weeks"] == 7
    # they are kept beside the runs, and are the same when they are read there
    assert campaign.over_weeks().equals(campaign.over_weeks())
    assert len(list(campaign.store.glob("runs/*/*/weeks_mean_waiting_time.json"))) == 6


def test_equal_policies_never_differ_significantly(campaign: pa.Campaign) -> None:
    sets = campaign.not_worse()
    assert sets["kind"].unique().tolist() == ["shakes"]
    assert sets["number"].tolist() == [5, 5]
    for policies in sets["policies"]:
        assert ("easy" in policies) == ("again" in policies)


def test_a_choice_from_other_logs_costs_its_distance_from_the_best(campaign: pa.Campaign) -> None:
    found = campaign.choices().set_index("log")
    changes = campaign.compared().set_index(["log", "policy"])["difference"]
    for log, row in found.iterrows():
        assert row["cost"] >= 0.0
        assert row["best_change"] <= min(0.0, *changes[log].tolist()) + 1e-12
        ratio = (1.0 + row["chosen_change"]) / (1.0 + row["best_change"])
        assert row["cost"] == pytest.approx(ratio - 1.0)


def test_the_table_lists_all_policies_not_significantly_worse_than_the_best(
    campaign: pa.Campaign, command: Command
) -> None:
    file = campaign.store.with_name("best.toml")
    titles = [table.title for table in campaign.tables()]
    assert titles[-2:] == [
        "Policies not significantly worse than the best, by perturbed copies",
        "Policy chosen on the other logs, against easy",
    ]
    assert "mean waiting time against easy, over weeks of one run each" in titles
    told = json.loads(command("campaign", "table", file, "--json").out)
    assert [len(told[key]) for key in ("weeks", "not_worse", "choices")] == [6, 2, 2]
    assert "too few weeks" not in command("campaign", "table", file).err


def test_yardsticks_are_computed_once_and_shown_beside_the_policies(
    campaign: pa.Campaign, command: Command
) -> None:
    before = campaign.runs()
    found = campaign.bounds(workers=1).set_index(["log", "policy"])
    read = pa.read_log(campaign.store.parent / "log.swf")
    exact = pa.simulate(read, "easy", order="sjf", predictor="actual")
    row = found.loc["one", "sjf"]
    assert row["exact"] == exact.figures["mean_waiting_time"]
    assert row["bound"] == pa.lower_bound(exact).value
    assert (found["bound"] <= found[["value", "exact"]].min(axis=1)).all()
    # the campaign's own runs are the same, and nothing is made a second time
    assert campaign.runs().equals(before)
    made = sorted(campaign.store.glob("runs/*/*"))
    told = command("campaign", "table", campaign.store.with_name("best.toml"), "--bounds")
    assert "Lower bounds, mean waiting time" in told.out
    assert sorted(campaign.store.glob("runs/*/*")) == made
    gone = command("campaign", "gc", campaign.store.with_name("best.toml"), "--unknown")
    assert gone.out == "removed: 0 runs, 0 leftovers\n"
