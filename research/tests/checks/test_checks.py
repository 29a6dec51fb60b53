"""How claims are judged, by figures made up: what holds, what does not, what cannot be told."""

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import cast

import pytest

from pred_aware.statistics import Difference, paired_difference
from reproductions.checks.claim import FAILS, HOLDS, NO, OPEN, YES
from reproductions.checks.of_simulations import (
    Agreement,
    GainOfClass,
    JobClass,
    LeastAmong,
    PolicyDifference,
)
from reproductions.checks.statement import (
    LESS,
    About,
    Between,
    Equal,
    Estimate,
    Relation,
    Size,
    Statement,
    above,
    below,
    counted,
)
from reproductions.claims.paper_004_trying import SIZES
from reproductions.evidence import Evidence

SMALL, LARGE = SIZES[0], SIZES[-1]
BASELINE = (100.0, 120.0, 95.0, 110.0)
QUARTER_LESS = tuple(0.75 * value + off for value, off in zip(BASELINE, (1, -1, 2, 0), strict=True))
AS_MUCH = tuple(value + off for value, off in zip(BASELINE, (9, -9, 12, -10), strict=True))


class Waits:
    """Mean waits over four shakes, by policy and class of jobs."""

    simulated: "Waits"

    def __init__(self, **waits: Sequence[float]) -> None:
        self._waits = waits
        self.simulated = self

    def pairs(
        self, _: str, policy: str, than: str, __: str, **classes: JobClass
    ) -> Iterator[list[float]]:
        of = {jobs: "small" if classes[jobs] == SMALL else "large" for jobs in classes}
        yield list(self._waits[f"{than}_{of.get('others', 'all')}"])
        yield list(self._waits[f"{policy}_{of.get('jobs', 'all')}"])

    def difference(self, *names: str, **classes: JobClass) -> Difference:
        return paired_difference(*self.pairs(*names, **classes))


def waits(small: Sequence[float], large: Sequence[float]) -> Evidence:
    return cast(
        "Evidence",
        Waits(baseline_small=BASELINE, baseline_large=BASELINE, new_small=small, new_large=large),
    )


@pytest.mark.parametrize(
    ("small", "large", "verdict"),
    [
        (QUARTER_LESS, BASELINE, HOLDS),
        (BASELINE, QUARTER_LESS, FAILS),
        (QUARTER_LESS, QUARTER_LESS, OPEN),
    ],
)
def test_a_class_gains_more_if_the_difference_of_both_gains_is_told(
    small: Sequence[float], large: Sequence[float], verdict: str
) -> None:
    found = Statement(GainOfClass("new", "baseline", SMALL, LARGE), above(0.0)).look(
        waits(small, large)
    )
    assert found.verdict == verdict
    assert found.value == pytest.approx((sum(large) - sum(small)) / sum(BASELINE))


def test_of_several_that_one_must_be_less_than_each_is_told_with_all_in_view() -> None:
    # p = 0.037 alone
    a_little_less = tuple(value - off for value, off in zip(BASELINE, (2, 9, 5, 8), strict=True))
    of = {"new_all": a_little_less, **{f"{name}_all": BASELINE for name in "abc"}}
    found = [
        Statement(LeastAmong("new", among)).look(cast("Evidence", Waits(**of)))
        for among in (("a",), ("a", "b", "c"))
    ]
    assert [one.verdict for one in found] == [HOLDS, OPEN]
    assert found[0].ours == found[1].ours


@pytest.mark.parametrize(
    ("slowdowns", "verdict"),
    [(QUARTER_LESS, HOLDS), (tuple(1.5 * value for value in BASELINE), FAILS), (AS_MUCH, OPEN)],
)
def test_two_measures_agree_if_both_are_surely_on_one_side(
    slowdowns: Sequence[float], verdict: str
) -> None:
    class Two(Waits):
        def difference(self, *names: str, **_: JobClass) -> Difference:
            return paired_difference(BASELINE, self._waits[names[-1]])

    evidence = Two(mean_bounded_slowdown=slowdowns, mean_waiting_time=QUARTER_LESS)
    check = Statement(Agreement("new", "baseline", "mean_bounded_slowdown"))
    found = check.look(cast("Evidence", evidence))
    assert found.verdict == verdict
    assert (found.p_value == 1.0) == (verdict == OPEN)


