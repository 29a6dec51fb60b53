import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.statistics import Difference, holm, paired_difference, shakes_wanted


def test_holm_takes_the_smallest_times_all_and_never_falls() -> None:
    # 4 * 0.01, 3 * 0.015, 2 * 0.02 which may not be below the one before, 1 * 0.3
    assert holm([0.3, 0.01, 0.02, 0.015]) == pytest.approx([0.3, 0.04, 0.045, 0.045])


@given(st.lists(st.none() | st.floats(0, 1), max_size=20))
def test_holm_makes_nothing_surer_and_keeps_the_order(values: list[float | None]) -> None:
    pairs = [
        (before, after)
        for before, after in zip(values, holm(values), strict=True)
        if before is not None and after is not None
    ]
    assert len(pairs) == len(values) - values.count(None)
    assert all(before <= after <= 1.0 for before, after in pairs)
    assert [after for _, after in sorted(pairs)] == sorted(after for _, after in pairs)


def wide(shakes: int) -> list[Difference]:
    base = [100.0 + 20.0 * (shake % 2) for shake in range(shakes)]
    return [paired_difference(base, [210.0 - value for value in base])]


def test_shakes_come_in_rounds_until_as_many_as_allowed() -> None:
    counts, there = [], 0
    while (wanted := shakes_wanted(wide(there), precision=0.01, most=22)) > there:
        counts.append(there := wanted)
    assert counts == [10, 15, 20, 22]


def test_fewer_than_the_least_may_be_allowed() -> None:
    assert shakes_wanted([], precision=0.01, most=4) == 4


def test_what_is_known_or_can_never_be_asks_for_no_more() -> None:
    same = paired_difference([5.0] * 10, [6.0] * 10)
    nobody_waits = paired_difference([0.0] * 10, [0.0] * 10)
    assert shakes_wanted([same, nobody_waits], precision=0.001, most=40) == 10
