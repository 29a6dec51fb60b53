"""Numbers in the documentation that the code determines."""

import json
import re
from pathlib import Path

from pred_aware.metrics import MEASURES
from tests.pred_aware.command import Command

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")


def number(pattern: str) -> int:
    """Return the only number that stands in this place."""
    (found,) = re.findall(pattern, REFERENCE)
    return int(found)


def test_the_reference_states_the_true_numbers_of_predictors_and_measures(command: Command) -> None:
    listed = json.loads(command("predictors", "--json").out)
    assert number(r"(\d+) predictors") == len(listed)
    assert number(r"(\d+) measures") == len(MEASURES)


def test_the_readme_has_at_most_450_words_and_70_lines() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) <= 450
    assert len(readme.splitlines()) <= 70
