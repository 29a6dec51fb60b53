"""The page of what holds: made of results, and true to the claims."""

import json
import re

from docs.make_what_holds import PAGE, page, with_texts
from reproductions.checks.claim import CHANGED, FAILS, HOLDS, OPEN, OTHER, UNTRIED, Found
from reproductions.evidence import QUICK
from reproductions.judging import judged
from reproductions.reproducing import PAPERS, LogUsed, Reproduced

NAMES = re.compile(r"\b00\d\.\d+\b")


def test_its_texts_are_those_of_the_claims() -> None:
    text = PAGE.read_text(encoding="utf-8")
    known = {claim.name for paper in PAPERS.values() for claim in paper.claims}
    assert set(NAMES.findall(text)) <= known
    assert text == with_texts(text), "run python docs/make_what_holds.py"


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
    text = page(PAGE.read_text(encoding="utf-8"), json.loads(made))
    rows = {one.split(" | ")[0][2:]: one for one in text.splitlines() if one.startswith("| 004.")}
    assert "| - | holds (Intrepid) | holds (Mira 3 of 3) |" in rows["004.7"]
    assert "| not tried: Mira | - |" in rows["004.12"]
    assert "| 004.9 | WFP backfills fewer jobs than FCFS." in text
    assert "| authors' data, changed | later |" in text
    assert "68,936 | 58,535" in text
    assert "by `--quick`: a first look" in text
