"""A campaign's file: its content, and the errors for mistakes."""

from pathlib import Path

import pytest

from pred_aware.campaign.reading import read_specification
from pred_aware.errors import PredAwareError
from tests.pred_aware.campaign.conftest import POLICIES, WriteCampaign
from tests.pred_aware.command import Command


def test_each_log_and_policy_gets_its_settings(campaign: WriteCampaign) -> None:
    path = campaign(
        "[policies.bounded]\nscheduler = 'pred_aware'\npredictor = 'last_two'\nmax_wait = 60\n",
        top="store = 'runs'\nmeasures = ['mean_slowdown']",
    )
    found = read_specification(path)
    (policy,), (log,) = found.policies, found.logs
    told = (policy.scheduler, policy.options)
    assert told == ("pred_aware", {"predictor": "last_two", "max_wait": 60})
    assert (log.file, found.store) == (path.parent / "log.swf", path.parent / "runs")
    assert found.precision == {"mean_slowdown": 0.01}
    assert found.baseline == "bounded"


def test_lists_of_values_give_all_combinations(campaign: WriteCampaign) -> None:
    options = "max_wait = [60, 90]\npredictor = {name = 'knn', k = [3, 5]}\n"
    found = read_specification(campaign(f"[policies.bounded]\nscheduler = 'easy'\n{options}"))
    assert [policy.name for policy in found.policies] == [
        "bounded max_wait=60, k=3", "bounded max_wait=60, k=5",
        "bounded max_wait=90, k=3", "bounded max_wait=90, k=5",
    ]  # fmt: skip
    assert found.policies[1].options == {"max_wait": 60, "predictor": {"name": "knn", "k": 5}}


def test_files_in_options_are_relative_to_the_campaigns_folder(campaign: WriteCampaign) -> None:
    options = "machine = ['counting', 'm.json', {name = 'blocks', file = 'm.json', sizes = 'any'}]"
    path = campaign("[policies.easy]\nhistory = {file = 'old.swf', format = 'swf'}\n" + options)
    policies = read_specification(path).policies
    file = str(path.parent / "m.json")
    assert [policy.options["machine"] for policy in policies] == [
        "counting", file, {"name": "blocks", "file": file, "sizes": "any"},
    ]  # fmt: skip
    assert policies[0].options["history"]["file"] == str(path.parent / "old.swf")


def test_a_window_and_loads_make_logs_of_a_log(campaign: WriteCampaign) -> None:
    path = campaign()
    path.write_text(
        path.read_text().replace("[shakes]", "from = 1970-01-02\nload = [0.5, 1.5]\n[shakes]")
    )
    found = read_specification(path)
    told = [(log.name, log.load) for log in found.logs]
    assert told == [("made load=0.5", 0.5), ("made load=1.5", 1.5)]
    assert found.logs[0].clean == ("submit<1970-01-02",)


MISTAKES = (
    (POLICIES, "mesures = []", "there is no key 'mesures': did you mean 'measures'"),
    (POLICIES, "baseline = 'esay'", "baseline is 'esay', which is not a policy: did"),
    ("[policies.esay]\n", "", "policies.esay is not the name of a scheduler (or set"),
    ("[policies.easy]\npredicter = 1\n", "", "scheduler 'easy' has no option 'predicter': did"),
    ("[policies.easy]\npredictor = 'last_tow'\n", "", "did you mean 'last_two'?"),
    ("[policies.easy]\n[limits]\nmemory = 3\n", "", "limits.memory is 3; it must be a number and"),
    ("[policies.easy]\n[precision]\nmean_wait = 0\n", "", "precision.mean_wait is 0"),
    ("[policies.easy]\n[precision]\nlater_than_baseline = 1\n", "", "_baseline is not possible"),
    ("[policies.easy]\n[logs.b]\nfile = 'x'\nshakes = {reach = 9}\n", "", "it is now 'max_shift'"),
    ("", "", "needs at least one table [policies.NAME]"),
    ("[policies.easy\n", "", "is not TOML"),
)  # fmt: skip


def test_a_mistake_is_reported_before_anything_runs(
    campaign: WriteCampaign, command: Command
) -> None:
    for more, top, said in MISTAKES:
        command("campaign", "run", campaign(more, top=top)).assert_refused(said)


def test_fewer_shakes_than_an_interval_needs_are_refused(campaign: WriteCampaign) -> None:
    with pytest.raises(PredAwareError, match="a confidence interval needs at least 2"):
        read_specification(campaign(shakes=1))


def test_a_missing_file_is_reported(command: Command, tmp_path: Path) -> None:
    ended = command("campaign", "status", tmp_path / "gone.toml")
    assert ended.err.endswith("gone.toml: cannot be read: No such file or directory\n")
