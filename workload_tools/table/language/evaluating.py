"""Evaluate expressions for all rows of a batch at once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from workload_tools.expressions.over_columns import kind_of
from workload_tools.expressions.syntax import COMPARISONS, Call, Column, Expression, Number, Text
from workload_tools.table.language.cells import (
    NOTHING_MORE,
    Cells,
    Missing,
    Numbers,
    Texts,
    Truths,
    are_absent,
    names_of,
    numbers_of,
    text_array,
    texts_of,
    where,
    written,
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


class RowBatch:
    """Some rows of a table.

    Parameters
    ----------
    columns
        The cells of each column, by column name. All columns have the same length.
    rows
        The number of rows: the length of each column.
    decimal
        The decimal separator of numbers in texts.
    """

    def __init__(self, columns: dict[str, Cells], *, rows: int, decimal: str = ".") -> None:
        self.columns = columns
        self.rows = rows
        self.decimal = decimal
        self._numbers: dict[tuple[str, tuple[str, ...]], tuple[Numbers, Truths | None]] = {}

    def numbers(self, name: str, missing: Missing) -> tuple[Numbers, Truths | None]:
        """Return a column's numbers; see `numbers_of`."""
        key = (name, missing.more)
        found = self._numbers.get(key)
        if found is None:
            found = numbers_of(self.columns[name], missing, decimal=self.decimal)
            self._numbers[key] = found
        return found


class ColumnEvaluation:
    """Evaluates expressions for the rows of a batch.

    If a value is missing, all results that depend on this value are missing too, and comparisons
    with it are false.

    Parameters
    ----------
    batch
        The rows.
    missing
        Texts that mean a missing value.

    Attributes
    ----------
    unreadable
        True for rows in which a required number is invalid; None if there are no such rows.
    """

    def __init__(self, batch: RowBatch, missing: Missing = NOTHING_MORE) -> None:
        self.batch = batch
        self.missing = missing
        self.unreadable: Truths | None = None

    def numbers(self, expression: Expression) -> Numbers:
        """Return the numbers of an expression; NaN for missing numbers."""
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

    def texts(self, expression: Expression) -> Texts:
        """Return the texts of an expression; None for missing texts."""
        if isinstance(expression, Column):
            return texts_of(self.batch.columns[expression.name])
        if isinstance(expression, Text):
            return np.full(self.batch.rows, expression.value, object)
        if isinstance(expression, Call) and expression.name in _TEXT_CALLS:
            return _TEXT_CALLS[expression.name](self, *expression.arguments)
        return written(self.numbers(expression))

    def truths(self, expression: Expression) -> Truths:
        """Return True for each row in which a condition is true."""
        assert isinstance(expression, Call)
        name, arguments = expression.name, expression.arguments
        if name in COMPARISONS:
            return self._compared(name, *arguments)
        return _TRUTH_CALLS[name](self, *arguments)

    def if_number(self, condition: Expression, then: Expression, other: Expression) -> Numbers:
        """Return the number of `then` where the condition is true, else that of `other`."""
        return np.where(self.truths(condition), self.numbers(then), self.numbers(other))

    def first_number(self, *arguments: Expression) -> Numbers:
        """Return the first number that is not missing."""
        found = self.numbers(arguments[0])
        for argument in arguments[1:]:
            found = np.where(np.isnan(found), self.numbers(argument), found)
        return found

    def number(self, argument: Expression) -> Numbers:
        """Return a text or a number as a number."""
        if kind_of(argument) == "text":
            return self._read(self.texts(argument))
        return self.numbers(argument)

    def if_text(self, condition: Expression, then: Expression, other: Expression) -> Texts:
        """Return the text of `then` where the condition is true, else that of `other`."""
        return where(self.truths(condition), self.texts(then), self.texts(other))

    def first_text(self, *arguments: Expression) -> Texts:
        """Return the first text that is not missing."""
        found = self._named(arguments[0])
        for argument in arguments[1:]:
            found = where(are_absent(found), self._named(argument), found)
        return found

    def joined(self, *arguments: Expression) -> Texts:
        """Return the concatenated texts; None if any text is missing."""
        rows = zip(*map(self._named, arguments), strict=True)
        return text_array(None if None in row else "".join(row) for row in rows)

    def before(self, text: Expression, separator: Expression) -> Texts:
        """Return the text before the first separator; without a separator, the whole text."""
        return self._mapped(self.texts(text), lambda name: name.partition(_value(separator))[0])

    def after(self, text: Expression, separator: Expression) -> Texts:
        """Return the text after the first separator; without a separator, None."""

        def behind(name: str) -> str | None:
            _, found, rest = name.partition(_value(separator))
            return rest if found else None

        return self._mapped(self.texts(text), behind)

    def if_truth(self, condition: Expression, then: Expression, other: Expression) -> Truths:
        """Return the truth of `then` where the condition is true, else that of `other`."""
        return np.where(self.truths(condition), self.truths(then), self.truths(other))

    def is_missing(self, argument: Expression) -> Truths:
        """Return True for each row in which the value is missing."""
        if kind_of(argument) == "number":
            return np.isnan(self.numbers(argument))
        return are_absent(self._named(argument))

    def contains(self, text: Expression, part: Expression) -> Truths:
        """Return True for each row in which a text contains a part."""
        return self._names_where(text, lambda name: _value(part) in name)

    def starts(self, text: Expression, part: Expression) -> Truths:
        """Return True for each row in which a text starts with a part."""
        return self._names_where(text, lambda name: name.startswith(_value(part)))

    def among(self, value: Expression, *choices: Expression) -> Truths:
        """Return True for each row in which a value equals one of the choices."""
        held = np.zeros(self.batch.rows, np.bool_)
        for choice in choices:
            held |= self._compared("=", value, choice)
        return held

    def _compared(self, operator: str, left: Expression, right: Expression) -> Truths:
        if "text" in (kind_of(left), kind_of(right)):
            texts, others = self._named(left), self._named(right)
            same = np.equal(texts, others).astype(np.bool_)
            there = ~(are_absent(texts) | are_absent(others))
            return there & (~same if operator == "!=" else same)
        one, other = self._compared_numbers(left), self._compared_numbers(right)
        known = ~(np.isnan(one) | np.isnan(other))
        held: Truths = _COMPARE[operator](one, other) & known
        return held

    def _compared_numbers(self, expression: Expression) -> Numbers:
        """Return numbers for a comparison, without adding invalid cells to `unreadable`."""
        noted = self.unreadable
        values = self.numbers(expression)
        self.unreadable = noted
        return values

    def _named(self, expression: Expression) -> Texts:
        """Return the texts of an expression; None for texts that mean a missing value."""
        if isinstance(expression, Text):
            return self.texts(expression)
        return text_array(names_of(self.texts(expression), self.missing))

    @staticmethod
    def _mapped(texts: Texts, change: Callable[[str], str | None]) -> Texts:
        """Return the changed texts; each distinct text is changed once."""
        cells = texts.tolist()
        changed = {text: None if text is None else change(text) for text in set(cells)}
        return text_array(changed[text] for text in cells)

    def _names_where(self, expression: Expression, test: Callable[[str], bool]) -> Truths:
        names = self._named(expression).tolist()
        return np.array([name is not None and test(name) for name in names], np.bool_)

    def _read(self, texts: Texts) -> Numbers:
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
        """Return the smallest or largest number in each row; missing numbers are ignored."""
        found: Numbers = choose.reduce([self.numbers(argument) for argument in arguments])
        return found

    def count(self, text: Expression, separator: Expression) -> Numbers:
        """Return the number of parts into which separators split a text."""
        names = self._named(text).tolist()
        parts = [np.nan if name is None else name.count(_value(separator)) + 1 for name in names]
        return np.array(parts, np.float64)


