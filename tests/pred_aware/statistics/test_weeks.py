"""Changes over the weeks of one pair of runs."""

import numpy as np
import pytest

from pred_aware.statistics import by_weeks


def test_alike_weeks_are_no_chance_and_no_change_is_none() -> None:
    base = [float(n + 5) for n in range(20)]
    same = by_weeks(base, base)
    assert (same.value, same.low, same.high, same.told_apart) == (0.0, 0.0, 0.0, False)
    half = by_weeks(base, [one / 2 for one in base])
    assert (half.value, half.low, half.high) == pytest.approx((-0.5, -0.5, -0.5))


def test_the_interval_covers_what_it_should_where_weeks_are_alike_in_distribution() -> None:
    chance, held = np.random.default_rng(1), 0
    for _ in range(300):
        base = chance.lognormal(0, 0.5, 60)
        other = base * chance.lognormal(-0.2 - 0.02, 0.2, 60)
        found = by_weeks(base.tolist(), other.tolist(), draws=500)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= np.exp(-0.2) - 1.0 <= found.high
    assert 0.91 <= held / 300 <= 0.99


def test_weeks_that_follow_each_other_alike_make_it_wider() -> None:
    chance = np.random.default_rng(2)
    base = np.ones(64)
    alone = 0.8 + 0.2 * chance.standard_normal(64)
    widths = []
    for other in (alone, np.sort(alone)):
        found = by_weeks(base.tolist(), other.tolist())
        assert found.half_width is not None
        widths.append(found.half_width)
    assert widths[1] > 1.5 * widths[0]


def test_few_weeks_have_a_change_and_no_interval() -> None:
    found = by_weeks([1.0] * 7, [2.0] * 7)
    assert (found.value, found.low, found.shakes) == (1.0, None, 7)
    assert by_weeks([0.0] * 9, [1.0] * 9).value is None


def test_the_same_weeks_give_the_same_and_others_are_refused() -> None:
    base, other = [1.0, 2.0, 5.0, 3.0] * 4, [2.0, 2.0, 4.0, 1.0] * 4
    assert by_weeks(base, other) == by_weeks(base, other)
    with pytest.raises(ValueError, match="16 weeks of the base and 3 of the other"):
        by_weeks(base, [1.0] * 3)
