import base64
import hashlib
import re
from html import unescape
from pathlib import Path
from typing import Any

from pred_aware.comparison.comparison import Page
from pred_aware.report.page.content import (
    BETTER,
    Answer,
    Content,
    Definitions,
    Large,
    Section,
    report,
)
from pred_aware.report.page.writing import html, write
from pred_aware.report.picture import Panel, Picture
from pred_aware.report.sentence import Block, Remark
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
    write(path, report("log <1>", under="2 jobs", blocks=BLOCKS, command="pred-aware x"))
    return path.read_text()


def test_the_page_loads_nothing_and_runs_no_script(tmp_path: Path) -> None:
    text = page(tmp_path / "page.html")
    # the same report gives the same bytes
    assert text == page(tmp_path / "again.html")
    for said in ("width=device-width", "prefers-color-scheme: dark", "@media print", "size: A4"):
        assert said in text
    without_images = re.sub(r'src="data:[^"]*"', "", text)
    assert not re.search(r'(src|href)="(?!#)|<script|@import|url\(|https?:', without_images)
    assert text.count("<img") == 2
    for shown in ("log &lt;1&gt;", "&lt;well&gt;", "! Odd &amp; old", "&lt;i&gt;", "c &lt; d"):
        assert shown in text


def content(**more: Any) -> Content:  # noqa: ANN401 - fields
    table = Table("Of both", ("", "mean wait"), (("utilisation", "80 %"),))
    sections = (
        Section("Evidence", (table,)),
        Section("Words", (Definitions((("mean wait", "Start less submission."),)),)),
        Section("How it was made", ((Remark("By hand."),),)),
    )
    given = {"title": "A", "under": "", "answer": None, "sections": sections, "command": "x"}
    return Content(**(given | more))


def test_the_answer_comes_first_and_says_in_words_what_its_colours_mean() -> None:
    figures = (Large("mean wait", "-12 %", "-14 to -10, 20 shakes", BETTER),)
    answer = Answer("Worth it.", figures=figures, trust=(Remark("One log."),))
    text = html(content(answer=answer))
    assert text.index("Worth it.") < text.index("-12 %") < text.index("One log.")
    assert text.index("One log.") < text.index('href="#s1">Evidence')
    assert '<div class="better">' in text
    assert '<dd class="verdict">better</dd>' in text


def test_links_in_tables_and_sections_have_targets() -> None:
    text = html(content())
    assert '<th scope="col"><a href="#d0">mean wait</a></th>' in text
    assert '<dt id="d0">mean wait</dt>' in text
    assert '<th scope="row">utilisation</th>' in text
    # each section is listed and found
    text = html(content())
    for target in re.findall(r'href="#(\w+)"', text):
        assert text.count(f'id="{target}"') == 1
    # long tables are folded
    table = Table("Long", ("day", "jobs"), tuple((str(day), "1") for day in range(31)))
    text = html(content(sections=(Section("", (table,)),)))
    assert '<details class="long">\n<summary>31 rows</summary>' in text


def test_a_page_accepts_only_its_own_style_and_script() -> None:
    text = html(content())
    allowed = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert allowed == [f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"]
    assert "style=" not in text


def test_a_notebook_shows_a_page_in_a_separate_frame(tmp_path: Path) -> None:
    page = Page(content())
    page.write(tmp_path / "page.html")
    (source,) = re.findall(r'<iframe[^>]* srcdoc="([^"]*)"></iframe>', page._repr_html_())
    assert unescape(source) == (tmp_path / "page.html").read_text()
