"""The tables of docs/evidence/what-holds.md: what `pred-aware reproduce all` has found."""

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pred_aware.report import Table
from reproductions.checks.claim import FAILS, HOLDS, Found
from reproductions.claims_tables import in_short
from reproductions.evidence import Effort
from reproductions.judging import Judged, judged
from reproductions.report import counts_table, logs_table, not_confirmed, summary
from reproductions.reproducing import PAPERS, LogUsed, Reproduced

KEPT = Path(__file__).parents[2] / "benchmarks" / "results" / "claims.json.gz"
"""What the tables are made of: a small copy of claims.json."""
_TEXTS = {
    claim.name: f"{claim.text} ({claim.place})"
    for paper in PAPERS.values()
    for claim in paper.claims
}
"""What stands in tables of a claim."""
_ON_BLOCKS = " on blocks"


def tables(papers: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return the tables of the papers of claims.json."""
    results = [_read(paper) for paper in papers]
    return {
        "made": f"{' '.join(summary(results))} {_how(results)}\n\n{_of(counts_table(results))}",
        "not": _of(_each_answer_once(not_confirmed(results))),
        "claims": "\n\n".join(
            f"### {table.title}\n\n{_of(table)}" for table in map(in_short, results)
        ),
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
    return f"{told}\n\n{table.note}" if table.note else told


def _each_answer_once(table: Table) -> Table:
    """Return the table with an answer that an earlier claim has, too, by that claim's number."""
    first: dict[str, str] = {}
    rows = []
    for row in table.rows:
        name, *middle, answer = map(str, row)
        by = first.setdefault(answer, name)
        rows.append((name, *middle, answer if by == name else f"as {by}"))
    return replace(table, rows=tuple(rows))


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
