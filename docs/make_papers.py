"""Write what is in each paper to docs/evidence/papers.md, with the claims that `reproduce` tries.

Usage: python docs/make_papers.py
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pred_aware.report.plural import counted
from reproductions.contents import ticked
from reproductions.paper import Paper
from reproductions.reproducing import PAPERS

PAGE = Path(__file__).parent / "evidence" / "papers.md"
_MADE = re.compile(r"(<!-- claims: made by docs/make_papers.py -->\n).*?(<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """Return the page with its list made anew."""
    made = "\n".join(line for paper in PAPERS.values() for line in _lines(paper))
    return _MADE.sub(lambda found: f"{found[1]}{made}\n{found[2]}", text)


def _lines(paper: Paper) -> Iterator[str]:
    yield f"\n### Paper {paper.number}: {paper.title}\n"
    yield from _contents(paper)
    yield ""


def _contents(paper: Paper) -> Iterator[str]:
    places = ticked(paper.number, paper.claims)
    kinds = Counter(place.kind for place, _ in places)
    kinds["table"] += sum(place.tables for place, _ in places)
    kinds["figure"] += sum(place.figures for place, _ in places)
    told = ", ".join(
        counted(kinds[kind], kind) for kind in ("table", "figure", "section") if kinds[kind]
    )
    sentences = sum(place.sentences for place, _ in places)
    tried = sum(bool(claim.checks) for claim in paper.claims)
    yield (
        f"\nTo tick off: {told}, {counted(sentences, 'sentence')} with a finding; "
        f"{counted(len(paper.claims), 'claim')}, of which {tried} are tried.\n"
    )
    yield "| place | what is there | sentences | claims |"
    yield "|---|---|---|---|"
    for place, names in places:
        claims = ", ".join(names) or f"none: {place.none}"
        yield f"| {place.name} | {place.shows} | {place.sentences or ''} | {claims} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
