from hypothesis import given, settings
from hypothesis import strategies as st

from workload_tools.identifiers import IdentifierSet, NumberSet

NAMES = st.one_of(
    st.integers(-2, 300).map(str),
    st.builds("{}_{}".format, st.integers(0, 3), st.integers(0, 3)),
    st.builds("{}.pbs".format, st.integers(0, 9)),
    st.sampled_from(["007", "7", "07", "", "x", "x0", "x00", "²", "٣", "9" * 30, "1[2]", "1[3]"]),
)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 2000)))
def test_numbers_are_new_once(numbers: list[int]) -> None:
    seen, oracle = NumberSet(), set[int]()
    for number in numbers:
        assert seen.add(number) == (number not in oracle)
        oracle.add(number)
    assert {number for number in range(2001) if number in seen} == oracle


@settings(max_examples=30)
@given(st.lists(NAMES), st.lists(NAMES))
def test_names_are_new_once_however_they_are_written(names: list[str], asked: list[str]) -> None:
    seen, oracle = IdentifierSet(), set[str]()
    for name in names:
        assert (name in seen) == (name in oracle)
        assert seen.add(name) == (name not in oracle)
        oracle.add(name)
    assert [name in seen for name in asked] == [name in oracle for name in asked]
