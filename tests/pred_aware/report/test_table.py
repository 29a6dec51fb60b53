import csv
import json
from pathlib import Path

import numpy as np
import pytest

from pred_aware.errors import PredAwareError
from pred_aware.report.table import Table, duration, number, percent, write_tables
from pred_aware.report.terminal import Terminal, show
from tests.suites import each_case

TABLE = Table(
    "Figures of runs",
    ("", *(f"run {place}" for place in range(6))),
    (
        ("wait", *(duration(8040.25 + place) for place in range(6))),
        ("share", *(percent(0.1234 + place) for place in range(6))),
        ("jobs", *(number(1234567) for _ in range(6))),
    ),
    "A note.",
)


@each_case("width", [200, 80, 40, 24])
def test_a_narrow_terminal_cuts_no_figure(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    show([TABLE], Terminal(width=width))
    printed = capsys.readouterr().out
    assert printed.count("2 h 14 min") == 6
    assert printed.count("1,234,567") == 6
    assert "…" not in printed
    assert max(map(len, printed.splitlines())) <= width


def test_parts_of_a_wide_table_repeat_its_first_column() -> None:
    parts = list(TABLE.abreast(50))
    assert len(parts) > 1
    assert {part.columns[0] for part in parts} == {""}
    assert [name for part in parts for name in part.columns[1:]] == list(TABLE.columns[1:])
    assert [part.note for part in parts][-2:] == ["", "A note."]


def test_a_file_has_the_numbers_in_full(tmp_path: Path) -> None:
    write_tables([TABLE], tmp_path / "t.json")
    (told,) = json.loads((tmp_path / "t.json").read_text())
    assert told["rows"][0][:2] == ["wait", 8040.25]
    write_tables([TABLE], tmp_path / "t.csv")
    with (tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[1] == {
        "table": "Figures of runs", "row": "wait", "column": "run 1", "value": "8041.25"
    }  # fmt: skip
    assert len(rows) == 18


@each_case("suffix", [".csv", ".json"])
def test_numbers_of_a_data_frame_are_written_like_others(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("of_python", "of_numpy")]
    for path, values in zip(paths, ([0.25, 3], [np.float64(0.25), np.int64(3)]), strict=True):
        rows = (("a", *map(number, values)),)
        write_tables([Table("Some", ("", "share", "jobs"), rows)], path)  # type: ignore[arg-type]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PredAwareError, match=r"must end in \.csv or \.json"):
        write_tables([TABLE], tmp_path / "t.xlsx")
