"""Changes over the weeks of one pair of runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.statistics import by_weeks

WAITS = st.integers(0, 10**6)


def test_constant_changes_have_exact_intervals_and_few_weeks_have_none() -> None:
    baseline = [float(n + 5) for n in range(20)]
    same = by_weeks(baseline, baseline)
    assert (same.value, same.low, same.high, same.significant) == (0.0, 0.0, 0.0, False)
    half = by_weeks(baseline, [one / 2 for one in baseline])
    assert (half.value, half.low, half.high) == pytest.approx((-0.5, -0.5, -0.5))
    # few weeks have a change and no interval
    found = by_weeks([1.0] * 7, [2.0] * 7)
    assert (found.value, found.low, found.shakes) == (1.0, None, 7)
    assert by_weeks([0.0] * 9, [1.0] * 9).value is None
    # without waits the change is -100 %
    found = by_weeks([1.0, 2.0, 5.0, 3.0] * 3, [0.0] * 12)
    assert (found.value, found.low, found.high) == (-1.0, -1.0, -1.0)
    # weeks that tell it to no factor of a thousand have no interval
    baseline = [1.1, 6.3, 3.2, 1.5, 0.7, 1.7, 0.8, 3.5]
    found = by_weeks(baseline, [0.6, 7.0, 2.9, 2.3, 0.8, 13.1, 2.7, 11.6])
    told = (found.value, found.low, found.significant)
    assert told == (pytest.approx(1.18, abs=0.01), None, None)


def test_the_interval_has_its_coverage_for_identically_distributed_weeks() -> None:
    chance, held = np.random.default_rng(1), 0
    for _ in range(300):
        baseline = chance.lognormal(0, 0.5, 60)
        other = baseline * chance.lognormal(-0.2 - 0.02, 0.2, 60)
        found = by_weeks(baseline.tolist(), other.tolist(), draws=500)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= np.exp(-0.2) - 1.0 <= found.high
    assert 0.91 <= held / 300 <= 0.99


def test_correlated_weeks_widen_the_interval() -> None:
    chance = np.random.default_rng(2)
    baseline = np.ones(64)
    alone = 0.8 + 0.2 * chance.standard_normal(64)
    widths = []
    for other in (alone, np.sort(alone)):
        found = by_weeks(baseline.tolist(), other.tolist())
        assert found.half_width is not None
        widths.append(found.half_width)
    assert widths[1] > 1.5 * widths[0]


@given(st.lists(st.tuples(WAITS, WAITS), min_size=8, max_size=15))
def test_no_bound_is_below_minus_100_percent(weeks: list[tuple[int, int]]) -> None:
    baseline, other = zip(*weeks, strict=True)
    found = by_weeks(baseline, other, draws=100)
    assert found.low is None or -1.0 <= found.low <= found.high


def test_a_change_due_to_few_crowded_weeks_stays_in_the_possible_range() -> None:
    baseline = [40.0, 900.0, 30.0, 20.0, 2500.0, 60.0, 10.0, 80.0, 1400.0, 30.0, 50.0, 20.0, 700.0]
    other = [30.0, 20.0, 28.0, 20.0, 400.0, 60.0, 10.0, 70.0, 60.0, 30.0, 45.0, 20.0, 500.0]
    found = by_weeks(baseline, other)
    back = by_weeks(other, baseline)
    assert found.low > -1.0
    # either may be the baseline
    assert (1.0 + found.low) * (1.0 + back.high) == pytest.approx(1.0)


def test_equal_weeks_give_equal_results_and_mismatched_ones_are_refused() -> None:
    baseline, other = [1.0, 2.0, 5.0, 3.0] * 4, [2.0, 2.0, 4.0, 1.0] * 4
    assert by_weeks(baseline, other) == by_weeks(baseline, other)
    with pytest.raises(ValueError, match="16 weeks of the baseline but 3 of the policy"):
        by_weeks(baseline, [1.0] * 3)
