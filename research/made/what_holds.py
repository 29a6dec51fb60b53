"""The tables of research/docs/what-holds.md: what `pred-aware reproduce all` has found."""

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pred_aware.report import NOTHING, Table
from pred_aware.statistics import SURE
from reproductions.checks.claim import CHANGED, FAILS, HOLDS, OPEN, OTHER, SOURCES, THEIRS, Found
from reproductions.claims_tables import cell_of, kind_of, text_of
from reproductions.evidence import Effort
from reproductions.judging import Judged, judged
from reproductions.report import counts_table, logs_table, not_confirmed, summary
from reproductions.reproducing import PAPERS, LogUsed, Reproduced

KEPT = Path(__file__).parents[1] / "results" / "claims.json.gz"
"""What the tables are made of: a small copy of claims.json."""
_TEXTS = {
    claim.name: f"{claim.text} ({claim.place})"
    for paper in PAPERS.values()
    for claim in paper.claims
}
"""What stands in tables of a claim."""
_ON_BLOCKS = " on blocks"
_SOURCES = {THEIRS: "theirs", CHANGED: "changed", OTHER: "other"}
_KINDS = {"describes its data": "data", "found in its run": "run"}
_NOT = {"holds": "hold, but are not of its size:", FAILS: "do not hold:", OPEN: "cannot be told:"}
"""What a list of claims that are not confirmed begins with, by their verdict."""


def tables(papers: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return the tables of the papers of claims.json."""
    results = [_read(paper) for paper in papers]
    return {
        "made": f"{' '.join(summary(results))} {_how(results)}\n\n{_of(counts_table(results))}",
        "not": "\n".join(_not_confirmed(results)),
        "claims": "\n\n".join(_claims(results)),
        "blocks": _of(_by_machine(results)),
        "logs": _of(logs_table(results)),
    }


def _read(paper: dict[str, Any]) -> Reproduced:
    """Return a paper's results, its claims as they are now."""
    known = PAPERS[paper["paper"]]
    found = {
        one["claim"]: tuple(Found(**trial) for trial in one["found"]) for one in paper["claims"]
    }
    claims = [(claim, found[claim.name]) for claim in known.claims if claim.name in found]
    logs = tuple(LogUsed(**one) for one in paper["logs"])
    least, most = paper["shakes"]
    effort = Effort(least, most, quick=paper["quick"])
    return Reproduced(known, judged(claims), paper["failures"], effort, logs)


def _of(table: Table) -> str:
    """Return a table in Markdown, with its note below it."""
    rows = [table.columns, ("---",) * len(table.columns), *table.rows]
    told = "\n".join(f"| {' | '.join(one.replace('|', '/') for one in row)} |" for row in rows)
    # the kept results name the command of their day
    told = told.replace("pred-aware fetch", "pred-aware log fetch")
    return f"{told}\n\n{table.note}" if table.note else told


def _not_confirmed(results: list[Reproduced]) -> Iterator[str]:
    """Yield, for each kind of data, which claims are not confirmed and how, by their numbers."""
    rows = not_confirmed(results).rows
    for source in SOURCES:
        verdicts: dict[str, list[str]] = {}
        for name, _, cell, on, _ in (map(str, row) for row in rows):
            if on == source:
                verdict = cell.partition(" (")[0].partition("; ")[0]
                verdicts.setdefault(_NOT.get(verdict, verdict), []).append(name)
        told = "; ".join(f"{verdict} {', '.join(names)}" for verdict, names in verdicts.items())
        yield f"- **{source}**: {told or 'none'}"


def _claims(results: list[Reproduced]) -> Iterator[str]:
    """Yield a table of each paper's claims, with what their authors may answer."""
    answers: dict[str, dict[str, None]] = {}
    first: dict[str, str] = {}
    for name, _, _, _, answer in (map(str, row) for row in not_confirmed(results).rows):
        by = first.setdefault(answer, name)
        answers.setdefault(name, {})[answer if by == name else f"as {by}"] = None
    columns = (
        "claim",
        "what it says, and where",
        "kind",
        "what came out",
        "the authors may answer",
    )
    for one in results:
        rows = [
            (
                judged.claim.name,
                f"{text_of(judged)}{_figure(judged)}",
                _KINDS.get(kind_of(judged), kind_of(judged)),
                "; ".join(_came_out(judged)),
                "; ".join(answers.get(judged.claim.name, ())),
            )
            for judged in one.judged
        ]
        table = Table("", columns, tuple(rows))
        yield f"### Paper {one.paper.number}: {one.paper.title}\n\n{_of(table)}"


def _figure(judged: Judged) -> str:
    return f" The paper's: {judged.claim.figure}." if judged.claim.figure else ""


def _came_out(judged: Judged) -> Iterator[str]:
    for source in SOURCES:
        cell = str(cell_of(judged, source))
        if cell != NOTHING:
            standing = judged.standings[source]
            alone = (
                standing.together is not None
                and standing.together >= SURE
                and standing.verdict in (HOLDS, FAILS)
            )
            yield f"{_SOURCES[source]}: {cell}{' †' if alone else ''}"


def _how(results: list[Reproduced]) -> str:
    names = ", ".join(one.paper.number for one in results)
    efforts = [one.effort for one in results]
    least, most = min(one.at_least for one in efforts), max(one.at_most for one in efforts)
    shakes = f"{least}" if least == most else f"{least} to {most}"
    told = f"Figures of papers {names}, from {shakes} shakes of each log"
    if any(one.quick for one in efforts):
        return f"**{told}, by `--quick`: a first look at fewer logs, to be replaced.**"
    return f"{told}."


def _by_machine(results: list[Reproduced]) -> Table:
    """Return the claims of paper 004 that come out otherwise on blocks than counted."""
    rows = [row for one in results for judged in one.judged for row in _otherwise(judged)]
    columns = ("claim", "what it says", "counted: holds, does not", "on blocks: holds, does not")
    return Table("On blocks", columns, tuple(rows))


def _otherwise(judged: Judged) -> Iterator[tuple[str, ...]]:
    cells, sides = [], []
    for blocked in (False, True):
        found = [one for one in judged.found if (_ON_BLOCKS in one.ours) == blocked and one.runs]
        counts = Counter(one.verdict for one in found)
        cells.append(f"{counts[HOLDS]}, {counts[FAILS]} of {len(found)}")
        sides.append(counts[HOLDS] - counts[FAILS])
    if sides[0] * sides[1] < 0:
        yield judged.claim.name, _TEXTS[judged.claim.name], *cells


def kept() -> list[dict[str, Any]]:
    """Return the papers of which the page was made."""
    papers: list[dict[str, Any]] = json.loads(gzip.decompress(KEPT.read_bytes()))
    return papers


def _to_keep(paper: dict[str, Any]) -> dict[str, Any]:
    """Return what the page needs of a paper: what was found, and not what follows from it."""
    claims = [{"claim": one["claim"], "found": one["found"]} for one in paper["claims"]]
    return {**paper, "claims": claims}


def keep(files: Iterable[Path]) -> None:
    """Keep what claims.json files have, each paper from the last that has it."""
    new = [_to_keep(paper) for file in files for paper in json.loads(file.read_text("utf-8"))]
    found = {paper["paper"]: paper for paper in (*kept(), *new)}
    if any("logs" not in paper for paper in found.values()):
        raise SystemExit("claims.json is of an older version: call `pred-aware reproduce` again")
    content = json.dumps([found[number] for number in sorted(found)], separators=(",", ":"))
    KEPT.write_bytes(gzip.compress(content.encode(), mtime=0))
