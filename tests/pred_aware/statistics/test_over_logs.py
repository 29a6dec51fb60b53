import math

import pytest

from pred_aware.statistics import over_logs


def test_logarithms_have_students_intervals() -> None:
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


def test_whichever_is_the_baseline_the_interval_is_the_same() -> None:
    ratios = [0.4, 0.5, 0.8, 1.1]
    one, other = over_logs(ratios).one_more, over_logs([1.0 / ratio for ratio in ratios]).one_more
    assert (one.low, one.high) == pytest.approx((1.0 / other.high, 1.0 / other.low))
