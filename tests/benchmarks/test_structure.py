"""The benchmark `structure.py`, on a house of a few modules."""

import json
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "structure.py"
LAYERS = """
[[tool.importlinter.contracts]]
type = "layers"
containers = ["pred_aware"]
layers = ["cli", "study | health", "runs"]
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Make a house in which study and runs import each other, runs only for types."""
    files = {
        "pred_aware/__init__.py": "",
        "pred_aware/cli.py": '"""What it does."""\nfrom pred_aware.study import one\n',
        "pred_aware/study/__init__.py": "",
        "pred_aware/study/one.py": "import pred_aware.runs.run\n# why\nX = 1\n",
        "pred_aware/health.py": "def f():\n    from pred_aware.study import one\n",
        "pred_aware/runs/run.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from pred_aware.study import one\n\n\nclass Same:\n    a: int\n    '''Below it.'''\n",
        "predictors/same.py": "class Same:\n    pass\n",
        "tests/test_it.py": "assert True\n" * 301,
        "pyproject.toml": LAYERS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def counts(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--at", str(house), "--json"])
    run_path(str(SCRIPT), run_name="__main__")
    (found,) = json.loads(capsys.readouterr().out)["counts"]
    assert isinstance(found, dict)
    return found


def test_the_counts_of_a_house_are_those_made_by_hand(counts: dict[str, Any]) -> None:
    assert counts["arrows between modules"] == 4
    assert [counts[f"  {kind}"] for kind in ("module", "lazy", "types")] == [2, 1, 1]
    assert (counts["knots of units"], counts["  units in them"], counts["floors"]) == (1, 2, 2)
    assert counts["circles of modules"] == 1
    assert counts["arrows up: pred_aware.runs"] == counts["arrows up: pred_aware.health"] == 1
    assert counts["arrows up, between modules"] == 2
    assert counts["lines of code: pred_aware.runs"] == 5
    assert counts["lines of docstrings: pred_aware.runs"] == 1
    assert counts["lines of comments"] == 1
    assert counts["lines of code, tests"] == 301
    assert counts["files above 300 lines"] == 1
    assert counts["class names for two or more"] == 1
    assert counts["module docstrings What, How, Which, Who"] == 1
    assert not any(key.startswith("walk ") for key in counts)
