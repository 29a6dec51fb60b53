"""Read numbers, durations and sizes in the notation of PBS and Torque."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from sys import intern
from typing import TypeVar

LARGEST = 10**15
LARGEST_COUNT = 10**8
"""No machine has more processors or nodes than this, so a larger number is an error."""

_GIB = 1 << 30
_BYTES = {
    f"{prefix}{unit}": size * factor
    for prefix, factor in {
        "": 1,
        "k": 2**10,
        "m": 2**20,
        "g": 2**30,
        "t": 2**40,
        "p": 2**50,
    }.items()
    for unit, size in {"b": 1, "w": 8}.items()
} | {"": 1}

_SECONDS = re.compile(
    r"(?:(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9}):)?(\d{1,15}(?:\.\d{1,9})?)", re.ASCII
)
_SIZE = re.compile(r"(\d{1,15})([kmgtp]?[bw])?", re.ASCII | re.IGNORECASE)
_COUNT = re.compile(r"\d{1,9}", re.ASCII)


def seconds(text: str) -> float | None:
    """Read a duration or date: a number of seconds, or ``[[days:]hours:]minutes:seconds``.

    Returns
    -------
    float or None
        Seconds; None if the text is invalid.

    Examples
    --------
    >>> seconds("100:00:00"), seconds("90"), seconds("1:00:00:01"), seconds("soon")
    (360000.0, 90.0, 86401.0, None)
    """
    match = _SECONDS.fullmatch(text)
    if match is None:
        return None
    days, hours, minutes, rest = match.groups()
    value = int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest)
    return value if value <= LARGEST else None


def gibibytes(text: str) -> float | None:
    """Read an amount of memory: a whole number with b, kb, ..., pb, or w, kw, ... (8-byte words).

    Returns
    -------
    float or None
        GiB; None if the text is invalid.

    Examples
    --------
    >>> gibibytes("100gb"), gibibytes("512MB"), gibibytes("1073741824"), gibibytes("1gw")
    (100.0, 0.5, 1.0, 8.0)
    >>> gibibytes("much")
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    number, unit = match.groups()
    return int(number) * _BYTES[(unit or "").lower()] / _GIB


def count(text: str) -> int | None:
    """Return a count; None if the text is not a count, or is larger than any machine.

    Examples
    --------
    >>> count("16"), count("-1"), count("1e3"), count("999999999")
    (16, None, None, None)
    """
    if _COUNT.fullmatch(text) is None:
        return None
    value = int(text)
    return value if value <= LARGEST_COUNT else None


_Value = TypeVar("_Value")


@dataclass(slots=True)
class Attributes:
    """The attributes of an accounting record.

    Examples
    --------
    >>> from workload_tools.pbs.quantities import seconds
    >>> read = Attributes({"start": "12", "end": "?"}, Counter())
    >>> read.value("start", seconds), read.value("end", seconds), read.repaired
    (12.0, None, Counter({'end not understood: left out': 1}))
    """

    values: Mapping[str, str]
    """The text of each attribute, by name."""
    repaired: Counter[str]
    """Number of records with an invalid text, by attribute."""

    def value(self, name: str, read: Callable[[str], _Value | None]) -> _Value | None:
        """Return an attribute converted by `read`; None if it is missing or invalid.

        Parameters
        ----------
        name
            The attribute's name.
        read
            Function that converts a text; it returns None if the text is invalid.
        """
        text = self.values.get(name)
        if not text:
            return None
        value = read(text)
        if value is None:
            self.repaired[f"{name} not understood: left out"] += 1
        return value

    def name(self, *names: str) -> str | None:
        """Return the text of the first attribute that the record has.

        Parameters
        ----------
        names
            Names of attributes, in order of preference.
        """
        text = next((text for name in names if (text := self.values.get(name))), None)
        if text is None:
            return None
        if not text.isascii():
            # lines are decoded as latin-1, which never fails, but most logs are UTF-8
            with suppress(UnicodeDecodeError):
                text = text.encode("latin-1").decode()
        return intern(text)
