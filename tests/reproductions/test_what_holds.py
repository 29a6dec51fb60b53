"""The page of what holds: made of results, and true to the claims."""

import json
import re

from docs.make_what_holds import PAGE, page, with_texts
from reproductions.checks.claim import FAILS, HOLDS, OPEN, UNCHECKED, Found, Judged
from reproductions.evidence import QUICK
from reproductions.reproducing import PAPERS, Reproduced

NAMES = re.compile(r"\b00\d\.\d+\b")


def test_its_texts_are_those_of_the_claims() -> None:
    text = PAGE.read_text(encoding="utf-8")
    known = {claim.name for paper in PAPERS.values() for claim in paper.claims}
    assert set(NAMES.findall(text)) <= known
    assert text == with_texts(text), "run python docs/make_what_holds.py"


def test_claims_stand_in_the_table_of_what_became_of_them() -> None:
    paper = PAPERS["004"]
    given = {
        "004.7": [("Mira", HOLDS), ("Intrepid", FAILS)],
        "004.8": [("Intrepid", HOLDS), ("Mira", OPEN)],
        "004.9": [("Intrepid", FAILS), ("Mira", FAILS)],
        "004.10": [("Intrepid", HOLDS), ("Mira", FAILS)],
        "004.11": [("Mira", OPEN)],
        "004.12": [("Mira", UNCHECKED)],
    }
    judged = tuple(
        Judged(claim, tuple(Found(log, "ours", verdict, runs=5) for log, verdict in found))
        for claim in paper.claims
        if (found := given.get(claim.name))
    )
    made = json.dumps([Reproduced(paper, judged, {}, QUICK).to_dict()])
    text = page(PAGE.read_text(encoding="utf-8"), json.loads(made))
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    found = {one.partition("\n")[0]: NAMES.findall(one) for one in sections}
    assert found == {
        "What stands where its authors never looked": ["004.7"],
        "What stands on the authors' own logs": ["004.8"],
        "What does not stand": ["004.9"],
        "What stands in part": ["004.10"],
        "What a better experiment turns round": ["004.7", "004.9"],
        "What can't be told": ["004.11"],
        "What can't be checked": ["004.12"],
    }
    assert "by `--quick`: a first look" in head
