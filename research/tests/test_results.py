"""What was found of papers' claims, as files for other programs."""

import csv
from pathlib import Path

import pytest

from pred_aware.report import Bar, BarChart, BarPanel
from reproductions.results import write_figures

GAIN = BarChart(
    "figure 1",
    "made up",
    "less than under easy",
    (
        BarPanel("KTH", (Bar("a", "wait", 0.25, 0.1, 0.4), Bar("a", "slowdown", 0.05, -0.1, 0.2))),
        BarPanel("HPC2N", (Bar("b", "wait", -0.3, -0.5, -0.1),)),
    ),
)


def test_the_file_has_a_row_for_each_bar(tmp_path: Path) -> None:
    write_figures([("004", [GAIN])], tmp_path / "figures.csv")
    with (tmp_path / "figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["part"] for row in rows] == ["KTH", "KTH", "HPC2N"]
    assert float(rows[2]["value"]) == pytest.approx(-0.3)