_NUMBER_CALLS: dict[str, Callable[..., Numbers]] = {
    "if": ColumnEvaluation.if_number,
    "first": ColumnEvaluation.first_number,
    "number": ColumnEvaluation.number,
    "count": ColumnEvaluation.count,
    "min": lambda evaluation, *arguments: evaluation.extreme(np.fmin, arguments),
    "max": lambda evaluation, *arguments: evaluation.extreme(np.fmax, arguments),
    "round": lambda evaluation, argument: np.round(evaluation.numbers(argument)),
    "up": lambda evaluation, argument: np.ceil(evaluation.numbers(argument)),
    "down": lambda evaluation, argument: np.floor(evaluation.numbers(argument)),
}
_TEXT_CALLS: dict[str, Callable[..., Texts]] = {
    "if": ColumnEvaluation.if_text,
    "first": ColumnEvaluation.first_text,
    "text": ColumnEvaluation.texts,
    "join": ColumnEvaluation.joined,
    "before": ColumnEvaluation.before,
    "after": ColumnEvaluation.after,
}
_TRUTH_CALLS: dict[str, Callable[..., Truths]] = {
    "and": lambda evaluation, *parts: np.logical_and.reduce([*map(evaluation.truths, parts)]),
    "or": lambda evaluation, *parts: np.logical_or.reduce([*map(evaluation.truths, parts)]),
    "not": lambda evaluation, argument: ~evaluation.truths(argument),
    "if": ColumnEvaluation.if_truth,
    "missing": ColumnEvaluation.is_missing,
    "contains": ColumnEvaluation.contains,
    "starts": ColumnEvaluation.starts,
    "in": ColumnEvaluation.among,
}


def _value(expression: Expression) -> str:
    assert isinstance(expression, Text)
    return expression.value
