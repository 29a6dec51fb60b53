"""The two texts of `NodeSet` do the same."""

import importlib.util
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import compiled
from schedulers.core import nodeset

SIZES = st.sampled_from([1, 5, 63, 64, 65, 127, 128, 255, 256, 300, 1000])
Ranges = list[list[int]]


def python_text() -> ModuleType:
    """Import the Python file, which may not be what is imported otherwise."""
    path = compiled.__file__.replace("predictors/compiled.py", "schedulers/core/nodeset.py")
    spec = importlib.util.spec_from_file_location("nodeset_in_python", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXTS: tuple[Any, ...] = (python_text().NodeSet, nodeset.NodeSet)


@st.composite
def sets(draw: st.DrawFn, count: int) -> tuple[int, list[Ranges]]:
    """Draw a machine's size, and some sets of its nodes as lists of ranges."""
    nodes = draw(SIZES)
    ends = st.integers(0, nodes - 1)
    ranges = st.lists(st.tuples(ends, ends).map(sorted), max_size=6)
    return nodes, [draw(ranges) for _ in range(count)]


def made(text: Any, nodes: int, ranges: Ranges) -> Any:  # noqa: ANN401 - of one text or the other
    one = text(nodes)
    for first, last in ranges:
        one.add_range(first, last)
    return one


@pytest.mark.skipif(compiled.form() != "compiled", reason="the core is not compiled here")
def test_the_node_set_is_compiled_from_its_source() -> None:
    assert not str(nodeset.__file__).endswith(".py")


@given(sets(4))
def test_both_implementations_do_the_same(drawn: tuple[int, list[Ranges]]) -> None:
    nodes, ranges = drawn
    seen = []
    for text in TEXTS:
        one, two, three, four = (made(text, nodes, each) for each in ranges)
        answers = [
            one.nodes, one.bits, one.count(), one.count_common(two), one.equals(two),
            one.overlaps(two), one.contains(two), one.gains(two, three, four),
            one.minus(two).bits, one.copy().equals(one), text(nodes, one.bits).equals(one),
        ]  # fmt: skip
        for change in ("add", "remove", "keep", "assign"):
            changed = one.copy()
            answers += [getattr(changed, change)(two), changed.bits]
        answers += [one.runs(count).bits for count in range(1, one.count() + 1, 7)]
        seen.append(answers)
    assert seen[0] == seen[1]


@given(sets(1))
def test_too_many_nodes_are_refused(drawn: tuple[int, list[Ranges]]) -> None:
    nodes, (ranges,) = drawn
    for text in TEXTS:
        one = made(text, nodes, ranges)
        with pytest.raises(ValueError, match="fewer nodes than requested"):
            one.runs(one.count() + 1)
        with pytest.raises(IndexError, match="no such nodes"):
            one.add_range(0, nodes)
