"""The model confidence set."""

import numpy as np
import pytest

from pred_aware.statistics import best_set

LOSSES = {
    "a": [13.8, 5.2, 11.0, 8.8, 8.8, 10.3, 3.5, 8.6, 7.8, 16.6, 11.0, 9.8],
    "b": [13.7, 4.6, 12.3, 10.3, 10.9, 11.2, 7.9, 11.3, 9.2, 18.4, 12.0, 7.7],
    "c": [13.5, 5.8, 12.1, 11.7, 9.9, 10.3, 5.6, 9.2, 9.7, 17.4, 10.9, 10.4],
    "d": [14.4, 5.2, 10.9, 9.0, 9.2, 10.7, 5.2, 8.5, 8.9, 16.4, 9.9, 9.9],
}
OF_ARCH = {"c": 0.06113, "b": 0.06113, "d": 0.18908, "a": 1.0}
"""Of arch 8.0.0: MCS(size=0.05, reps=100000, block_size=2, method="max", bootstrap="circular")."""


def test_p_values_are_those_of_arch() -> None:
    found = best_set(LOSSES, block=2)
    assert found.p_values == pytest.approx(OF_ARCH, abs=0.02)
    assert [*found.p_values] == [*OF_ARCH]
    assert found.names == ("c", "b", "d", "a")


def test_what_is_clearly_worse_is_left_out_and_what_is_equal_is_not() -> None:
    worse = {**LOSSES, "same": LOSSES["a"], "worse": [one + 9.0 for one in LOSSES["a"]]}
    names = best_set(worse).names
    assert "worse" not in names
    assert {"a", "same"} <= {*names}
    assert best_set({"one": [1.0, 2.0], "two": [1.0, 2.0]}).names == ("one", "two")


def test_the_best_is_left_out_as_seldom_as_is_said() -> None:
    chance, lacking = np.random.default_rng(1), 0
    for _ in range(200):
        common = chance.standard_normal(30)
        losses = {str(n): (common + 0.3 * chance.standard_normal(30)).tolist() for n in range(4)}
        lacking += "0" not in best_set(losses, draws=300).names
    assert lacking / 200 <= 0.09


def test_losses_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        best_set({"a": [1.0], "b": [2.0]})
    with pytest.raises(ValueError, match="inhomogeneous"):
        best_set({"a": [1.0, 2.0], "b": [2.0]})
