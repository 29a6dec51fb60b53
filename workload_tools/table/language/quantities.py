"""Durations and amounts of memory, from numbers with a unit and from texts."""

import re
from functools import lru_cache
from typing import Any

import numpy as np

from workload_tools.table.language.cells import Missing, Numbers, Truths, numbers_of, texts_of

_CLOCK = re.compile(
    r"(?:([0-9]{1,6})(?:-| days? \+?))?(?:([0-9]{1,7}):)?"
    r"([0-9]{1,7}):([0-9]{2}(?:\.[0-9]{1,9})?)"
)
_SUFFIXED = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([KMGTP]?)i?B?[nc]?", re.IGNORECASE)
_SUFFIXES = {"": 2.0**-30, "K": 2.0**-20, "M": 2.0**-10, "G": 1.0, "T": 2.0**10, "P": 2.0**20}
_REMEMBERED = 1 << 17


@lru_cache(maxsize=_REMEMBERED)
def clock_seconds(text: str) -> float:
    """Return the seconds of a text such as ``1-02:03:04``; NaN where it is none.

    Examples
    --------
    >>> clock_seconds("1-00:00:03"), clock_seconds("1:30"), clock_seconds("0 days 01:00:00.500")
    (86403.0, 90.0, 3600.5)
    >>> clock_seconds("soon")
    nan
    """
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return np.nan
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return 86400.0 * days + 3600.0 * hours + 60.0 * minutes + seconds


@lru_cache(maxsize=_REMEMBERED)
def suffixed_gib(text: str) -> float:
    """Return the GiB of a text such as ``4000M``, which are bytes without a suffix; NaN for none.

    Examples
    --------
    >>> suffixed_gib("512M"), suffixed_gib("16gb"), suffixed_gib("lots")
    (0.5, 16.0, nan)
    """
    match = _SUFFIXED.fullmatch(text.strip())
    return np.nan if match is None else float(match[1]) * _SUFFIXES[match[2].upper()]


def spelled(column: Any, missing: Missing, meaning: Any) -> tuple[Numbers, Truths | None]:  # noqa: ANN401 - pyarrow has no types
    """Return what the texts of a column mean, and which mean nothing.

    Parameters
    ----------
    column
        An arrow array.
    missing
        What stands for no value.
    meaning
        Gives the number of a text, or NaN; asked once for each text that differs.
    """
    import pyarrow as pa

    if pa.types.is_duration(column.type):
        return numbers_of(column, missing)
    encoded = texts_of(column).dictionary_encode()
    values, unreadable = [], []
    for text in encoded.dictionary.to_pylist():
        absent = text is None or text.strip().lower() in missing.texts
        value = np.nan if absent else meaning(text)
        values.append(value)
        unreadable.append(not absent and bool(np.isnan(value)))
    return _spread(encoded, values, unreadable)


def _spread(
    encoded: Any,  # noqa: ANN401 - pyarrow has no types
    values: list[float],
    unreadable: list[bool],
) -> tuple[Numbers, Truths | None]:
    """Give each row what its text means."""
    at = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    numbers: Numbers = np.array([*values, np.nan])[at]
    wrong: Truths | None = np.array([*unreadable, False])[at] if any(unreadable) else None
    return numbers, wrong
