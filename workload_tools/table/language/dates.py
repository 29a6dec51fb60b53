"""Convert the dates of a table (numbers, formatted texts, typed dates) to Unix seconds."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any

import numpy as np

from workload_tools.table.language.cells import (
    Cells,
    Missing,
    Numbers,
    Texts,
    Truths,
    numbers_of,
    texts_of,
    where,
)
from workload_tools.table.language.quantities import SECONDS

ISO = "iso"

UNIX_DATES = 500_000_000.0
"""Larger numbers of seconds (after 1985) are Unix dates, because no log spans 15 years."""

_STEP = 900
"""Seconds for which an offset is constant: clock changes are at whole quarters of an hour."""

_PARTS = {
    "Y": "(?P<year>[0-9]{4})",
    "m": "(?P<month>[0-9]{2})",
    "d": "(?P<day>[0-9]{2})",
    "H": "(?P<hour>[0-9]{2})",
    "M": "(?P<minute>[0-9]{2})",
    "S": "(?P<second>[0-9]{2})",
}
_LATEST = 253402300800.0
"""The end of the year 9999, in seconds since 1970."""
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a date without a zone, as the tables have them


@dataclass(slots=True)
class Dates:
    """The dates of some rows.

    When clocks are set back, one hour is repeated: it has a first and a second pass.
    """

    seconds: Numbers
    """Unix seconds; NaN for missing dates. In a repeated hour, the date in the first pass."""
    unreadable: Truths | None = None
    """True for rows with an invalid date; None if there are no such rows."""
    second_pass: Numbers | None = None
    """For dates in a repeated hour, the date in the second pass, else NaN; None if none is."""
    left_out: Truths | None = None
    """True for dates in an hour that a clock change skips; None if there are no such dates."""


@dataclass(slots=True)
class DateReader:
    """Converts the dates of a column.

    Examples
    --------
    >>> from workload_tools.table.language.cells import NOTHING_MORE, text_array
    >>> dates = DateReader(NOTHING_MORE).read(text_array(["1970-01-02 00:00:01", "60", "-1"]))
    >>> dates.seconds.tolist()
    [86401.0, 60.0, nan]
    """

    missing: Missing
    """Texts that mean a missing date. Among Unix dates, 0 means a missing date too."""
    zone: tzinfo = UTC
    """Time zone for dates without an offset from UTC."""
    unit: str = "seconds"
    """Unit of numeric dates, which count from 1970."""
    format: str | None = None
    """Format for `datetime.strptime`, or ``iso``. None: texts that are no numbers are ISO dates."""
    decimal: str = "."
    """Decimal separator of numeric dates."""
    _offsets: dict[int, tuple[float, float, bool]] = field(default_factory=dict)

    def read(self, cells: Cells) -> Dates:
        """Convert the cells of a column to dates."""
        typed = None if isinstance(cells, np.ndarray) else cells.dates()
        if typed is not None:
            seconds, in_utc = typed
            seconds = _without_zero(seconds)
            return Dates(seconds) if in_utc else self._in_zone(seconds)
        if self.format is not None:
            return self._texts(texts_of(cells))
        values, unreadable = numbers_of(cells, self.missing, decimal=self.decimal)
        values = _without_zero(values * SECONDS[self.unit])
        late = np.abs(values) >= _LATEST
        if late.any():
            values, unreadable = np.where(late, np.nan, values), either(unreadable, late)
        if unreadable is None:
            return Dates(values)
        # cells that are not numbers are read as ISO dates
        dates = self._texts(where(unreadable, texts_of(cells)))
        dates.seconds = np.where(np.isnan(dates.seconds), values, dates.seconds)
        return dates

    def _texts(self, texts: Texts) -> Dates:
        """Convert texts, with or without offsets, to dates. Each distinct text is read once."""
        read = _date_reader(self.format)
        cells = texts.tolist()
        aware: dict[str | None, float] = {}
        naive: dict[str | None, float] = {}
        wrong: set[str | None] = set()
        for text in set(cells):
            date = None if self.missing.has(text) else read(text.strip())
            if date is None:
                if not self.missing.has(text):
                    wrong.add(text)
            elif date.tzinfo is None:
                naive[text] = (date - _EPOCH).total_seconds()
            else:
                aware[text] = date.timestamp()
        local = np.array([naive.get(text, np.nan) for text in cells], np.float64)
        dates = self._in_zone(_without_zero(local))
        if aware:
            known = np.array([aware.get(text, np.nan) for text in cells], np.float64)
            dates.seconds = np.where(np.isnan(known), dates.seconds, known)
        if wrong:
            dates.unreadable = np.array([text in wrong for text in cells], np.bool_)
        return dates

    def _in_zone(self, local: Numbers) -> Dates:
        """Convert seconds of local time in `zone` to Unix seconds."""
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
        """Return the UTC offsets in both passes, and True if a clock change skips this time."""
        found = self._offsets.get(slot)
        if found is None:
            date = _EPOCH + timedelta(seconds=slot * _STEP)
            first, second = (
                (
                    date.replace(tzinfo=self.zone, fold=fold).utcoffset() or timedelta()
                ).total_seconds()
                for fold in (0, 1)
            )
            # the first pass is the earlier one, with the larger offset
            found = self._offsets[slot] = (first, second, first < second)
        return found


def _without_zero(seconds: Numbers) -> Numbers:
    """Replace 0 by NaN (a missing date), unless dates count from the log's own second 0."""
    if np.fmax.reduce(seconds, initial=0.0) < UNIX_DATES:
        return seconds
    return np.where(seconds == 0.0, np.nan, seconds)


