"""The site of the documentation: links, and a build without warnings, requests and chance."""

import filecmp
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pred_aware
import schedulers
from docs._extensions.measures import tables
from pred_aware.metrics import MEASURES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb"), *ROOT.glob("*.md"), ROOT / "nix" / "README.md"]
)
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FROM_ELSEWHERE = re.compile(
    r"""<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?//|<link[^>]*\shref="(?:https?:)?//"""
    r"""|@import\s|url\(["']?(?:https?:)?//"""
)


def text_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return "\n\n".join("".join(cell["source"]) for cell in cells)
    return text


def anchors(page: Path) -> set[str]:
    """Return what a page's headings are called in links, as GitHub and MyST do."""
    made: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", text_of(page)), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        made.add(slug if slug not in made else f"{slug}-1")
    return made


def targets(page: Path) -> Iterator[tuple[str, Path, str]]:
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            yield link, (page.parent / path).resolve() if path else page, anchor


def test_every_link_within_the_repository_has_a_target() -> None:
    included = {"contributing", "changelog", "security"}
    for page in PAGES:
        for link, target, anchor in targets(page):
            assert target.exists(), f"{page.relative_to(ROOT)}: {link}"
            if anchor and target.suffix == ".md":
                real = ROOT / f"{target.stem.upper()}.md" if target.stem in included else target
                assert anchor in anchors(real), f"{page.relative_to(ROOT)}: {link}"


def test_every_page_is_in_a_list_of_pages() -> None:
    listed = {DOCS / "index.md", *(DOCS / "reference" / "public-tables").glob("*.md")}
    for index in DOCS.rglob("index.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text(), re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            for name in names:
                found = list(index.parent.glob(f"{name}.*"))
                assert found, name
                listed.update(found)
    assert {page for page in PAGES if DOCS in page.parents} == listed


def test_a_page_of_evidence_says_when_and_with_which_version_it_was_measured_and_is_short() -> None:
    for page in set((DOCS / "evidence").glob("*.md")) - {DOCS / "evidence" / "index.md"}:
        text = page.read_text(encoding="utf-8")
        measured = r"\*Measured with pred-aware \d+\.\d+\.\d+, [A-Z][a-z]+ \d{4}\b.*\.\*$"
        assert re.match(measured, text.split("\n\n")[1]), page.name
        assert "not kept" in text.split("\n\n")[1], page.name
        assert len(text.split()) < 1200, page.name


def test_the_page_of_measures_shows_every_measure() -> None:
    page = (DOCS / "reference" / "metrics.md").read_text(encoding="utf-8")
    shown = tables()
    assert re.findall(r"\{measures\} (\w+)", page) == list(shown)
    names = re.findall(r"^\| `(\w+?)(?:_\.\.\.)?` ", "\n".join(shown.values()), re.MULTILINE)
    parts = set(names) | {f"{one}_{other}" for one in names for other in names}
    assert set(MEASURES) <= parts


def test_every_public_name_is_on_the_page_of_the_api() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    named: dict[str, list[str]] = {"pred_aware": [], "schedulers": []}
    for section in re.split(r"^\.\. currentmodule:: ", page, flags=re.MULTILINE)[1:]:
        module = section.split("\n", 1)[0]
        named[module] += re.findall(r"^\.\. auto(?:class|function):: (\w+)$", section, re.MULTILINE)
    public = sorted(name for name in pred_aware.__all__ if name != "__version__")
    assert sorted(named["pred_aware"]) == public
    assert set(named["schedulers"]) <= set(schedulers.__all__)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the site twice, in two folders and with two seeds of hashing."""
    pytest.importorskip("sphinx")
    made = [tmp_path_factory.mktemp(f"site{seed}") for seed in (1, 2)]
    for seed, folder in enumerate(made, start=1):
        ended = subprocess.run(  # noqa: S603 - ours
            [sys.executable, "-m", "sphinx", "-W", "-q", "-d", folder / "trees", "docs",
             folder / "site"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(seed)}, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")
    return [folder / "site" for folder in made]


@pytest.mark.slow
def test_two_builds_give_the_same_site(sites: list[Path]) -> None:
    one, other = sites
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    assert len(files) > len(PAGES)
    same, *rest = filecmp.cmpfiles(one, other, [str(path) for path in files], shallow=False)
    assert (len(same), rest) == (len(files), [[], []])


@pytest.mark.slow
def test_a_page_of_the_site_loads_nothing_from_elsewhere(sites: list[Path]) -> None:
    for path in (path for end in ("html", "css") for path in sites[0].rglob(f"*.{end}")):
        assert not FROM_ELSEWHERE.search(path.read_text(encoding="utf-8")), path.name
