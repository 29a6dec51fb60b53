"""The command `schedulers`."""

import json
from collections.abc import Callable
from importlib.metadata import entry_points

import pytest

from schedulers import COMBINATIONS, make_policy
from schedulers.factory import AS_BATSCHEDS
from schedulers.specification import specify
from tests.pred_aware.command import Command

Listed = Callable[..., str]


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch, command: Command) -> Listed:
    """Run the command, and return what it prints."""

    def run(*arguments: str) -> str:
        monkeypatch.setenv("COLUMNS", "200")
        ended = command("schedulers", *arguments)
        assert (ended.code, ended.err) == (0, "")
        return ended.out

    return run


def test_every_scheduler_is_listed_with_its_origin_and_parts(listed: Listed) -> None:
    lines = {line.split()[1]: line for line in listed().splitlines() if len(line.split()) > 2}
    assert COMBINATIONS.keys() <= lines.keys()
    assert "Tsafrir" in lines["easy_plus_plus"]
    assert "easy (candidates shortest); predictor last_two; correction tsafrir" in " ".join(
        lines["easy_plus_plus"].split()
    )


def test_json_has_the_parts_and_options_of_each_scheduler(listed: Listed) -> None:
    known = json.loads(listed("--json"))
    assert known.keys() == COMBINATIONS.keys()
    assert known["wfp_s001"]["made_of"]["estimates"] == {
        "queueing": "walltime", "backfilling": "walltime", "running": "actual",
    }  # fmt: skip
    assert known["fcfs"]["options"] == ["allocation", "machine", "site"]
    assert all(entry["origin"] for entry in known.values())


def test_the_parts_of_a_scheduler_can_be_given_to_policy(listed: Listed) -> None:
    for name, entry in json.loads(listed("--json")).items():
        if name not in AS_BATSCHEDS:
            make_policy("policy", entry["made_of"])
            made, same = (
                specify(*one).options for one in ((name, {}), ("policy", entry["made_of"]))
            )
            assert made == same


def test_pybatsim_has_every_scheduler_except_the_filler(listed: Listed) -> None:
    points = {point.name: point.value for point in entry_points(group="pybatsim.schedulers")}
    ours = {name for name, value in points.items() if value.startswith("schedulers.")}
    assert ours == json.loads(listed("--json")).keys() - {"filler"}
    assert not points["filler"].startswith("schedulers.")


def test_named_schedulers_are_listed_and_a_typo_gives_the_nearest_name(
    listed: Listed, command: Command
) -> None:
    assert [*json.loads(listed("wfp", "easy", "--json"))] == ["easy", "wfp"]
    command("schedulers", "easyy").assert_refused(
        "no scheduler is called 'easyy'; did you mean 'easy' or"
    )
