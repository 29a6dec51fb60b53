"""Tables of pages are what their sources make: kept results, claims, measures."""

import re

import pytest

from docs.made import measured
from docs.make_tables import DOCS, PAGES, with_tables


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_the_tables_that_its_sources_make(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    tables = PAGES[name]()
    assert re.findall(r"^<!-- ([\w-]+): made by", text, re.MULTILINE) == [
        one for one in re.findall(r"^<!-- ([\w-]+): made by", text, re.MULTILINE) if one in tables
    ]
    assert text == with_tables(text, tables), "run python -m docs.make_tables"


def test_no_other_page_says_that_its_tables_are_made() -> None:
    marked = {
        page
        for page in DOCS.rglob("*.md")
        if "made by docs/make_tables.py" in page.read_text("utf-8")
    }
    assert marked == {DOCS / name for name in PAGES}


def test_a_kept_figure_that_changes_changes_the_page() -> None:
    text = (DOCS / "evidence" / "paper004.md").read_text(encoding="utf-8")
    tables = measured.paper004()
    tables["roles"] = tables["roles"].replace("S110 | 33.6", "S110 | 33.7")
    assert text != with_tables(text, tables)
