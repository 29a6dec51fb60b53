"""Expressions worked out over a batch of rows, a column at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np

from workload_tools.expressions.over_columns import kind_of
from workload_tools.expressions.syntax import COMPARISONS, Call, Column, Expression, Number, Text
from workload_tools.table.language.cells import (
    NOTHING_MORE,
    Missing,
    Numbers,
    Truths,
    names_of,
    numbers_of,
    texts_of,
)

_COMPARE = {
    "=": np.equal,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_ARITHMETIC: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}


class Batch:
    """Some rows of a table.

    Parameters
    ----------
    columns
        Arrow arrays of one length by name.
    rows
        That length.
    decimal
        What stands before a fraction in texts.
    """

    def __init__(self, columns: dict[str, Any], *, rows: int, decimal: str = ".") -> None:
        self.columns = columns
        self.rows = rows
        self.decimal = decimal
        self._numbers: dict[tuple[str, tuple[str, ...]], tuple[Numbers, Truths | None]] = {}

    def numbers(self, name: str, missing: Missing) -> tuple[Numbers, Truths | None]:
        """Return a column as `numbers_of` does."""
        key = (name, missing.more)
        found = self._numbers.get(key)
        if found is None:
            found = numbers_of(self.columns[name], missing, decimal=self.decimal)
            self._numbers[key] = found
        return found


class Evaluation:
    """Works an expression out over a batch.

    A value that is missing makes what is computed of it missing, and a comparison false.

    Parameters
    ----------
    batch
        The rows.
    missing
        What stands for no value.

    Attributes
    ----------
    unreadable
        The rows in which a number was asked for where something else stands; None for none.
    """

    def __init__(self, batch: Batch, missing: Missing = NOTHING_MORE) -> None:
        self.batch = batch
        self.missing = missing
        self.unreadable: Truths | None = None

    def numbers(self, expression: Expression) -> Numbers:
        """Return an expression's numbers, NaN where there is none."""
        if isinstance(expression, Column):
            values, unreadable = self.batch.numbers(expression.name, self.missing)
            self._note(unreadable)
            return values
        if isinstance(expression, Number):
            return np.full(self.batch.rows, expression.value)
        if isinstance(expression, Call):
            name, arguments = expression.name, expression.arguments
            if name in _ARITHMETIC:
                return self._computed(name, *map(self.numbers, arguments))
            if name in _NUMBER_CALLS:
                return _NUMBER_CALLS[name](self, *arguments)
            if kind_of(expression) == "truth":
                return self.truths(expression).astype(np.float64)
        return self._read(self.texts(expression))

    def texts(self, expression: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return an expression's texts, null where there is none."""
        import pyarrow as pa

        if isinstance(expression, Column):
            return texts_of(self.batch.columns[expression.name])
        if isinstance(expression, Text):
            return pa.array([expression.value]).take(pa.array(np.zeros(self.batch.rows, np.int64)))
        if isinstance(expression, Call) and expression.name in _TEXT_CALLS:
            return _TEXT_CALLS[expression.name](self, *expression.arguments)
        return texts_of(pa.array(self.numbers(expression), from_pandas=True))

    def truths(self, expression: Expression) -> Truths:
        """Return for which rows a condition holds."""
        assert isinstance(expression, Call)
        name, arguments = expression.name, expression.arguments
        if name in COMPARISONS:
            return self._compared(name, *arguments)
        return _TRUTH_CALLS[name](self, *arguments)

    def if_number(self, condition: Expression, then: Expression, other: Expression) -> Numbers:
        """Return one number or the other."""
        return np.where(self.truths(condition), self.numbers(then), self.numbers(other))

    def first_number(self, *arguments: Expression) -> Numbers:
        """Return the first number that is not missing."""
        found = self.numbers(arguments[0])
        for argument in arguments[1:]:
            found = np.where(np.isnan(found), self.numbers(argument), found)
        return found

    def number(self, argument: Expression) -> Numbers:
        """Return a text as a number."""
        if kind_of(argument) == "text":
            return self._read(self.texts(argument))
        return self.numbers(argument)

    def if_text(self, condition: Expression, then: Expression, other: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return one text or the other."""
        import pyarrow as pa
        import pyarrow.compute as pc

        return pc.if_else(pa.array(self.truths(condition)), self.texts(then), self.texts(other))

    def first_text(self, *arguments: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the first text that is not missing."""
        import pyarrow.compute as pc

        return pc.coalesce(*map(self._named, arguments))

    def joined(self, *arguments: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return texts behind each other; none where one is missing."""
        import pyarrow.compute as pc

        return pc.binary_join_element_wise(*map(self._named, arguments), "")

    def before(self, text: Expression, separator: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return what stands before a separator, all of it without one."""
        return self._halves(text, separator)[0]

    def after(self, text: Expression, separator: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return what stands behind a separator, nothing without one."""
        return self._halves(text, separator)[1]

    def if_truth(self, condition: Expression, then: Expression, other: Expression) -> Truths:
        """Return one truth or the other."""
        return np.where(self.truths(condition), self.truths(then), self.truths(other))

    def is_missing(self, argument: Expression) -> Truths:
        """Return where there is nothing."""
        if kind_of(argument) == "number":
            return np.isnan(self.numbers(argument))
        return _array(self._named(argument).is_null())

    def contains(self, text: Expression, part: Expression) -> Truths:
        """Return where a text has a part."""
        import pyarrow.compute as pc

        assert isinstance(part, Text)
        return _array(pc.match_substring(self._named(text), part.value).fill_null(False))

    def starts(self, text: Expression, part: Expression) -> Truths:
        """Return where a text begins so."""
        import pyarrow.compute as pc

        assert isinstance(part, Text)
        return _array(pc.starts_with(self._named(text), part.value).fill_null(False))

    def among(self, value: Expression, *choices: Expression) -> Truths:
        """Return where a value is one of some."""
        held = np.zeros(self.batch.rows, np.bool_)
        for choice in choices:
            held |= self._compared("=", value, choice)
        return held

    def _compared(self, operator: str, left: Expression, right: Expression) -> Truths:
        import pyarrow.compute as pc

        if "text" in (kind_of(left), kind_of(right)):
            same = pc.equal(self._named(left), self._named(right))
            if operator == "!=":
                same = pc.invert(same)
            return _array(same.fill_null(False))
        one, other = self._compared_numbers(left), self._compared_numbers(right)
        known = ~(np.isnan(one) | np.isnan(other))
        held: Truths = _COMPARE[operator](one, other) & known
        return held

    def _compared_numbers(self, expression: Expression) -> Numbers:
        """Return numbers for a comparison, which a cell that is none does not make unreadable."""
        noted = self.unreadable
        values = self.numbers(expression)
        self.unreadable = noted
        return values

    def _named(self, expression: Expression) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return texts, without those that stand for no value."""
        import pyarrow as pa

        if isinstance(expression, Text):
            return self.texts(expression)
        return pa.array(names_of(self.texts(expression), self.missing), pa.string())

    def _read(self, texts: Any) -> Numbers:  # noqa: ANN401 - pyarrow has no types
        values, unreadable = numbers_of(texts, self.missing, decimal=self.batch.decimal)
        self._note(unreadable)
        return values

    def _note(self, unreadable: Truths | None) -> None:
        if unreadable is not None:
            noted = self.unreadable
            self.unreadable = unreadable if noted is None else noted | unreadable

    @staticmethod
    def _computed(name: str, left: Numbers, right: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            values: Numbers = _ARITHMETIC[name](left, right)
        return np.where(np.isfinite(values), values, np.nan)

    def extreme(self, choose: Any, arguments: tuple[Expression, ...]) -> Numbers:  # noqa: ANN401 - a ufunc
        """Return the least or the greatest number, of those that are not missing."""
        found: Numbers = choose.reduce([self.numbers(argument) for argument in arguments])
        return found

    def count(self, text: Expression, separator: Expression) -> Numbers:
        """Return into how many parts a text falls."""
        import pyarrow.compute as pc

        assert isinstance(separator, Text)
        parts = pc.add(pc.count_substring(self._named(text), separator.value), 1)
        counts: Numbers = parts.cast("float64").fill_null(np.nan).to_numpy(zero_copy_only=False)
        return counts

    def _halves(self, text: Expression, separator: Expression) -> tuple[Any, Any]:
        """Return what stands before a separator and behind it."""
        import pyarrow as pa
        import pyarrow.compute as pc

        assert isinstance(separator, Text)
        texts, sign = self.texts(text), separator.value
        there = pc.match_substring(texts, sign)
        # a separator more, so that each text has two halves
        whole = pc.if_else(there, texts, pc.binary_join_element_wise(texts, "", sign))
        halves = pc.split_pattern(whole, sign, max_splits=1)
        behind = pc.if_else(there, pc.list_element(halves, 1), pa.scalar(None, pa.string()))
        return pc.list_element(halves, 0), behind


_NUMBER_CALLS: dict[str, Callable[..., Numbers]] = {
    "if": Evaluation.if_number,
    "first": Evaluation.first_number,
    "number": Evaluation.number,
    "count": Evaluation.count,
    "min": lambda evaluation, *arguments: evaluation.extreme(np.fmin, arguments),
    "max": lambda evaluation, *arguments: evaluation.extreme(np.fmax, arguments),
    "round": lambda evaluation, argument: np.round(evaluation.numbers(argument)),
    "up": lambda evaluation, argument: np.ceil(evaluation.numbers(argument)),
    "down": lambda evaluation, argument: np.floor(evaluation.numbers(argument)),
}
_TEXT_CALLS: dict[str, Callable[..., Any]] = {
    "if": Evaluation.if_text,
    "first": Evaluation.first_text,
    "text": Evaluation.texts,
    "join": Evaluation.joined,
    "before": Evaluation.before,
    "after": Evaluation.after,
}
_TRUTH_CALLS: dict[str, Callable[..., Truths]] = {
    "and": lambda evaluation, *parts: np.logical_and.reduce([*map(evaluation.truths, parts)]),
    "or": lambda evaluation, *parts: np.logical_or.reduce([*map(evaluation.truths, parts)]),
    "not": lambda evaluation, argument: ~evaluation.truths(argument),
    "if": Evaluation.if_truth,
    "missing": Evaluation.is_missing,
    "contains": Evaluation.contains,
    "starts": Evaluation.starts,
    "in": Evaluation.among,
}


def _array(column: Any) -> Truths:  # noqa: ANN401 - pyarrow has no types
    truths: Truths = column.to_numpy(zero_copy_only=False)
    return truths
