"""The page of what holds: made of results, and true to the claims."""

import json
import re

from made.what_holds import kept, tables
from make_tables import DOCS, with_tables
from reproductions.checks.claim import (
    CHANGED,
    FAILS,
    HOLDS,
    NO,
    OPEN,
    OTHER,
    THEIRS,
    UNTRIED,
    YES,
    Found,
)
from reproductions.evidence import QUICK
from reproductions.judging import judged
from reproductions.report import not_confirmed
from reproductions.reproducing import PAPERS, LogUsed, Reproduced

PAGE = DOCS / "what-holds.md"
NAMES = re.compile(r"\b00\d\.\d+\b")


def test_it_names_no_claim_that_there_is_not() -> None:
    text = PAGE.read_text(encoding="utf-8")
    known = {claim.name for paper in PAPERS.values() for claim in paper.claims}
    assert set(NAMES.findall(text)) <= known


def test_a_figure_that_is_not_what_was_found_is_noticed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    papers = kept()
    papers[0]["claims"][0]["found"] = papers[0]["claims"][3]["found"]
    assert text != with_tables(text, tables(papers))


def test_claims_stand_in_it_with_what_became_of_them_where() -> None:
    paper = PAPERS["004"]
    given = {
        "004.7": [("Intrepid", HOLDS, CHANGED), *[("Mira", HOLDS, OTHER)] * 3],
        "004.9": [("Intrepid", FAILS, CHANGED), ("Mira", OPEN, OTHER)],
        "004.12": [("Mira", UNTRIED, OTHER)],
    }
    claims = [
        (
            claim,
            tuple(Found(log, "ours", told, runs=5, source=source) for log, told, source in found),
        )
        for claim in paper.claims
        if (found := given.get(claim.name))
    ]
    logs = (
        LogUsed("Intrepid", CHANGED, "ANL-Intrepid-2009-1.swf.gz", "", 68_936, 58_535, "later"),
    )
    made = json.dumps([Reproduced(paper, judged(claims), {}, QUICK, logs).to_dict()])
    text = "\n".join(tables(json.loads(made)).values())
    rows = {one.split(" | ")[0][2:]: one for one in text.splitlines() if one.startswith("| 004.")}
    assert "| changed: holds (Intrepid)" in rows["004.7"]
    assert "; other: holds (Mira 3 of 3)" in rows["004.7"]
    assert "| other: not tried: Mira |" in rows["004.12"]
    assert "| 004.9 | WFP backfills fewer jobs than FCFS." in text
    assert "- **authors' data, changed**: do not hold: 004.9" in text
    assert "| authors' data, changed | later |" in text
    assert "68,936 | 58,535" in text
    assert "by `--quick`: a first look" in text


def test_what_is_not_confirmed_stands_with_what_its_authors_may_answer() -> None:
    paper = PAPERS["001"]
    given = {
        "001.11": [(HOLDS, THEIRS, YES), (HOLDS, CHANGED, OPEN)],
        "001.14": [(HOLDS, THEIRS, YES), (FAILS, CHANGED, NO)],
        "001.17": [(HOLDS, THEIRS, YES), (HOLDS, CHANGED, NO)],
        "001.24": [(HOLDS, THEIRS, YES), (OPEN, CHANGED, OPEN)],
        "001.6": [(FAILS, OTHER, NO)] * 3,
        "001.7": [(OPEN, OTHER, OPEN)] * 3,
    }
    claims = [
        (
            claim,
            tuple(Found("", "", told, source=source, size=size) for told, source, size in found),
        )
        for claim in paper.claims
        if (found := given.get(claim.name))
    ]
    rows = not_confirmed([Reproduced(paper, judged(claims), {}, QUICK)]).rows
    assert [(row[0], row[3]) for row in rows] == [
        *((name, CHANGED) for name in ("001.14", "001.17", "001.24")),
        ("001.6", OTHER),
    ]
    assert rows[0][4] == paper.answers[CHANGED]
    assert "001.49" in rows[-1][4]
