"""The command `paper001`."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def paper001(command: Command) -> Command:
    return partial(command, "paper001")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.swf"
    lines = [
        f"{job} {60 * job} 0 {10 + job % 7} 1 -1 -1 1 {-1 if job == 5 else 60 + job % 3} -1 1 "
        f"{job % 4} -1 -1 -1 -1 -1 -1"
        for job in range(100)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_paper_s_tables_are_shown(paper001: Command, log: Path) -> None:
    ended = paper001(log, "--model", "decision_tree")
    assert (ended.code, ended.err) == (0, "")
    for text in (
        "Experiment 1: baseline",
        "Experiment 4: consecutive split",
        "effectiveness, general",
        "79 jobs learned, 20 predicted, from processors, user, walltime.",
        "99 jobs; left out: 1 no walltime.",
    ):
        assert text in ended.out


def test_tables_are_written_and_nothing_is_said_where_that_is_asked_for(
    paper001: Command, log: Path
) -> None:
    path = log.with_name("tables.json")
    asked = ("--model", "decision_tree", "--experiment", "baseline", "--tables", path, "-q")
    assert paper001(log, *asked) == (0, "", "")
    (table,) = json.loads(path.read_text())
    assert table["title"] == "Experiment 1: baseline (errors in min)"
    assert [row[0] for row in table["rows"]][:2] == ["MAE", "MSE"]


def test_json_has_every_experiment_and_model_in_the_paper_s_order(
    paper001: Command, log: Path
) -> None:
    models = ("--model", "gradient_boosting", "--model", "decision_tree")
    ended = paper001(
        log, "--json", *models, "--experiment", "consecutive", "--experiment", "baseline"
    )
    answer = json.loads(ended.out)
    assert (answer["jobs"], answer["dropped"]) == (99, {"no walltime": 1})
    assert [one["experiment"] for one in answer["experiments"]] == ["baseline", "consecutive"]
    first = answer["experiments"][0]["models"]
    assert [one["predictor"] for one in first] == ["decision_tree", "gradient_boosting"]
    assert first[0]["mae"] >= 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.csv"], "nowhere.csv"),
        (["--model", "decision_trees"], "did you mean 'decision_tree'"),
        (["--experiment", "best_user"], "did you mean 'best_users'"),
        (["--test-share", "1"], "not between 0 and 1"),
        (["--seed", "4294967296"], "--seed"),
    ],
)
def test_what_can_t_be_done_is_one_line(
    paper001: Command, log: Path, arguments: list[str], words: str
) -> None:
    ended = paper001(*([] if arguments[0].endswith("csv") else [log]), *arguments)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert words in ended.err
