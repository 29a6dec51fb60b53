"""Numbers in README and docs that come from commands, made anew where that is cheap."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import duration_within
from pred_aware.statistics import Interval
from tests.pred_aware.command import Command

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")


def number(pattern: str, text: str = README) -> int:
    """Return the only number that stands in this place."""
    (found,) = re.findall(pattern, text)
    return int(found)


def test_as_many_predictors_are_listed_as_readme_says(command: Command) -> None:
    listed = json.loads(command("predictors", "--json").out)
    assert number(r"(\d+) predictors, which `pred-aware predictors` lists") == len(listed)
    assert number(r"(\d+), which `pred-aware predictors` lists", REFERENCE) == len(listed)


def test_there_are_as_many_measures_as_are_said() -> None:
    assert number(r"\[(\d+) measures\]\(docs/reference/metrics\.md\)") == len(MEASURES)
    assert number(r"\[(\d+) measures\]\(metrics\.md\)", REFERENCE) == len(MEASURES)


def changed(one: dict[str, Any], word: str) -> str:
    """Write a change as README has it."""
    ends = sorted(abs(100.0 * one["difference"][end]) for end in ("low", "high"))
    return (
        f"{abs(100.0 * one['difference']['value']):.0f} % {word} ({ends[0]:.0f} to {ends[1]:.0f})"
    )


@pytest.mark.slow
def test_the_demo_says_what_readme_says_of_it(command: Command, tmp_path: Path) -> None:
    command("demo", "-o", tmp_path / "out", "-q")
    told = json.loads((tmp_path / "out" / "study.json").read_text())
    found = told["policies"]["recommended"]
    wait, slowdown = found["mean_waiting_time"], found["mean_bounded_slowdown"]
    for which in ("baseline", "value"):
        assert f" {duration_within(Interval(**wait[which]))}" in README
    for one, word in (
        (wait, "less"), (slowdown, "less"), (found["area_weighted_waiting_time"], "longer"),
    ):  # fmt: skip
        assert changed(one, word) in README
    longest = 100.0 * found["max_waiting_time"]["difference"]["value"]
    assert f"the longest wait is {longest:.0f} % longer, of which" in README
