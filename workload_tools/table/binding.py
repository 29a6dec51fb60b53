"""Connect the fields of a column map to the columns of a table, and read their values."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path

import numpy as np

from workload_tools.errors import LogError
from workload_tools.expressions.over_columns import kind_of
from workload_tools.expressions.syntax import Column, Expression, ExpressionError, columns_of
from workload_tools.table.language.cells import (
    Cells,
    Missing,
    Numbers,
    Truths,
    are_durations,
    names_of,
    numbers_of,
    text_array,
    texts_of,
    written,
)
from workload_tools.table.language.dates import DateReader, Dates, either, filled
from workload_tools.table.language.evaluating import ColumnEvaluation, RowBatch
from workload_tools.table.language.quantities import (
    CLOCK,
    GIB,
    SECONDS,
    SUFFIX,
    clock_seconds,
    numbers_in_texts,
    pattern_of,
    suffixed_gib,
)
from workload_tools.table.map.table_map import (
    COUNTS,
    DATES,
    DURATIONS,
    MEMORY,
    FieldMap,
    TableMap,
    expression_of,
)
from workload_tools.time_zone import zone_named

NO_LIMIT = ("unlimited", "infinite", "partition_limit", "not_set", "4294967294", "4294967295")
"""Texts that mean "no walltime", including Slurm's two special numbers of minutes."""

_LARGEST_COUNT = 1e8
_LONGEST = 1e12


@dataclass(slots=True)
class BoundField:
    """A field of a map whose expressions refer to columns of the file."""

    map: FieldMap
    """The description of the field in the map."""
    sources: tuple[Expression, ...]
    """The field's expressions. In each row, the first expression that has a value is used."""
    missing: Missing
    """Texts that mean that a value is missing."""
    dates: DateReader | None = None
    """Converts the dates of a date field; None for other fields."""

    def numbers(self, batch: RowBatch) -> tuple[Numbers, Truths | None]:
        """Return a number (in seconds, GiB or a count) per row, and True for each invalid cell."""
        found: Numbers | None = None
        wrong: Truths | None = None
        for source in self.sources:
            values, unreadable = self._numbers(source, batch)
            found = values if found is None else np.where(np.isnan(found), values, found)
            wrong = either(wrong, unreadable)
        assert found is not None
        found, wrong = self._checked(found, wrong)
        if wrong is not None:
            wrong &= np.isnan(found)
        return found, wrong

    def names(self, batch: RowBatch) -> list[str | None]:
        """Return a name for each row; None if the name is missing."""
        evaluation = ColumnEvaluation(batch, self.missing)
        found: list[str | None] | None = None
        for source in self.sources:
            names = names_of(self._part(evaluation.texts(source)), self.missing)
            if found is None:
                found = names
            else:
                found = [new if old is None else old for old, new in zip(found, names, strict=True)]
        assert found is not None
        return found

    def read_dates(self, batch: RowBatch) -> Dates:
        """Return a date for each row."""
        assert self.dates is not None
        found: Dates | None = None
        for source in self.sources:
            cells: Cells
            if isinstance(source, Column):
                cells = self._part(batch.columns[source.name])
            elif kind_of(source) == "number":
                cells = written(ColumnEvaluation(batch, self.missing).numbers(source))
            else:
                cells = self._part(ColumnEvaluation(batch, self.missing).texts(source))
            dates = self.dates.read(cells)
            found = dates if found is None else filled(found, dates)
        assert found is not None
        return found

    def _numbers(self, source: Expression, batch: RowBatch) -> tuple[Numbers, Truths | None]:
        unit = self.map.unit
        evaluation = ColumnEvaluation(batch, self.missing)
        meaning = {CLOCK: clock_seconds, SUFFIX: suffixed_gib}.get(unit or "")
        column = batch.columns[source.name] if isinstance(source, Column) else None
        if meaning is not None:
            texts = evaluation.texts(source) if column is None else column
            return numbers_in_texts(self._part(texts), self.missing, meaning)
        if self.map.pattern is not None:
            texts = self._part(evaluation.texts(source))
            values, unreadable = numbers_of(texts, self.missing, decimal=batch.decimal)
        else:
            values = evaluation.numbers(source)
            unreadable = evaluation.unreadable
        if column is not None and are_durations(column):
            return values, unreadable
        if unit is None and self.map.name in DURATIONS and unreadable is not None:
            texts = evaluation.texts(source) if column is None else column
            return _with_clocks(values, unreadable, self._part(texts), self.missing)
        if self.map.name in DURATIONS:
            scale = SECONDS.get(unit or "", 1.0)
            # round, so that 2.05 min are 123 s, not 122.99999999999999 s, which a job could exceed
            return values if scale == 1.0 else np.round(values * scale, 6), unreadable
        return values * GIB.get(unit or "", 1.0), unreadable

    def _checked(self, values: Numbers, wrong: Truths | None) -> tuple[Numbers, Truths | None]:
        """Replace implausible values by NaN, and mark them as invalid."""
        if self.map.name not in COUNTS:
            absurd = np.abs(values) > _LONGEST
        else:
            # for NaN, both comparisons are False, so NaN does not count as a fraction
            absurd = (np.abs(values) > _LARGEST_COUNT) | (np.abs(values - np.round(values)) > 0.0)
        if not absurd.any():
            return values, wrong
        return np.where(absurd, np.nan, values), either(wrong, absurd)

    def _part(self, cells: Cells) -> Cells:
        """Return the part of each text that matches the map's pattern."""
        if self.map.pattern is None:
            return cells
        search = pattern_of(self.map.pattern).search
        texts = texts_of(cells).tolist()
        parts = {text: None if text is None else search(text) for text in set(texts)}
        return text_array(None if (part := parts[text]) is None else part[1] for text in texts)


