"""The timetable of processors, against a table with a set of processors for each second."""

from hypothesis import given
from hypothesis import strategies as st

from schedulers.batsched.conservative_bf import Timetable

PROCESSORS = 6
HORIZON = 400


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, PROCESSORS), st.integers(1, 9))))
def test_places_equal_those_of_a_table_by_second(steps: list[tuple[int, int, int]]) -> None:
    timetable, now = Timetable(PROCESSORS), 0
    free = [set(range(PROCESSORS)) for _ in range(HORIZON)]
    places: list[tuple[int, int, int]] = []
    for kind, size, length in steps[:30]:
        if kind == 0 and places:
            bits, begin, end = places.pop(size % len(places))
            timetable.give_back(bits, begin, end)
            for second in range(max(begin, now), end):
                free[second] |= {n for n in range(PROCESSORS) if bits >> n & 1}
        elif kind == 1:
            now += length
            timetable.advance(now)
        else:
            begin = now
            while len(members := set.intersection(*free[begin : begin + length])) < size:
                begin += 1
            lowest = sorted(members)[:size]
            taken, bits, _ = timetable.take(size, length)
            assert (taken, bits) == (begin, sum(1 << n for n in lowest))
            places.append((bits, begin, begin + length))
            for second in range(begin, begin + length):
                free[second] -= set(lowest)
