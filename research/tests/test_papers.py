"""The lists of claims: complete, and about what is simulated and replayed."""

import pytest

from pred_aware.campaign.campaign import Campaign
from reproductions.checks.claim import KINDS, OTHER, OURS, SOURCES, THEIRS
from reproductions.checks.of_counts import Count, Steps
from reproductions.checks.of_replays import Against, ReplayFigure, WeeklyDifference, WeeklyMean
from reproductions.checks.of_simulations import (
    Agreement,
    GainOfClass,
    GroupDifference,
    LeastAmong,
    PolicyDifference,
)
from reproductions.checks.statement import Statement
from reproductions.claims.paper_004_trying import LENGTHS, SIZES
from reproductions.contents import CONTENTS, places_of, ticked
from reproductions.counting import COUNTS, OF_THE_LOG
from reproductions.logs import LOGS
from reproductions.paper import Paper
from reproductions.reproducing import PAPERS

ONLY_ELSEWHERE = {
    *("000.29", "003.10", "003.13", "003.23"),
    *(f"004.{place}" for place in (27, 28, 30)),
}
"""Claims of which what the authors had tells nothing: their waits are recorded, and not simulated;
the archive's log has no projects; and one is ours."""
each_paper = pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)


@each_paper
def test_claims_are_counted_through_and_each_is_tried_or_says_why_not(paper: Paper) -> None:
    # one that the paper does not make was dropped, and the others keep their numbers
    dropped = {"004": {38}}.get(paper.number, set())
    numbers = set(range(1, len(paper.claims) + len(dropped) + 1)) - dropped
    assert [claim.name for claim in paper.claims] == [
        f"{paper.number}.{place}" for place in sorted(numbers)
    ]
    for claim in paper.claims:
        assert bool(claim.checks) != bool(claim.untried), claim.name
        assert claim.text.endswith("."), claim.name
        assert claim.kind in KINDS, claim.name
        assert {check.source for check in claim.checks} <= {"", *SOURCES}, claim.name


@each_paper
def test_each_claim_is_about_what_its_authors_had_or_says_that_it_is_not(paper: Paper) -> None:
    assert set(paper.own) <= set(LOGS)
    for claim in paper.claims:
        theirs = [check for check in claim.checks if check.source or check.log in {"", *paper.own}]
        assert theirs or claim.untried or claim.name in ONLY_ELSEWHERE, claim.name


@each_paper
def test_its_authors_may_answer_where_a_claim_is_not_confirmed(paper: Paper) -> None:
    for claim in paper.claims:
        if claim.answer or claim.kind == OURS or claim.true_by_construction:
            continue
        for check in claim.checks:
            source = check.source or (THEIRS if check.log in {"", *paper.own} else OTHER)
            assert paper.answers.get(source), (claim.name, source)


@each_paper
def test_checks_ask_for_what_is_simulated_or_replayed(paper: Paper) -> None:
    pairs = [
        (log, policy) for one in paper.simulations for log in one.logs for policy in one.policies
    ]
    simulated = set(pairs)
    assert len(simulated) == len(pairs)
    for claim in paper.claims:
        for check in claim.checks:
            assert isinstance(check, Statement)
            quantity = check.quantity
            assert check.log in LOGS or isinstance(quantity, Steps), claim.name
            if isinstance(quantity, Against):
                quantity = quantity.one
            if isinstance(quantity, GroupDifference):
                asked = {(check.log, one) for one in (quantity.policy, quantity.than_policy)}
                assert asked <= simulated, claim.name
            if isinstance(quantity, Count):
                assert quantity.name in COUNTS or quantity.name in OF_THE_LOG, claim.name
            if isinstance(quantity, Agreement):
                assert quantity.other in paper.measures, claim.name
            if isinstance(quantity, PolicyDifference | LeastAmong | GainOfClass | Agreement):
                least = isinstance(quantity, LeastAmong)
                others = quantity.among if least else (quantity.than,)
                asked = {(check.log, policy) for policy in (quantity.policy, *others)}
                assert asked <= simulated, claim.name
                assert quantity.measure in paper.measures, claim.name
            if isinstance(quantity, WeeklyMean | WeeklyDifference | ReplayFigure):
                assert quantity.predictor in paper.predictors, claim.name
                assert check.log in paper.replayed, claim.name


@each_paper
def test_each_place_of_a_paper_has_a_claim_or_says_why_not(paper: Paper) -> None:
    known = {place.name for place in CONTENTS[paper.number]}
    for claim in paper.claims:
        assert set(places_of(claim)) <= known, claim.name
    for place, names in ticked(paper.number, paper.claims):
        assert names or place.none, place.name


@each_paper
def test_the_policies_can_be_made(paper: Paper) -> None:
    for one in paper.simulations:
        logs = {name: {"file": f"{name}.swf", **rest} for name, rest in one.logs.items()}
        policies = {name: dict(options) for name, options in one.policies.items()}
        content = {"logs": logs, "policies": policies, "measures": list(paper.measures)}
        assert Campaign.of(content).policies == list(one.policies)


def test_classes_of_claims_are_those_that_are_simulated() -> None:
    nodes = [int(jobs.label.split()[2].replace(",", "")) for jobs in SIZES[:-1]]
    for one in PAPERS["004"].simulations:
        assert {by: len(edges) + 1 for by, edges in one.classes.items()} == {
            "size": len(SIZES),
            "length": len(LENGTHS),
        }
        node_processors = 1 if "Mira" in one.logs else 4
        assert [edge / node_processors for edge in one.classes["size"]] == nodes