def test_a_class_waits_less_by_its_own_shakes_alone() -> None:
    evidence = waits(QUARTER_LESS, AS_MUCH)
    found = [
        Statement(PolicyDifference("new", "baseline", jobs=jobs, others=jobs)).look(evidence)
        for jobs in (SMALL, LARGE)
    ]
    assert [one.verdict for one in found] == [HOLDS, OPEN]
    across = Statement(PolicyDifference("new", "new", jobs=SMALL, others=LARGE)).look(evidence)
    assert across.verdict == HOLDS
    assert "up to 512 nodes against those of more than 16,384 nodes" in across.ours


@pytest.mark.parametrize(
    ("relation", "low", "high", "verdict"),
    [
        (below(0.0), -0.2, -0.1, HOLDS),
        (below(0.0), -0.2, 0.1, OPEN),
        (below(0.0), 0.1, 0.2, FAILS),
        (below(0.0), None, None, OPEN),
        (above(0.5), 0.6, 0.7, HOLDS),
        (Between(0.1, 0.3), 0.0, 0.2, OPEN),
        (About(0.05), -0.05, 0.01, HOLDS),
        (About(0.05), 0.01, 0.06, OPEN),
        (About(0.05), 0.06, 0.07, FAILS),
    ],
)
def test_a_relation_holds_if_the_whole_interval_does(
    relation: Relation, low: float | None, high: float | None, verdict: str
) -> None:
    assert relation.verdict(Estimate("", 0.0, low, high)) == verdict


def test_what_is_counted_holds_or_does_not() -> None:
    beside = counted("", 5.0, than=5.0)
    assert [one.verdict(beside) for one in (LESS, About(0.0), Equal(5))] == [FAILS, HOLDS, HOLDS]
    assert below(5.1).verdict(counted("", 5.0)) == HOLDS


@pytest.mark.parametrize(
    ("size", "low", "high", "verdict"),
    [
        (Size(-0.2), -0.22, -0.17, YES),
        (Size(-0.2), -0.4, -0.1, OPEN),
        (Size(-0.2), -0.4, -0.21, NO),
        (Size(6.7), 2.5, 5.6, NO),
        (Size(-0.55, -0.3), -0.6, -0.25, YES),
        (Size(-0.55, -0.3), -0.2, -0.1, NO),
        (Size(-0.95), -0.957, -0.942, YES),
        (Size(-0.95), -0.97, -0.75, OPEN),
        (Size(-0.95, points=True), -0.97, -0.75, YES),
        (Size(-0.5), -1.2, -0.4, OPEN),
    ],
)
def test_it_is_of_the_papers_size_within_a_quarter(
    size: Size, low: float, high: float, verdict: str
) -> None:
    assert size.verdict(Estimate("", (low + high) / 2, low, high)) == verdict


def test_a_size_is_the_same_whichever_of_two_is_named_first() -> None:
    for low, high in ((0.8, 1.2), (0.7, 1.2), (0.8, 1.3), (0.2, 0.9), (1.1, 9.0)):
        more = Size(1.0).verdict(Estimate("", 1.0, low, high))
        less = Estimate("", -0.5, 1.0 / (1.0 + high) - 1.0, 1.0 / (1.0 + low) - 1.0)
        assert Size(-0.5).verdict(less) == more


def test_what_does_not_hold_is_of_no_size() -> None:
    class Fixed:
        def estimate(self, log: str, evidence: Evidence) -> Estimate:
            return counted("", 0.85)

    found = Statement(Fixed(), above(0.9), size=Size(0.99)).look(waits(BASELINE, BASELINE))
    assert (found.verdict, found.size) == (FAILS, NO)


def test_a_p_value_is_that_of_the_interval() -> None:
    found = paired_difference(BASELINE, QUARTER_LESS)
    of = Estimate("", found.value, found.low, found.high, 4, freedom=3.0)
    assert LESS.p_value(of) == pytest.approx(found.p_value, rel=1e-6)
    assert found.low is not None
    assert below(found.low).p_value(of) == pytest.approx(0.05)
    assert below(0.0).p_value(counted("", -1.0)) is None
    # of a ratio's logarithm: two of its standard errors off, and not the many of the ratio itself
    ratio = Estimate(
        "", -0.8, 0.2 * math.exp(-0.98) - 1.0, 0.2 * math.exp(0.98) - 1.0, ratio_less=1.0
    )
    found_at = 0.2 * math.exp(1.0) - 1.0
    assert below(found_at).p_value(ratio) == pytest.approx(2 * NormalDist().cdf(-2.0), rel=1e-2)
