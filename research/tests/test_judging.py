"""What the trials of a claim say together, by one rule, on each kind of data."""

from dataclasses import replace

import pytest

from reproductions.checks.claim import (
    CHANGED,
    DATA,
    FAILS,
    HOLDS,
    NO,
    OPEN,
    OTHER,
    OURS,
    THEIRS,
    UNTRIED,
    YES,
    Claim,
    Found,
)
from reproductions.checks.of_counts import Count
from reproductions.checks.statement import NO_LOG, Statement
from reproductions.judging import Judged, judged, standing

CLAIM = Claim("004.1", "", "")


def trials(verdicts: str, source: str = THEIRS, *, p_value: float | None = None) -> list[Found]:
    """Trials by their letters: (h)olds, (f)ails, (o)pen, (u)ntried."""
    named = {"h": HOLDS, "f": FAILS, "o": OPEN, "u": UNTRIED}
    return [Found("", "", named[one], source=source, p_value=p_value) for one in verdicts]


@pytest.mark.parametrize(
    ("verdicts", "source", "verdict"),
    [
        ("hhoo", THEIRS, HOLDS),
        ("hooo", THEIRS, OPEN),
        ("hhhf", CHANGED, OPEN),
        ("ffo", CHANGED, FAILS),
        ("huu", THEIRS, HOLDS),
        ("uu", THEIRS, UNTRIED),
        ("", THEIRS, UNTRIED),
        ("hhoo", OTHER, OPEN),
        ("hhho", OTHER, HOLDS),
        ("hh", OTHER, OPEN),
    ],
)
def test_half_of_the_trials_and_none_against(verdicts: str, source: str, verdict: str) -> None:
    assert standing(CLAIM, trials(verdicts, source), source).verdict == verdict


@pytest.mark.parametrize(("verdicts", "verdict"), [("hff", HOLDS), ("ffo", OPEN), ("ff", FAILS)])
def test_some_is_said_of_one_trial_that_holds(verdicts: str, verdict: str) -> None:
    claim = replace(CLAIM, some=True)
    assert standing(claim, trials(verdicts), THEIRS).verdict == verdict


def test_kinds_of_data_are_judged_apart() -> None:
    (one,) = judged([(CLAIM, (*trials("hh"), *trials("f", CHANGED), *trials("hhhh", OTHER)))])
    assert [each.verdict for each in one.standings.values()] == [HOLDS, FAILS, HOLDS]


def of(claim: Claim) -> Judged:
    (one,) = judged([(claim, tuple(trials("h")))])
    return one


def test_what_describes_their_data_is_not_refuted_by_others_and_ours_is_no_claim() -> None:
    assert of(CLAIM).counts_on(OTHER)
    described = of(replace(CLAIM, kind=DATA))
    assert (described.counts_on(THEIRS), described.counts_on(OTHER)) == (True, False)
    assert not of(replace(CLAIM, kind=OURS)).counts_on(THEIRS)


def test_what_can_t_come_out_otherwise_counts_for_nothing() -> None:
    always = [replace(one, true_by_construction=True) for one in trials("hhh")]
    assert standing(CLAIM, [*always, *trials("f")], THEIRS).verdict == FAILS
    check = Statement(Count("jobs"), log=NO_LOG, true_by_construction=True)
    claim = replace(CLAIM, checks=(check,))
    (one,) = judged([(claim, tuple(always))])
    assert (one.standings[THEIRS].verdict, one.counts_on(THEIRS)) == (HOLDS, False)


def test_sizes_are_told_by_the_same_rule() -> None:
    sizes = [
        replace(one, size=size) for one, size in zip(trials("hhh"), (YES, YES, NO), strict=True)
    ]
    assert standing(CLAIM, sizes, THEIRS).size == OPEN
    assert standing(CLAIM, sizes[:2], THEIRS).size == YES
    assert standing(CLAIM, trials("h"), THEIRS).size == ""


def test_the_p_value_is_that_of_as_many_trials_as_are_asked_for() -> None:
    # two of four: three times the second smallest
    found = [
        replace(one, p_value=value)
        for one, value in zip(trials("hhho"), (0.01, 0.002, 0.03, 0.5), strict=True)
    ]
    assert standing(CLAIM, found, THEIRS).p_value == pytest.approx(0.03)
    assert standing(CLAIM, trials("hf", p_value=0.01), THEIRS).p_value == 1.0
    assert standing(CLAIM, trials("hh"), THEIRS).p_value is None


def test_all_claims_of_a_paper_are_in_view() -> None:
    values = (0.01, 0.02, None)
    claims = judged(
        (replace(CLAIM, name=f"004.{place}"), tuple(trials("h", p_value=value)))
        for place, value in enumerate(values)
    )
    assert [one.standings[THEIRS].together for one in claims] == [0.02, 0.02, None]
