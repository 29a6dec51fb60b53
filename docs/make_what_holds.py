"""Write the tables of docs/what-holds.md from what `pred-aware reproduce all` has found.

Usage: python docs/make_what_holds.py FOLDER/claims.json
With several files each paper is taken from the last that has it; without one only the claims' texts
are written anew.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from reproductions.checks.claim import FAILS, HOLDS, OPEN
from reproductions.reproducing import PAPERS

PAGE = Path(__file__).with_name("what-holds.md")
_MADE = re.compile(
    r"(<!-- (\w+): made by docs/make_what_holds.py -->\n).*?(<!-- end -->)", re.DOTALL
)
_COLUMNS = (
    "claim",
    "what it says",
    "as claimed",
    "the other way round",
    "can't be told",
    "command",
)
_HEAD = f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|"
_ROW = re.compile(r"^\| (\d{3}\.\d+) \| [^|]* \|", re.MULTILINE)
_TEXTS = {
    claim.name: f"{claim.text} ({claim.place})"
    for paper in PAPERS.values()
    for claim in paper.claims
}
"""What stands in tables of a claim."""
_ON_BLOCKS = " on blocks"

Claim = dict[str, Any]
Counts = Counter[str]


def page(text: str, papers: list[dict[str, Any]]) -> str:
    """Return the page with its tables made anew."""
    claims = [claim for paper in papers for claim in paper["claims"]]
    made = {
        "made": f"{_counted(claims)}\n\n{_how(papers)}",
        "elsewhere": _table(claims, _stands_elsewhere, _unseen),
        "own": _table(claims, _stands_on_its_own, _own),
        "not": _table(claims, _does_not_stand, _any),
        "mixed": _table(claims, _in_part, _any),
        "turned": _table(claims, _turned_round, _own),
        "blocks": _by_machine(claims),
        "open": _named(claims, _open),
        "unchecked": _named(claims, _unchecked),
    }
    return _MADE.sub(lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}", text)


def _counted(claims: list[Claim]) -> str:
    """Say how many claims stand in which table."""
    kinds = (_stands_elsewhere, _stands_on_its_own, _in_part, _does_not_stand, _open, _unchecked)
    elsewhere, own, part, none, unsure, unchecked = (
        sum(kind(claim) for claim in claims) for kind in kinds
    )
    return (
        f"Of {len(claims)} claims {elsewhere} stand on logs that their authors never saw, {own} on "
        f"their authors' own alone, {part} in part, and {none} do not; {unsure} can't be told from "
        f"chance, and {unchecked} can't be checked."
    )


def _how(papers: list[dict[str, Any]]) -> str:
    names = ", ".join(paper["paper"] for paper in papers)
    quick = any(paper["quick"] for paper in papers)
    least, most = min(p["shakes"][0] for p in papers), max(p["shakes"][1] for p in papers)
    shakes = f"{least}" if least == most else f"{least} to {most}"
    told = f"Figures of papers {names}, from {shakes} shakes of each log"
    if quick:
        return f"**{told}, by `--quick`: a first look at fewer logs, to be replaced.**"
    return f"{told}."


def _any(_: Claim, __: str) -> bool:
    return True


def _own(claim: Claim, log: str) -> bool:
    # what needs no log is the paper's own, too
    return not log or log in PAPERS[claim["claim"].partition(".")[0]].own


def _unseen(claim: Claim, log: str) -> bool:
    return not _own(claim, log)


def _verdicts(claim: Claim, among: Callable[[Claim, str], bool]) -> Counts:
    return Counter(one["verdict"] for one in claim["found"] if among(claim, one["log"]))


def _mostly(counts: Counts, one: str, other: str) -> bool:
    """Say whether at least half of what was tried came out so, and nothing the other way round."""
    tried = counts[HOLDS] + counts[FAILS] + counts[OPEN]
    return 2 * counts[one] >= tried > 0 == counts[other]


def _stands_elsewhere(claim: Claim) -> bool:
    return _mostly(_verdicts(claim, _unseen), HOLDS, FAILS)


def _stands_on_its_own(claim: Claim) -> bool:
    elsewhere = _verdicts(claim, _unseen)
    told = elsewhere[HOLDS] or elsewhere[FAILS]
    return _mostly(_verdicts(claim, _own), HOLDS, FAILS) and not told


def _does_not_stand(claim: Claim) -> bool:
    return _mostly(_verdicts(claim, _any), FAILS, HOLDS)


def _in_part(claim: Claim) -> bool:
    stands = _stands_elsewhere(claim) or _stands_on_its_own(claim)
    not_at_all = _does_not_stand(claim) or _open(claim) or _unchecked(claim)
    return not (stands or not_at_all)


def _turned_round(claim: Claim) -> bool:
    """Say whether a claim about runs, and not about logs, fails where it was made."""
    own = [one for one in claim["found"] if _own(claim, one["log"]) and one["runs"]]
    counts = Counter(one["verdict"] for one in own)
    return counts[FAILS] > counts[HOLDS]


def _open(claim: Claim) -> bool:
    every = _verdicts(claim, _any)
    return bool(every[OPEN]) and not (every[HOLDS] or every[FAILS])


def _unchecked(claim: Claim) -> bool:
    every = _verdicts(claim, _any)
    return not (every[HOLDS] or every[FAILS] or every[OPEN])


def _table(
    claims: Iterable[Claim],
    chosen: Callable[[Claim], bool],
    among: Callable[[Claim, str], bool],
) -> str:
    return "\n".join((_HEAD, *_rows(claims, chosen, among)))


def _rows(
    claims: Iterable[Claim],
    chosen: Callable[[Claim], bool],
    among: Callable[[Claim, str], bool],
) -> Iterator[str]:
    for claim in claims:
        if chosen(claim):
            found = [one for one in claim["found"] if among(claim, one["log"])]
            cells = [_where(found, verdict) for verdict in (HOLDS, FAILS, OPEN)]
            name = claim["claim"]
            yield f"| {' | '.join((name, _TEXTS[name], *cells, _command(claim)))} |"


def _where(found: list[dict[str, Any]], verdict: str) -> str:
    """Name logs, and how often a claim came out so there if it is tried several times."""
    logs = Counter(one["log"] for one in found if one["verdict"] == verdict)
    tried = Counter(one["log"] for one in found)
    return ", ".join(
        (log or "by reckoning") + (f" ({number} of {tried[log]})" if tried[log] > 1 else "")
        for log, number in logs.items()
    )


def _by_machine(claims: Iterable[Claim]) -> str:
    """Return the claims of paper 004 that come out otherwise on blocks than counted."""
    head = (
        "| claim | what it says | counted: as claimed, and not | on blocks: as claimed, and not |"
    )
    rows = [f"{head}\n{'|---' * 4}|"]
    for claim in claims:
        cells = []
        sides = []
        for blocked in (False, True):
            found = [
                one for one in claim["found"]
                if (_ON_BLOCKS in one["ours"]) == blocked and one["runs"]
            ]  # fmt: skip
            counts = Counter(one["verdict"] for one in found)
            cells.append(f"{counts[HOLDS]}, {counts[FAILS]} of {len(found)}")
            sides.append(counts[HOLDS] - counts[FAILS])
        if sides[0] * sides[1] < 0:
            name = claim["claim"]
            rows.append(f"| {name} | {_TEXTS[name]} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _named(claims: Iterable[Claim], chosen: Callable[[Claim], bool]) -> str:
    return ", ".join(claim["claim"] for claim in claims if chosen(claim)) + "."


def _command(claim: Claim) -> str:
    return f"`pred-aware reproduce {claim['claim'].partition('.')[0]}`"


def with_texts(text: str) -> str:
    """Return the page with the claims' texts as they are now."""
    return _ROW.sub(lambda row: f"| {row[1]} | {_TEXTS[row[1]]} |", text)


if __name__ == "__main__":
    told = with_texts(PAGE.read_text(encoding="utf-8"))
    found = {
        paper["paper"]: paper
        for file in sys.argv[1:]
        for paper in json.loads(Path(file).read_text(encoding="utf-8"))
    }
    if any("shakes" not in paper for paper in found.values()):
        raise SystemExit("claims.json is of an older version: call `pred-aware reproduce` again")
    if found:
        told = page(told, [found[number] for number in sorted(found)])
    PAGE.write_text(told, encoding="utf-8")
