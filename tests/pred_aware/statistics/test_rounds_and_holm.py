"""The model confidence set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.statistics import (
    SURE,
    Difference,
    best_set,
    holm,
    in_view,
    paired_difference,
    shakes_wanted,
    significant_alone,
    significant_sign,
)
from tests.suites import each_case


def test_holm_multiplies_p_values_and_never_decreases() -> None:
    # 4 * 0.01, 3 * 0.015, 2 * 0.02 which may not be below the one before, 1 * 0.3
    assert holm([0.3, 0.01, 0.02, 0.015]) == pytest.approx([0.3, 0.04, 0.045, 0.045])


@given(st.lists(st.none() | st.floats(0, 1), max_size=20))
def test_holm_lowers_no_p_value_and_keeps_the_order(values: list[float | None]) -> None:
    pairs = [
        (before, after)
        for before, after in zip(values, holm(values), strict=True)
        if before is not None and after is not None
    ]
    assert len(pairs) == len(values) - values.count(None)
    assert all(before <= after <= 1.0 for before, after in pairs)
    assert [after for _, after in sorted(pairs)] == sorted(after for _, after in pairs)


def test_significant_effects_are_significant_alone_and_by_holm() -> None:
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
def test_no_effect_is_significant(baseline: list[float | None], other: list[float | None]) -> None:
    found = paired_difference(baseline, other)
    assert (significant_sign(found, found.p_value), significant_alone(found, found.p_value)) == (
        0,
        False,
    )


def test_a_family_counts_only_effects_with_a_p_value() -> None:
    less = paired_difference([100.0, 110.0, 90.0], [80.0, 90.0, 71.0])
    same = paired_difference([5.0] * 3, [5.0] * 3)
    no_baseline = paired_difference([0.0] * 3, [1.0] * 3)
    assert in_view([less, *[no_baseline] * 30]) == [-1] + [0] * 30
    assert in_view([less, *[same] * 30]) == [0] * 31


def wide(shakes: int) -> list[Difference]:
    baseline = [100.0 + 20.0 * (shake % 2) for shake in range(shakes)]
    return [paired_difference(baseline, [210.0 - value for value in baseline])]


def test_copies_come_in_rounds_until_the_limit_or_the_precision() -> None:
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


LOSSES = {
    "a": [13.8, 5.2, 11.0, 8.8, 8.8, 10.3, 3.5, 8.6, 7.8, 16.6, 11.0, 9.8],
    "b": [13.7, 4.6, 12.3, 10.3, 10.9, 11.2, 7.9, 11.3, 9.2, 18.4, 12.0, 7.7],
    "c": [13.5, 5.8, 12.1, 11.7, 9.9, 10.3, 5.6, 9.2, 9.7, 17.4, 10.9, 10.4],
    "d": [14.4, 5.2, 10.9, 9.0, 9.2, 10.7, 5.2, 8.5, 8.9, 16.4, 9.9, 9.9],
}
OF_ARCH = {"c": 0.06113, "b": 0.06113, "d": 0.18908, "a": 1.0}
"""Of arch 8.0.0: MCS(size=0.05, reps=100000, block_size=2, method="max", bootstrap="circular")."""


def test_p_values_equal_those_of_arch() -> None:
    found = best_set(LOSSES, block=2)
    assert found.p_values == pytest.approx(OF_ARCH, abs=0.02)
    assert [*found.p_values] == [*OF_ARCH]
    assert found.names == ("c", "b", "d", "a")


def test_clearly_worse_policies_are_left_out_and_equal_ones_stay() -> None:
    worse = {**LOSSES, "same": LOSSES["a"], "worse": [one + 9.0 for one in LOSSES["a"]]}
    names = best_set(worse).names
    assert "worse" not in names
    assert {"a", "same"} <= {*names}
    assert best_set({"one": [1.0, 2.0], "two": [1.0, 2.0]}).names == ("one", "two")


def test_the_best_policy_is_left_out_with_the_stated_probability() -> None:
    chance, lacking = np.random.default_rng(1), 0
    for _ in range(200):
        common = chance.standard_normal(30)
        losses = {str(n): (common + 0.3 * chance.standard_normal(30)).tolist() for n in range(4)}
        lacking += "0" not in best_set(losses, draws=300).names
    assert lacking / 200 <= 0.09


def test_losses_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        best_set({"a": [1.0], "b": [2.0]})
    with pytest.raises(ValueError, match="inhomogeneous"):
        best_set({"a": [1.0, 2.0], "b": [2.0]})
