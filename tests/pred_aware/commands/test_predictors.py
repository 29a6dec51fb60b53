"""The command `predictors`."""

import json
from importlib.util import find_spec

import pytest

from predictors.registry import PREDICTORS
from tests.pred_aware.command import Command


def test_every_predictor_is_listed_with_what_it_does_and_its_options(command: Command) -> None:
    listed = json.loads(command("predictors", "--json").out)
    assert list(listed) == PREDICTORS.names()
    assert listed["knn"]["options"] == list(PREDICTORS.describe(PREDICTORS.make("knn")))[1:]
    assert all(one["does"].endswith((".", ":")) for one in listed.values())


def test_predictors_that_need_an_extra_name_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    listed = json.loads(command("predictors", "--json").out)
    needy = {name: one["installed"] for name, one in listed.items() if one["extra"] == "river"}
    there = find_spec("river") is not None
    assert needy == dict.fromkeys(("adaptive_forest", "hoeffding_tree"), there)
    (line,) = (line for line in command("predictors").out.splitlines() if "hoeffding_tree" in line)
    assert line.rstrip("│ ").endswith("river" if there else "river, which is not installed")


def test_named_predictors_are_listed_and_a_typo_gives_the_nearest_name(command: Command) -> None:
    assert [*json.loads(command("predictors", "knn", "--json").out)] == ["knn"]
    command("predictors", "knnn").assert_refused(
        "no predictor is called 'knnn'; did you mean 'knn'? Known:"
    )
