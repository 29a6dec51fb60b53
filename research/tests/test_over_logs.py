"""The script `over_logs.py`, on a document of two logs and on ours."""

import sys
from pathlib import Path
from runpy import run_path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "measurements" / "over_logs.py"
DOCUMENT = """
**Wait (s), change in percent**

| log | EASY | one | other | shakes |
| --- | --- | --- | --- | --- |
| A | 1,000 | -50.0 [-60.0, -40.0] | +100.0 [+90.0, +110.0] | 5 |
| B | 9 | -50.0 [-90.0, +90.0] = | -50.0 [-60.0, -40.0] | 5 |
"""


def test_ratios_are_read_from_tables_of_changes() -> None:
    found = run_path(str(SCRIPT))["ratios_of"](DOCUMENT)["Wait (s)"]
    assert found.to_dict("list") == {"one": [0.5, 0.5], "other": [2.0, 0.5]}
    assert list(found.index) == ["A", "B"]


def test_a_profile_has_how_many_times_the_best_each_policy_is() -> None:
    ratios = pd.DataFrame({"one": [0.5, 1.5]}, index=["A", "B"])
    times = run_path(str(SCRIPT))["profile"](ratios, "EASY")
    assert times.to_dict("list") == {"EASY": [2.0, 1.0], "one": [1.0, 1.5]}


def test_it_prints_means_and_draws_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "document.md").write_text(DOCUMENT)
    files = [str(tmp_path / name) for name in ("document.md", "profile.png")]
    monkeypatch.setattr(sys, "argv", ["over_logs.py", files[0], "--picture", files[1]])
    run_path(str(SCRIPT), run_name="__main__")
    assert "| one | 0.500 [0.50, 0.50] (0.50 on A) |" in capsys.readouterr().out
    assert Path(files[1]).read_bytes().startswith(b"\x89PNG")


def test_the_means_of_our_document_are_those_of_its_tables(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = (ROOT / "docs" / "recommended.md").read_text(encoding="utf-8")
    script = run_path(str(SCRIPT))
    script["averages"](script["ratios_of"](document), "EASY")
    assert capsys.readouterr().out in document
