import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.statistics import (
    SURE,
    Difference,
    holm,
    in_view,
    paired_difference,
    shakes_wanted,
    significant_alone,
    significant_sign,
)
from tests.suites import each_case


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


def test_sure_is_what_is_significant_alone_and_with_all_in_view() -> None:
    less = paired_difference([100.0, 110.0, 90.0], [80.0, 90.0, 71.0])
    more = paired_difference([80.0, 90.0, 71.0], [100.0, 110.0, 90.0])
    assert [significant_sign(one, 0.0499) for one in (less, more)] == [-1, 1]
    assert [significant_sign(one, SURE) for one in (less, more)] == [0, 0]
    found = [significant_alone(less, together) for together in (0.01, SURE, None)]
    assert found == [False, True, False]


@each_case(
    ("baseline", "other"),
    [([9.0], [1.0]), ([9.0, 8.0], [1.0, None]), ([0.0, 0.0], [1.0, 2.0]), ([9.0, 8.0], [9.0, 8.0])],
)
def test_nothing_is_sure_of(baseline: list[float | None], other: list[float | None]) -> None:
    found = paired_difference(baseline, other)
    assert (significant_sign(found, found.p_value), significant_alone(found, found.p_value)) == (
        0,
        False,
    )


def test_of_a_family_those_count_that_have_a_p_value() -> None:
    less = paired_difference([100.0, 110.0, 90.0], [80.0, 90.0, 71.0])
    same = paired_difference([5.0] * 3, [5.0] * 3)
    no_baseline = paired_difference([0.0] * 3, [1.0] * 3)
    assert in_view([less, *[no_baseline] * 30]) == [-1] + [0] * 30
    assert in_view([less, *[same] * 30]) == [0] * 31


def wide(shakes: int) -> list[Difference]:
    baseline = [100.0 + 20.0 * (shake % 2) for shake in range(shakes)]
    return [paired_difference(baseline, [210.0 - value for value in baseline])]


def test_shakes_come_in_rounds_until_as_many_as_allowed_or_enough() -> None:
    counts, there = [], 0
    while (wanted := shakes_wanted(wide(there), precision=0.01, most=22)) > there:
        counts.append(there := wanted)
    assert counts == [10, 15, 20, 22]
    # fewer than the least may be allowed
    assert shakes_wanted([], precision=0.01, most=4) == 4
    # what is known or can never be asks for no more
    same = paired_difference([5.0] * 10, [6.0] * 10)
    nobody_waits = paired_difference([0.0] * 10, [0.0] * 10)
    assert shakes_wanted([same, nobody_waits], precision=0.001, most=40) == 10
