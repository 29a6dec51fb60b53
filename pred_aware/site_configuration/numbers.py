"""Conversion of numbers and dates in the texts of batch systems; errors contain the text."""

import math
from collections.abc import Mapping
from datetime import datetime


def whole(text: str) -> int:
    """Convert a text into an integer.

    Raises
    ------
    ValueError
        The text is not an integer.
    """
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 15):  # noqa: PLR2004 - exact as a float
        raise ValueError(f"'{text}' is not a whole number")
    return sign * int(digits)


def decimal(text: str) -> float:
    """Convert a text into a finite number.

    Raises
    ------
    ValueError
        The text is not a finite number.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"'{text}' is not a number")
    return number


def date(record: Mapping[str, str], key: str) -> datetime:
    """Return the date in a record's field, such as ``2026-12-01T08:00:00``.

    Raises
    ------
    ValueError
        The field is missing or not a date.
    """
    try:
        return datetime.fromisoformat(record.get(key, ""))
    except ValueError:
        raise ValueError(f"{key}={record.get(key, '')} is not a date") from None
