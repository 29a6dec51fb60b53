"""Small expressions over columns."""

import numpy as np
import pyarrow as pa
import pytest

from tests.suites import each_case
from workload_tools.expressions.over_columns import kind_of, parse
from workload_tools.expressions.syntax import ExpressionError
from workload_tools.table.language.cells import text_array
from workload_tools.table.language.evaluating import ColumnEvaluation, RowBatch
from workload_tools.table.source.parquet import ArrowCells

BATCH = RowBatch(
    {
        "a": text_array(["1", "2", "x", None]),
        "b": ArrowCells(pa.array([1.0, None, 3.0, 4.0])),
        "t": text_array(["x-1", "y", "z-2-3", None]),
    },
    rows=4,
)
NAN = float("nan")


@each_case(
    ("text", "values"),
    [
        ("a * 2 + 1", [3, 5, NAN, NAN]),
        ("-(b - 1) / 2", [0, NAN, -1, -1.5]),
        ("if(b > 2, b, 0)", [0, 0, 3, 4]),
        ("first(b, a, 9)", [1, 2, 3, 4]),
        ("min(b, 2)", [1, 2, 2, 2]),
        ("max(b, 2)", [2, 2, 3, 4]),
        ("up(b / 2)", [1, NAN, 2, 2]),
        ("down(b / 2)", [0, NAN, 1, 2]),
        ("b / 0", [NAN, NAN, NAN, NAN]),
        ("count(t, '-')", [2, 1, 3, NAN]),
        ("number(after(t, '-'))", [1, NAN, NAN, NAN]),
    ],
)
def test_expressions_of_numbers_are_computed(text: str, values: list[float]) -> None:
    found = ColumnEvaluation(BATCH).numbers(parse(text))
    np.testing.assert_array_equal(found, np.array(values, float))


@each_case(
    ("text", "values"),
    [
        ("before(t, '-')", ["x", "y", "z", None]),
        ("after(t, '-')", ["1", None, "2-3", None]),
        ("join(t, '_', b)", ["x-1_1", None, "z-2-3_3", None]),
        ("if(b > 2, t, 'none of them')", ["none of them", "none of them", "z-2-3", None]),
        ("text(b)", ["1", None, "3", "4"]),
    ],
)
def test_expressions_of_texts_are_computed(text: str, values: list[str | None]) -> None:
    assert ColumnEvaluation(BATCH).texts(parse(text)).tolist() == values


@each_case(
    ("text", "values"),
    [
        ("a = 1", [True, False, False, False]),
        ("t != 'y'", [True, False, True, False]),
        ("not b >= 3", [True, True, False, False]),
        ("missing(b) or a = 1", [True, True, False, False]),
        ("b > 0 and b < 4", [True, False, True, False]),
        ("a in (1, 2)", [True, True, False, False]),
        ("contains(t, '-')", [True, False, True, False]),
        ("starts(t, 'z')", [False, False, True, False]),
        ("if(b > 2, a = 'x', t = 'x-1')", [True, False, True, False]),
    ],
)
def test_conditions_are_false_for_missing_values(text: str, values: list[bool]) -> None:
    assert ColumnEvaluation(BATCH).truths(parse(text)).tolist() == values


def test_a_cell_that_is_not_a_number_is_reported() -> None:
    evaluation = ColumnEvaluation(BATCH)
    evaluation.numbers(parse("a + b"))
    assert evaluation.unreadable is not None
    assert evaluation.unreadable.tolist() == [False, False, True, False]


@each_case(
    ("text", "message"),
    [
        ("", "'' ends where a value is expected"),
        ("a +", "'a +' ends where a value is expected"),
        ("a b", "'a b' has 'b' after its end"),
        ("(a", "'(a' lacks a ')'"),
        ("a $ b", "is invalid from ' $ b' on"),
        ("a and b", "'and' needs conditions"),
        ("'x' + 1", "'+' needs numbers"),
        ("a < 'x'", "compare texts with = or !=, not with '<'"),
        ("frist(a)", "unknown function 'frist': did you mean 'first'?"),
        ("round(a, 2)", "'round' needs 1 values, not 2"),
        ("if(a = 1, 'x', 2)", "'if' needs either numbers or texts as values, not both"),
        ("before(a, b)", "'before' needs a text in quotes after the comma"),
        ("a in (1, 'x')", "'in' needs either numbers or texts in its parentheses"),
        ("(" * 50 + "a" + ")" * 50, "has too many nested parentheses"),
        ("a" + "+a" * 200, "has more than 200 words and symbols"),
    ],
)
def test_an_invalid_expression_gives_the_reason(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as error:
        kind_of(parse(text))
    assert message in str(error.value)
