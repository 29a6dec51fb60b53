"""Which processors a job gets: the lowest, compared with sets."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from schedulers.batsched.waiting import lowest
from schedulers.core.lowest_free import LowestFree
from workload_tools.batsim.intervals import Intervals


def members(intervals: Intervals) -> list[int]:
    return [number for first, last in intervals for number in range(first, last + 1)]


def is_canonical(intervals: Intervals) -> bool:
    """Whether the intervals ascend, and neither overlap nor touch."""
    return all(a <= b for a, b in intervals) and all(
        before[1] + 1 < after[0] for before, after in pairwise(intervals)
    )


@given(st.integers(1, 40), st.lists(st.tuples(st.booleans(), st.integers(1, 40)), max_size=60))
def test_allocations_and_releases_equal_those_of_a_set(
    processors: int, steps: list[tuple[bool, int]]
) -> None:
    rule, free = LowestFree(processors), set(range(processors))
    held: list[Intervals] = []
    for takes, number in steps:
        if takes and number <= len(free):
            given_ = rule.allocate(number)
            assert members(given_) == sorted(free)[:number]
            assert is_canonical(given_)
            free -= set(members(given_))
            held.append(given_)
        elif not takes and held:
            back = held.pop(number % len(held))
            rule.release(back)
            free |= set(members(back))
        assert set(rule.processors()) == free


@given(st.sets(st.integers(0, 200), min_size=1), st.data())
def test_the_lowest_bits_equal_those_of_a_set(free: set[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(free)))
    bits, intervals = lowest(sum(1 << number for number in free), size)
    assert members(intervals) == sorted(free)[:size]
    assert is_canonical(intervals)
    assert bits == sum(1 << number for number in members(intervals))
