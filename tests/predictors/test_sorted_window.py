import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predictors.recent import SortedWindow

VALUES = st.lists(st.floats(0, 1e6), min_size=1, max_size=40)


@settings(deadline=None)
@given(values=VALUES, size=st.integers(1, 10), share=st.floats(0, 1))
def test_quantiles_equal_those_of_the_last_values(
    values: list[float], size: int, share: float
) -> None:
    window = SortedWindow(size)
    for now, value in enumerate(values):
        window.add(value, now)
    expected = np.quantile(values[-size:], share)
    assert window.quantile(share) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert len(window) == min(size, len(values))


@settings(deadline=None)
@given(values=VALUES)
def test_ranks_count_from_the_smallest(values: list[float]) -> None:
    window = SortedWindow(len(values))
    for value in values:
        window.add(value, 0.0)
    ranks = range(1, len(values) + 1)
    assert [window.at_rank(rank) for rank in ranks] == sorted(values)
