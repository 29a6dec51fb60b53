"""Percentiles of changes over resamples."""

import numpy as np
import pytest

from pred_aware.statistics import other_years
from tests.suites import each_case


def test_the_ends_are_the_outermost_of_thirty_and_inner_ones_of_many() -> None:
    few = other_years([100.0] * 30, [70.0 + n for n in range(30)])
    assert (few.low, few.high) == pytest.approx((-0.30, -0.01))
    assert few.level == pytest.approx(29 / 31)
    many = other_years([1000.0] * 399, [600.0 + n for n in range(1, 400)])
    assert (many.low, many.high) == pytest.approx((-0.39, -0.01))
    assert many.level == 0.95


def test_one_resample_more_lies_between_the_ends_as_often_as_is_said() -> None:
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        *new, another = np.exp(chance.standard_normal(31)).tolist()
        found = other_years([1.0] * 30, new)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= another - 1.0 <= found.high
    assert held / 2000 == pytest.approx(29 / 31, abs=0.017)


def test_years_that_do_not_agree_are_counted_and_not_significant() -> None:
    found = other_years([10.0] * 4, [9.0, 8.0, 10.0, 13.0])
    assert (found.less, found.more, found.significant) == (2, 1, False)
    assert other_years([10.0] * 3, [9.0, 8.0, 7.0]).significant is True


@each_case(
    ("baseline", "other"), [([0.0, 1.0], [1.0, 1.0]), ([1.0, 1.0], [None, 1.0]), ([1.0], [2.0])]
)
def test_where_a_resample_has_no_change_there_is_none(
    baseline: list[float | None], other: list[float | None]
) -> None:
    found = other_years(baseline, other)
    assert (found.value, found.low, found.significant) == (None, None, None)
