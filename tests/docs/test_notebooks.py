"""The notebooks of the documentation: their cells, run one after the other on a small log."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pred_aware.api.synthetic_log import write_log

START = Path(__file__).parents[2] / "docs" / "start"
NOTEBOOKS = sorted(START.glob("*.ipynb"))


def code(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_every_notebook_runs_and_is_stored_without_output() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "campaign-to-table",
        "own-log",
        "own-predictor-and-policy",
    ]
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), path


def run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    (folder / "demo").mkdir()
    write_log(folder / "demo" / "log.swf")
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in code(START / f"{name}.ipynb"):
        exec(cell, names)  # noqa: S102 - ours
    return names


@pytest.mark.slow
def test_the_notebook_on_your_own_log_compares_two_schedules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = run("own-log", tmp_path, monkeypatch)
    assert list(names["measured"].figures.index) == ["walltime", "last_two", "knn"]
    assert "low of predicted" in names["comparison"].frame


@pytest.mark.slow
def test_the_notebook_on_your_own_parts_predicts_and_orders_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = run("own-predictor-and-policy", tmp_path, monkeypatch)["comparison"].frame
    assert frame.loc["mean_waiting_time", "both"] < frame.loc["mean_waiting_time", "easy"]


@pytest.mark.slow
def test_the_notebook_on_campaigns_writes_a_table_row_for_each_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("campaign-to-table", tmp_path, monkeypatch)
    rows = (tmp_path / "table.tex").read_text().splitlines()
    assert [row.split(" & ")[1] for row in rows] == [r"easy\_plus\_plus", "shortest"]
    assert all(row.endswith(r" \\") for row in rows)