@cache
def _date_reader(form: str | None) -> Callable[[str], datetime | None]:
    """Return a function that converts a text of this format to a date; None if it is invalid."""
    if form is None or form == ISO:
        return _iso_date
    plain = _plain_format(form)

    def read(text: str) -> datetime | None:
        match = None if plain is None else plain.fullmatch(text)
        try:
            if match is not None:
                parts = {name: int(part) for name, part in match.groupdict().items()}
                return datetime(**parts)  # type: ignore[arg-type] # noqa: DTZ001 - the zone is added
            return _within(datetime.strptime(text, form))  # noqa: DTZ007 - the zone is added
        except ValueError:
            return None

    return read


def _plain_format(form: str) -> re.Pattern[str] | None:
    """Return a pattern for a simple format, which is much faster than `strptime`, or None."""
    parts = re.split("%(.)", form)
    letters = parts[1::2]
    if not {"Y", "m", "d"} <= set(letters) <= _PARTS.keys() or len(set(letters)) < len(letters):
        return None
    return re.compile(
        "".join(_PARTS[part] if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )


def _iso_date(text: str) -> datetime | None:
    try:
        if text.endswith(" UTC"):
            return _within(datetime.fromisoformat(text.removesuffix(" UTC")).replace(tzinfo=UTC))
        return _within(datetime.fromisoformat(text))
    except ValueError:
        return None


def _within(date: datetime) -> datetime | None:
    # Python cannot add offsets to dates in the first and last year of its calendar
    return date if date.tzinfo is None or 1 < date.year < 9999 else None  # noqa: PLR2004 - the calendar


def either(first: Truths | None, second: Truths | None) -> Truths | None:
    """Return where at least one array is True; ``None`` means an array that is False everywhere."""
    if first is None or second is None:
        return second if first is None else first
    return first | second


def filled(dates: Dates, more: Dates) -> Dates:
    """Return `dates`, with missing dates replaced by the dates in `more`."""
    absent = np.isnan(dates.seconds)
    second = _choose(absent, more.second_pass, dates.second_pass, np.nan)
    left_out = _choose(absent, more.left_out, dates.left_out, False)
    seconds = np.where(absent, more.seconds, dates.seconds)
    wrong = either(dates.unreadable, more.unreadable)
    return Dates(
        seconds,
        None if wrong is None else wrong & np.isnan(seconds),
        second,
        None if left_out is None else left_out.astype(np.bool_),
    )


def _choose(
    absent: Truths,
    more: Any,  # noqa: ANN401 - of either kind
    had: Any,  # noqa: ANN401 - of either kind
    default: float,
) -> Any:  # noqa: ANN401 - of either kind
    if more is None and had is None:
        return None
    return np.where(absent, default if more is None else more, default if had is None else had)
