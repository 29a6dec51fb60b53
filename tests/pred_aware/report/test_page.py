import re
from pathlib import Path
from typing import Any

import pytest

from pred_aware.report.page import Block, Remark, write_page
from pred_aware.report.picture import Panel, Picture, figure_of, save
from pred_aware.report.table import Table


def line(figure: Any) -> None:  # noqa: ANN401 - Figure
    figure.subplots().plot([1, 2, 4])


PICTURE = Picture("A <line>", "It rises.", (Panel(5, 3, line), Panel(11, 3, line)))
BLOCKS: list[Block] = [
    (Remark("All is <well>."), Remark("Odd & old", "Look.", odd=True)),
    Table("Of a & b", ("", "n"), (("<i>", "1"),), "c < d"),
    PICTURE,
]


def page(path: Path) -> str:
    write_page(path, "log <1>", under="2 jobs", blocks=BLOCKS, made="pred-aware x")
    return path.read_text()


def test_the_page_asks_nobody_and_runs_nothing(tmp_path: Path) -> None:
    text = page(tmp_path / "page.html")
    assert not re.search(r'(src|href)="(?!data:)|<script|@import|url\(|https?:', text)
    assert text.count("<img") == 2
    for shown in ("log &lt;1&gt;", "&lt;well&gt;", "! Odd &amp; old", "&lt;i&gt;", "c &lt; d"):
        assert shown in text


def test_the_page_is_made_for_telephones_dark_screens_and_paper(tmp_path: Path) -> None:
    text = page(tmp_path / "page.html")
    for said in ("width=device-width", "prefers-color-scheme: dark", "@media print", "size: A4"):
        assert said in text


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    assert page(tmp_path / "first.html") == page(tmp_path / "second.html")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_pictures_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("first", "second")]
    for path in paths:
        save(figure_of([PICTURE, PICTURE], "log.swf, 2 jobs"), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
