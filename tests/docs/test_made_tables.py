"""Tables of pages are what their sources make: kept results, claims, measures."""

import re

import pytest

from docs.made import measured
from docs.make_tables import DOCS, PAGES, with_tables

MARK = re.compile(r"^<!-- ([\w-]+): made by docs/make_tables.py -->$", re.MULTILINE)
EVIDENCE = [f"evidence/{page.name}" for page in (DOCS / "evidence").glob("*.md")]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_the_tables_that_its_sources_make(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    tables = PAGES[name]()
    assert sorted(MARK.findall(text)) == sorted(tables)
    assert text == with_tables(text, tables), "run python -m docs.make_tables"


def test_no_other_page_says_that_its_tables_are_made() -> None:
    marked = {page for page in DOCS.rglob("*.md") if MARK.search(page.read_text(encoding="utf-8"))}
    assert marked == {DOCS / name for name in PAGES}


@pytest.mark.parametrize("name", sorted({*EVIDENCE} - {*PAGES, "evidence/index.md"}))
def test_a_page_of_evidence_that_is_not_made_says_that_its_results_were_not_kept(name: str) -> None:
    head = (DOCS / name).read_text(encoding="utf-8").split("\n\n")[1]
    assert "not kept" in head


def test_a_kept_figure_that_changes_changes_the_page() -> None:
    text = (DOCS / "evidence" / "paper004.md").read_text(encoding="utf-8")
    tables = measured.paper004()
    tables["roles"] = tables["roles"].replace("S110 | 33.6", "S110 | 33.7")
    assert text != with_tables(text, tables)
