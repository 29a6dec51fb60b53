"""Dates of a table in Unix seconds: numbers, texts of a format, dates without a zone."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import numpy as np

from workload_tools.table.language.cells import Missing, Numbers, Truths, numbers_of, texts_of
from workload_tools.table.language.units import SECONDS

ISO = "iso"

UNIX_DATES = 500_000_000.0
"""Seconds: dates beyond it, 1985, are Unix dates, for no log spans fifteen years."""

_STEP = 900
"""Clocks are moved at whole quarters of an hour, so that an offset holds for that long."""

_PLAIN = frozenset("YmdHMS")
_LATEST = 253402300800.0
_NONE = timedelta()
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a date without a zone, as the tables have them


@dataclass(slots=True)
class Dates:
    """The dates of some rows.

    Parameters
    ----------
    seconds
        Unix seconds, NaN where there is no date; of an hour that the clock went through twice, its
        first pass.
    unreadable
        Which rows have something that is no date; None for none.
    second_pass
        Unix seconds in the second pass through such an hour, NaN for all other dates; None where
        no row has one.
    left_out
        Which rows have a date that the clock never showed; None for none.
    """

    seconds: Numbers
    unreadable: Truths | None = None
    second_pass: Numbers | None = None
    left_out: Truths | None = None


@dataclass(slots=True)
class DateReader:
    """Reads the dates of a column.

    Parameters
    ----------
    missing
        What stands for no date; among Unix dates 0 does, too.
    zone
        Where a date without an offset counts.
    unit
        Of dates that are numbers, since 1970.
    format
        As `datetime.strptime` has it, or ``iso``; None for numbers, and ISO where they are none.
    decimal
        What stands before a fraction.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from workload_tools.table.language.cells import NOTHING_MORE
    >>> dates = DateReader(NOTHING_MORE).read(pa.array(["1970-01-02 00:00:01", "60", "-1"]))
    >>> dates.seconds.tolist()
    [86401.0, 60.0, nan]
    """

    missing: Missing
    zone: tzinfo = UTC
    unit: str = "seconds"
    format: str | None = None
    decimal: str = "."
    _offsets: dict[int, tuple[float, float, bool]] = field(default_factory=dict)

    def read(self, column: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        """Return a column's dates."""
        import pyarrow as pa

        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
            return self._stamps(column)
        if self.format is None:
            dates = self._numbers(column)
            if dates.unreadable is None:
                return dates
            return self._filled(dates, column)
        return self._texts(column)

    def _numbers(self, column: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        values, unreadable = numbers_of(column, self.missing, decimal=self.decimal)
        return Dates(_without_zero(values * SECONDS[self.unit]), unreadable)

    def _filled(self, dates: Dates, column: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        """Read the cells that are no numbers as ISO dates."""
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = pc.if_else(pa.array(dates.unreadable), texts_of(column), None)
        read = self._texts(texts)
        read.seconds = np.where(np.isnan(read.seconds), dates.seconds, read.seconds)
        return read

    def _stamps(self, column: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        """Return the dates of a column that has them as such."""
        import pyarrow as pa

        zone = getattr(column.type, "tz", None)
        whole = column.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64())
        seconds = whole.cast(pa.float64(), safe=False).fill_null(np.nan)
        values = seconds.to_numpy(zero_copy_only=False) / 1e6
        values = _without_zero(values)
        return Dates(values) if zone is not None else self._in_zone(values)

    def _texts(self, column: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = texts_of(column)
        absent = pc.is_in(texts, value_set=self.missing.values)
        texts = pc.if_else(absent, pa.scalar(None, pa.string()), texts)
        try:
            if self.format in (None, ISO):
                return self._stamps(texts.cast(pa.timestamp("us")))
            if self._letters() <= _PLAIN:
                return self._stamps(pc.strptime(texts, self.format, "s"))
        except pa.ArrowInvalid:
            pass
        return self._one_by_one(texts)

    def _letters(self) -> set[str]:
        return {part[:1] for part in (self.format or "").split("%")[1:]}

    def _one_by_one(self, texts: Any) -> Dates:  # noqa: ANN401 - pyarrow has no types
        """Read dates that differ in their form, have an offset, or are none; each text once."""
        encoded = texts.dictionary_encode()
        known: list[float] = []
        naive: list[float] = []
        wrong: list[bool] = []
        for text in encoded.dictionary.to_pylist():
            absent = text is None or text.strip().lower() in self.missing.texts
            date = None if absent else self._date(text.strip())
            wrong.append(date is None and not absent)
            local = date is not None and date.tzinfo is None
            naive.append(_since_epoch(date) if date is not None and local else np.nan)
            known.append(date.timestamp() if date is not None and not local else np.nan)
        at = encoded.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
        dates = self._in_zone(np.array([*naive, np.nan])[at])
        with_offset = np.array([*known, np.nan])[at]
        dates.seconds = np.where(np.isnan(with_offset), dates.seconds, with_offset)
        dates.unreadable = np.array([*wrong, False])[at] if any(wrong) else None
        return dates

    def _date(self, text: str) -> datetime | None:
        try:
            if self.format in (None, ISO):
                date = datetime.fromisoformat(text.removesuffix(" UTC"))
                if text.endswith(" UTC"):
                    date = date.replace(tzinfo=UTC)
            else:
                date = datetime.strptime(text, self.format or ISO)  # noqa: DTZ007 - the zone is added
        except ValueError:
            return None
        # the calendar's ends are beyond what an offset can be added to
        return date if 1 < date.year < 9999 else None  # noqa: PLR2004 - the calendar

    def _in_zone(self, local: Numbers) -> Dates:
        """Return the Unix seconds of dates that the zone's clocks showed."""
        if self.zone is UTC or not local.size:
            return Dates(local)
        there = ~np.isnan(local) & (np.abs(local) < _LATEST)
        slots = np.zeros(local.shape, np.int64)
        slots[there] = np.floor_divide(local[there], _STEP).astype(np.int64)
        found, inverse = np.unique(slots, return_inverse=True)
        firsts, seconds, gaps = zip(*(self._offset(int(slot)) for slot in found), strict=True)
        first, second = np.array(firsts)[inverse], np.array(seconds)[inverse]
        dates = Dates(np.where(there, local - first, np.nan))
        gap = np.array(gaps)[inverse] & there
        if gap.any():
            dates.left_out = gap
        twice = there & (first != second) & ~gap
        if twice.any():
            dates.second_pass = np.where(twice, local - second, np.nan)
        return dates

    def _offset(self, slot: int) -> tuple[float, float, bool]:
        """Return how far a clock is ahead of UTC in two passes, and whether it left this out."""
        found = self._offsets.get(slot)
        if found is None:
            date = _EPOCH + timedelta(seconds=slot * _STEP)
            first, second = (
                (
                    date.replace(tzinfo=self.zone, fold=fold).utcoffset() or timedelta()
                ).total_seconds()
                for fold in (0, 1)
            )
            # the first pass is the earlier one, which is further ahead of UTC
            found = self._offsets[slot] = (first, second, first < second)
        return found


def _without_zero(seconds: Numbers) -> Numbers:
    """Take 0 for no date, unless the dates count from a second 0 of the log's own."""
    if np.fmax.reduce(seconds, initial=0.0) < UNIX_DATES:
        return seconds
    return np.where(seconds == 0.0, np.nan, seconds)


def _since_epoch(date: datetime) -> float:
    return (date - _EPOCH).total_seconds()
