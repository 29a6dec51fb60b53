import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.statistics import mean_interval, paired_difference
from tests.suites import each_case

FIGURES = st.lists(st.floats(1.0, 1e6), min_size=2, max_size=30)


def test_a_mean_has_students_interval_wider_at_a_higher_level() -> None:
    # 10 values 1..10: deviation 3.02765, t with 9 degrees of freedom 2.262157
    found = mean_interval([float(n) for n in range(1, 11)])
    assert found.value == 5.5
    assert found.half_width == pytest.approx(2.262157 * 3.02765 / math.sqrt(10), rel=1e-5)
    # an interval of another level is wider
    narrow, wide = (mean_interval([1.0, 2.0, 3.0], level=level) for level in (0.9, 0.99))
    assert narrow.half_width is not None
    assert wide.half_width is not None
    assert narrow.half_width < wide.half_width


def test_overlapping_splits_use_the_variance_of_nadeau_and_bengio() -> None:
    values = [float(n) for n in range(1, 11)]
    # 1 / 10 + 1 / 4 of the variance, by hand
    half = 2.262157 * 3.02765 * math.sqrt(0.35)
    assert mean_interval(values, overlap=0.25).half_width == pytest.approx(half, rel=1e-5)
    # of a baseline that is always 1 the ratio has the interval of the mean, less 1
    against_one = paired_difference([1.0] * 10, values, overlap=0.25)
    assert against_one.half_width == pytest.approx(half, rel=1e-5)


def test_unpaired_values_have_no_interval() -> None:
    found = paired_difference([200.0], [150.0])
    assert (found.value, found.absolute, found.low, found.significant) == (-0.25, -50.0, None, None)
    assert not found.known_to(1.0)
    # shakes that are not paired are refused
    with pytest.raises(ValueError, match="2 copies of the baseline but 1 of the policy"):
        paired_difference([1.0, 2.0], [1.0])


@each_case(("baseline", "other"), [([None, 1.0], [1.0, 2.0]), ([], []), ([0.0], [1.0])])
def test_missing_values_and_a_baseline_of_zero_give_no_difference(
    baseline: list[float], other: list[float]
) -> None:
    assert paired_difference(baseline, other).value is None


@given(FIGURES)
def test_the_same_runs_are_not_significant(baseline: list[float]) -> None:
    found = paired_difference(baseline, baseline)
    assert (found.value, found.low, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert found.significant is False


@given(FIGURES, st.floats(0.01, 100.0))
def test_a_constant_factor_has_an_interval_of_width_zero(
    baseline: list[float], factor: float
) -> None:
    found = paired_difference(baseline, [factor * value for value in baseline])
    assert found.value == pytest.approx(factor - 1.0, abs=1e-9)
    assert found.half_width == pytest.approx(0.0, abs=1e-9)


def test_a_change_is_significant_if_its_p_value_is_below_the_level() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        baseline = rng.normal(100, 5, 12)
        found = paired_difference(
            baseline.tolist(), (baseline * 1.01 + rng.normal(0, 2, 12)).tolist()
        )
        assert found.p_value is not None
        assert found.significant == (found.p_value < 0.05)


def test_the_interval_does_not_depend_on_the_unit() -> None:
    baseline, other = [100.0, 110.0, 95.0], [90.0, 101.0, 91.0]
    seconds = paired_difference(baseline, other)
    hours = paired_difference([x / 3600 for x in baseline], [x / 3600 for x in other])
    assert (hours.low, hours.high) == pytest.approx((seconds.low, seconds.high))
