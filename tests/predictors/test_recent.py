from hypothesis import given, settings
from hypothesis import strategies as st

from predictors.recent import Recent

TOLD = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


@settings(deadline=None)
@given(told=TOLD, size=st.integers(1, 6))
def test_the_latest_values_are_kept_and_the_others_returned(
    told: list[tuple[int, int]], size: int
) -> None:
    recent = Recent(size)
    dropped = [recent.add(float(value), now) for value, now in told]
    # sorting is stable: of two of one date the later told is the later
    by_date = [float(value) for value, _ in sorted(told, key=lambda pair: pair[1])]
    assert recent.values == by_date[-size:]
    assert sorted(d for d in dropped if d is not None) == sorted(by_date[:-size])


def test_a_value_older_than_all_kept_ones_is_returned_at_once() -> None:
    recent = Recent(1)
    assert recent.add(1.0, 10.0) is None
    assert recent.add(2.0, 5.0) == 2.0
