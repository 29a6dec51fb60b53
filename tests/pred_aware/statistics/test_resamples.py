"""Percentiles of changes over resamples."""

import math

import numpy as np
import pytest

from pred_aware.statistics import other_years, over_logs
from tests.suites import each_case


def test_the_bounds_are_the_extremes_of_thirty_resamples_and_inner_values_of_many() -> None:
    few = other_years([100.0] * 30, [70.0 + n for n in range(30)])
    assert (few.low, few.high) == pytest.approx((-0.30, -0.01))
    assert few.level == pytest.approx(29 / 31)
    many = other_years([1000.0] * 399, [600.0 + n for n in range(1, 400)])
    assert (many.low, many.high) == pytest.approx((-0.39, -0.01))
    assert many.level == 0.95


def test_another_resample_is_between_the_bounds_with_the_stated_probability() -> None:
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        *new, another = np.exp(chance.standard_normal(31)).tolist()
        found = other_years([1.0] * 30, new)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= another - 1.0 <= found.high
    assert held / 2000 == pytest.approx(29 / 31, abs=0.017)


def test_resamples_that_disagree_are_counted_and_not_significant() -> None:
    found = other_years([10.0] * 4, [9.0, 8.0, 10.0, 13.0])
    assert (found.less, found.more, found.significant) == (2, 1, False)
    assert other_years([10.0] * 3, [9.0, 8.0, 7.0]).significant is True


@each_case(
    ("baseline", "other"), [([0.0, 1.0], [1.0, 1.0]), ([1.0, 1.0], [None, 1.0]), ([1.0], [2.0])]
)
def test_one_resample_without_a_change_gives_no_change(
    baseline: list[float | None], other: list[float | None]
) -> None:
    found = other_years(baseline, other)
    assert (found.value, found.low, found.significant) == (None, None, None)


def test_changes_of_logarithms_have_students_intervals() -> None:
    # logarithms -1, 0, 1: deviation 1, t with 2 degrees of freedom 4.302653
    found = over_logs([math.exp(-1.0), 1.0, math.e])
    assert found.mean.value == found.one_more.value == pytest.approx(1.0)
    assert found.mean.high == pytest.approx(math.exp(4.302653 / math.sqrt(3.0)), rel=1e-5)
    assert found.mean.low == pytest.approx(1.0 / found.mean.high)
    assert found.one_more.high == pytest.approx(math.exp(4.302653 * math.sqrt(4 / 3)), rel=1e-5)
    # of one log there is no interval
    found = over_logs([0.5])
    assert found.mean.value == pytest.approx(0.5)
    assert found.mean.low is found.one_more.high is None
    # a ratio of nothing is refused
    with pytest.raises(ValueError, match=r"one is 0\.0"):
        over_logs([0.5, 0.0])


def test_exchanging_baseline_and_policy_keeps_the_interval() -> None:
    ratios = [0.4, 0.5, 0.8, 1.1]
    one, other = over_logs(ratios).one_more, over_logs([1.0 / ratio for ratio in ratios]).one_more
    assert (one.low, one.high) == pytest.approx((1.0 / other.high, 1.0 / other.low))
