"""The tables of research/docs/papers.md: what is in each paper, and the claims that are tried."""

from collections import Counter
from collections.abc import Iterator

from pred_aware.report import counted
from reproductions.contents import ticked
from reproductions.paper import Paper
from reproductions.reproducing import PAPERS


def tables() -> dict[str, str]:
    """Return the list of each paper's places."""
    return {"claims": "\n".join(line for paper in PAPERS.values() for line in _lines(paper))}


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
