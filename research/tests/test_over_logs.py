"""The means over logs that `tables.py averages` prints."""

from pathlib import Path
from runpy import run_path

import pandas as pd
import pytest

SCRIPT = Path(__file__).parents[1] / "measurements" / "over_logs.py"


def test_means_over_logs_have_intervals_and_the_worst_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ratios = pd.DataFrame({"one": [0.5, 0.5], "other": [2.0, 0.5]}, index=["A", "B"])
    run_path(str(SCRIPT))["averages"]({"Wait (s)": ratios}, "EASY")
    printed = capsys.readouterr().out
    assert "| one | 0.500 [0.50, 0.50] (0.50 on A) |" in printed
    assert "| other | 1.000 [0.00, 6682.65] (2.00 on A) |" in printed
