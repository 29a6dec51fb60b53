"""A campaign's predictors: replayed on its logs, kept in its store, and shown."""

import json
from pathlib import Path

import pytest

import pred_aware as pa
from pred_aware.errors import PredAwareError
from tests.pred_aware.campaign.conftest import POLICIES, WriteCampaign
from tests.pred_aware.command import Command

TWO = "[predictors.last_two]\n[predictors.knn]\nk = [1, 5]\n"


def test_predictors_are_swept_and_measured_as_by_predict(campaign: WriteCampaign) -> None:
    made = pa.read_campaign(campaign(TWO))
    told: list[str] = []
    made.run(replays=told.append)
    assert told == ["made: last_two, knn k=1, knn k=5"]
    found = made.replays().set_index("predictor")
    log = pa.read_log(made.log("made").file)
    knn = {"name": "knn", "k": 5}
    assert found.loc["knn k=5", "mae"] == pa.predict(log, knn).figures["mae"].iloc[0]
    assert list(found.index) == made.predictors


def test_finished_replays_are_kept_and_edited_predictors_are_replayed_again(
    campaign: WriteCampaign,
) -> None:
    pa.read_campaign(campaign("[predictors.last_two]\n")).run()
    told: list[str] = []
    pa.read_campaign(campaign(TWO)).run(replays=told.append)
    assert told == ["made: knn k=1, knn k=5"]


def test_the_table_shows_predictors_beside_the_policies(campaign: WriteCampaign) -> None:
    path = campaign(f"predictors = ['walltime']\n{POLICIES}", shakes=0)
    text = path.read_text()
    path.write_text("predictors = ['walltime']\n" + text.replace("predictors = ['walltime']\n", ""))
    made = pa.read_campaign(path)
    assert made.run(workers=1).made == 2
    assert made.tables()[-1].rows[0][0] == "made: walltime"


def test_the_commands_take_a_campaign_of_predictors_alone(
    campaign: WriteCampaign, command: Command
) -> None:
    path = campaign("[predictors.last_two]\n")
    assert "replays made: last_two" in command("campaign", "run", path).err
    assert "made: last_two" in command("campaign", "table", path).out
    (row,) = json.loads(command("campaign", "table", path, "--json").out)["replays"]
    assert (row["log"], row["predictor"]) == ("made", "last_two")
    for other in ("status", "plan", "report", "export"):
        more = ["-o", "rows.csv"] if other == "export" else []
        command("campaign", other, path, *more).assert_refused(
            "has only predictors and no [policies.NAME]"
        )


def test_an_unreadable_log_does_not_stop_the_others(
    campaign: WriteCampaign, tmp_path: Path
) -> None:
    (tmp_path / "other.swf").write_text("no log\n")
    made = pa.read_campaign(campaign("[logs.other]\nfile = 'other.swf'\n[predictors.last_two]\n"))
    ((name, reason),) = made.run().failed
    assert list(made.replays()["log"]) == ["made"]
    assert (name, reason) == ("other", made.failures["other"])
    assert "other.swf" in reason


def test_invalid_predictors_are_reported_with_the_file(campaign: WriteCampaign) -> None:
    for text, told in {
        "[predictors.lats_two]\n": "unknown predictor 'lats_two': did you mean 'last_two'",
        "[predictors.knn]\nk = 'x'\n": "predictors cannot be created: predictor 'knn'",
        "": r"needs at least one table \[policies.NAME\]",
    }.items():
        with pytest.raises(PredAwareError, match=rf"small.toml: .*{told}"):
            pa.read_campaign(campaign(text))
