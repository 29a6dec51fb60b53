"""The pages: their tables are what kept results and claims make, and their links lead somewhere."""

import re
from pathlib import Path

from made import measured
from make_tables import DOCS, PAGES, with_tables

MARK = re.compile(r"^<!-- ([\w-]+): made by research/make_tables.py -->$", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_a_page_has_the_tables_that_its_sources_make() -> None:
    for name, sources in PAGES.items():
        text = (DOCS / name).read_text(encoding="utf-8")
        tables = sources()
        assert sorted(MARK.findall(text)) == sorted(tables), name
        assert text == with_tables(text, tables), f"{name}: run python research/make_tables.py"
    marked = {page.name for page in DOCS.glob("*.md") if MARK.search(page.read_text("utf-8"))}
    assert marked == set(PAGES)


def test_a_kept_figure_that_changes_changes_the_page() -> None:
    text = (DOCS / "paper004.md").read_text(encoding="utf-8")
    tables = measured.paper004()
    tables["roles"] = tables["roles"].replace("S110 | 33.6", "S110 | 33.7")
    assert text != with_tables(text, tables)


def test_a_page_of_measurements_says_when_they_were_made_and_whether_results_were_kept() -> None:
    for page in set(DOCS.glob("*.md")) - {DOCS / "paper001.md"}:
        head = page.read_text(encoding="utf-8").split("\n\n")[1]
        assert re.match(r"\*Measured with pred-aware \d+\.\d+\.\d+", head), page.name
        assert page.name in PAGES or "not kept" in head, page.name


def anchors(page: Path) -> set[str]:
    """Return what a page's headings are called in links, as GitHub does."""
    made: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        made.add(slug if slug not in made else f"{slug}-1")
    return made


def test_every_link_within_the_clone_leads_somewhere() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.glob("*.md")]
    for page in pages:
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name}: {link}"
            if anchor and target.suffix == ".md":
                assert anchor in anchors(target), f"{page.name}: {link}"
    listed = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in listed] == []