class Binder:
    """Connects the fields of a map to the columns of a file.

    Parameters
    ----------
    names
        The columns of the file, and the columns of joined tables as ``NAME.COLUMN``.
    path
        The file, for error messages.
    zone
        Time zone for dates without an offset from UTC, if the map does not state a zone.
    """

    def __init__(
        self,
        table_map: TableMap,
        names: Iterable[str],
        *,
        path: Path,
        zone: tzinfo = UTC,
    ) -> None:
        self.map = table_map
        self.names = list(names)
        self.path = path
        self.zone = zone
        self.needed: set[str] = set()

    def field(self, said: FieldMap) -> BoundField | None:
        """Connect a field to its columns; return None if it is optional and they are missing.

        Raises
        ------
        LogError
            A required column is missing, or a text in the map is not an expression.
        """
        sources: list[Expression] = []
        lacking: list[str] = []
        for text in said.sources:
            expression = self.expression(text, said.name)
            absent = [name for name in columns_of(expression) if name not in self.names]
            if absent:
                lacking += absent
            else:
                sources.append(expression)
        if not sources:
            if said.optional:
                return None
            self._refuse(lacking[0], said.name)
        for source in sources:
            self.needed.update(columns_of(source))
        return BoundField(said, tuple(sources), self._missing(said), self._dates(said))

    def expression(self, text: str, what: str) -> Expression:
        """Parse an expression in the map.

        Raises
        ------
        LogError
            The text is neither a column of the file nor an expression.
        """
        try:
            return expression_of(text, self.names)
        except ExpressionError as error:
            raise LogError(
                self.map.path, f"{what}: {error}, and {self.path.name} has no column of this name"
            ) from error

    def condition(self, text: str) -> Expression:
        """Parse a condition on rows.

        Raises
        ------
        LogError
            A column is missing.
        """
        expression = self.expression(text, "drop.where")
        for name in columns_of(expression):
            if name not in self.names:
                self._refuse(name, "drop.where")
            self.needed.add(name)
        return expression

    def has_columns(self, text: str) -> bool:
        """Return True if the file has all columns of an expression."""
        return set(columns_of(self.expression(text, "left_out.where"))) <= set(self.names)

    def _refuse(self, name: str, what: str) -> None:
        close = difflib.get_close_matches(name, self.names, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        known = ", ".join(f"'{one}'" for one in self.names[:40])
        raise LogError(
            self.path,
            f"lacks the column '{name}' that {self.map.path} uses for {what}: {hint}it has {known}",
            1,
        )

    def _missing(self, said: FieldMap) -> Missing:
        more = said.missing + self.map.missing
        return Missing(more + NO_LIMIT if said.name == "walltime" else more)

    def _dates(self, said: FieldMap) -> DateReader | None:
        if said.name not in DATES:
            return None
        return DateReader(
            self._missing(said),
            zone=self.zone if said.time_zone is None else zone_named(said.time_zone),
            unit=said.unit or "seconds",
            format=said.format,
            decimal=self.map.decimal,
        )


def fault_of(said: FieldMap) -> str:
    """Return the reason under which the report counts invalid cells of a field."""
    if said.name in DATES:
        return f"{said.name} is not a date{f' of the format {said.format}' if said.format else ''}"
    if said.unit in (CLOCK, SUFFIX):
        return f"{said.name} does not have the format of the unit '{said.unit}'"
    if said.name in (*DURATIONS, *MEMORY):
        return f"{said.name} is not a number of {said.unit or 'seconds'}"
    return f"{said.name} is not a whole number"


def _with_clocks(
    values: Numbers,
    unreadable: Truths,
    cells: Cells,
    missing: Missing,
) -> tuple[Numbers, Truths | None]:
    """Replace values that are not numbers by the seconds in texts such as ``01:30:00``."""
    clocks, _ = numbers_in_texts(cells, missing, clock_seconds)
    found = np.where(unreadable, clocks, values)
    wrong = unreadable & np.isnan(found)
    return found, wrong if wrong.any() else None
