"""Read durations and amounts of memory in various units and text forms."""

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from workload_tools.table.language.cells import (
    Cells,
    Missing,
    Numbers,
    Truths,
    are_durations,
    meanings,
    numbers_of,
    texts_of,
)

_REPEAT = re.compile(r"[*+]|\{[0-9]*(?:,[0-9]*)?\}")
_VARIES = re.compile(r"[*+?|]|\{[0-9]*,[0-9]*\}")
_PARTS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]])*\]"  # an escaped character, a character class
    r"|\(\?[:=!]|\(\?P?<[^>]*>|\(\?."  # a group of some kind
    rf"|{_REPEAT.pattern}|.",
    re.DOTALL,
)
_REFUSED = re.compile(r"\\[1-9]|\(\?(?!:|P<|[ims])")


class PatternError(ValueError):
    """A text is not a suitable pattern. The message gives the reason."""


def pattern_of(text: str) -> re.Pattern[str]:
    """Compile a pattern with exactly one group, which extracts the value.

    Some patterns could run very long on some cells, and are refused: back-references, lookarounds,
    and repetitions of groups that contain repetitions or alternatives.

    Raises
    ------
    PatternError
        The text is not a pattern, does not have exactly one group, or could run too long.

    Examples
    --------
    >>> pattern_of(r"^([0-9]+)_").search("12_3")[1]
    '12'
    """
    try:
        pattern = re.compile(text, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"is not a pattern: {error}") from None
    if pattern.groups != 1:
        raise PatternError(f"has {pattern.groups} groups in parentheses; it must have one")
    _refuse_slow(text)
    return pattern


def _refuse_slow(text: str) -> None:
    """Raise a PatternError if a repeated group can match in more than one way."""
    varies = [False]
    closed = False
    for part in _PARTS.findall(text):
        if _REFUSED.match(part):
            raise PatternError(f"has '{part}', with which a pattern may run too long")
        if closed and _REPEAT.fullmatch(part):
            raise PatternError(
                "repeats a group that contains a repetition or '|', which may run too long; "
                "repeat single characters, such as [a-z0-9,]*"
            )
        varies[-1] |= _VARIES.fullmatch(part) is not None
        closed = False
        if part.startswith("("):
            varies.append(False)
        elif part == ")":
            closed = varies.pop()
            varies[-1] |= closed


SECONDS = {
    "seconds": 1.0,
    "milliseconds": 1e-3,
    "microseconds": 1e-6,
    "nanoseconds": 1e-9,
    "minutes": 60.0,
    "hours": 3600.0,
    "days": 86400.0,
}
CLOCK = "d-hh:mm:ss"
DURATION_UNITS = (*SECONDS, CLOCK)
"""The units of durations. `CLOCK` means texts such as ``1-02:03:04``, ``02:03:04``, ``03:04``."""

GIB = {
    "bytes": 2.0**-30,
    "KB": 1e3 * 2.0**-30,
    "MB": 1e6 * 2.0**-30,
    "GB": 1e9 * 2.0**-30,
    "TB": 1e12 * 2.0**-30,
    "KiB": 2.0**-20,
    "MiB": 2.0**-10,
    "GiB": 1.0,
    "TiB": 2.0**10,
}
SUFFIX = "with suffix"
MEMORY_UNITS = (*GIB, SUFFIX)
"""The units of memory. `SUFFIX` means texts such as ``4000M`` or ``16gb``, in powers of 1024."""


_CLOCK = re.compile(
    r"(?:([0-9]{1,6})(?:-| days? \+?))?(?:([0-9]{1,7}):)?"
    r"([0-9]{1,7}):([0-9]{2}(?:\.[0-9]{1,9})?)"
)
_SUFFIXED = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([KMGTP]?)i?B?[nc]?", re.IGNORECASE)
_SUFFIXES = {"": 2.0**-30, "K": 2.0**-20, "M": 2.0**-10, "G": 1.0, "T": 2.0**10, "P": 2.0**20}
_REMEMBERED = 1 << 17


@lru_cache(maxsize=_REMEMBERED)
def clock_seconds(text: str) -> float:
    """Return the seconds of a text such as ``1-02:03:04``; NaN for an invalid text.

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
    """Return the GiB of a text such as ``4000M``; no suffix means bytes; NaN for an invalid text.

    Examples
    --------
    >>> suffixed_gib("512M"), suffixed_gib("16gb"), suffixed_gib("lots")
    (0.5, 16.0, nan)
    """
    match = _SUFFIXED.fullmatch(text.strip())
    return np.nan if match is None else float(match[1]) * _SUFFIXES[match[2].upper()]


def numbers_in_texts(
    cells: Cells, missing: Missing, meaning: Callable[[str], float]
) -> tuple[Numbers, Truths | None]:
    """Convert a column's texts to numbers; return the same as `numbers_of`.

    Parameters
    ----------
    cells, missing
        The column, and texts that mean a missing value.
    meaning
        Function that converts a text to a number, or to NaN if the text is invalid. It is called
        once per distinct text.
    """
    if are_durations(cells):
        return numbers_of(cells, missing)
    return meanings(texts_of(cells), missing, meaning)
