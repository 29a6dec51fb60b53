"""Cells of the Marconi100 job table."""

import math
from datetime import UTC, datetime

from workload_tools.m100.table import Cell

NO_VALUE = frozenset(("", "nan", "none", "null", "(null)", "nat", "<na>", "n/a"))
NO_LIMIT = frozenset(("UNLIMITED", "INFINITE", "Partition_Limit"))

_SECONDS_PER_MINUTE = 60.0
_LARGEST = 1e12
# What Slurm writes for "no value" and "no limit" in 32 bits.
_NO_MINUTES = 0xFFFF_FFFE


def text(cell: Cell) -> str | None:
    """Return a cell as text, without the ``.0`` that a table gives to whole numbers.

    Examples
    --------
    >>> text(12.0), text("12.0"), text("normal"), text("NaN"), text(float("nan"))
    ('12', '12', 'normal', None, None)
    """
    if cell is None or isinstance(cell, float):
        value = number(cell)
        return None if value is None else f"{value:.15g}"
    stripped = str(cell).strip()
    if stripped.lower() in NO_VALUE:
        return None
    whole = stripped.removesuffix(".0")
    return whole if whole.isdecimal() else stripped


def number(cell: Cell) -> float | None:
    """Return a cell as a number of at least 0; None if it is none.

    Examples
    --------
    >>> number("60"), number(60), number("-1"), number("1e999"), number("many")
    (60.0, 60.0, None, None, None)
    """
    if cell is None or cell == "":
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0.0 <= value <= _LARGEST else None


def unix_time(cell: Cell) -> float | None:
    """Return a date in Unix seconds, from these or from a text as ISO 8601 has it.

    A text without a time zone is taken as UTC.

    Examples
    --------
    >>> unix_time("1970-01-02 00:00:00+00:00"), unix_time("1970-01-01T01:00:00+01:00")
    (86400.0, 0.0)
    >>> unix_time(12.5), unix_time("yesterday"), unix_time("")
    (12.5, None, None)
    """
    value = number(cell)
    if value is not None or not isinstance(cell, str):
        return value
    try:
        date = datetime.fromisoformat(cell.strip())
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    try:
        return number(date.timestamp())
    except OverflowError:
        return None


def limit(cell: Cell) -> tuple[float | None, bool]:
    """Return a time limit in seconds, from minutes.

    Returns
    -------
    tuple
        The limit, None if there is none, and whether the cell says so (also: that there is none).

    Examples
    --------
    >>> limit("1440"), limit("UNLIMITED"), limit(4294967295), limit("")
    ((86400.0, True), (None, True), (None, True), (None, False))
    """
    minutes = number(cell)
    if minutes is None:
        return None, isinstance(cell, str) and cell.strip() in NO_LIMIT
    if minutes >= _NO_MINUTES:
        return None, True
    return minutes * _SECONDS_PER_MINUTE or None, minutes > 0.0
