"""The numbers of many lines of a log in the Standard Workload Format at once."""

import math
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workload_tools.swf.line import STANDARD_FIELDS

_PRINTED = bytes(range(32, 127)) + b"\t\n\r"
_NINE = 9
_NEWLINE, _BLANK, _MINUS, _ZERO = b"\n -0"
_MOST_DIGITS = 15
"""A double tells whole numbers of so many digits apart."""


class LineNumbers(NamedTuple):
    """The fields of lines, as far as they have 18 numbers."""

    values: NDArray[np.float64]
    """Not finite where a field is no number, or the line has not 18; shape (18, lines)."""
    as_python: NDArray[np.bool_]
    """Whether a field is a whole number from 0 on as Python writes it; of the same shape."""


def line_numbers_of(block: bytes) -> LineNumbers | None:
    r"""Read whole lines, with ends between them; ``None`` where they are not all printed ASCII.

    Examples
    --------
    >>> numbers = line_numbers_of(b"; a comment\n" + b"1 007 -1" + 15 * b" 2.5")
    >>> numbers.values[:4, 1], numbers.as_python[:4, 1]
    (array([ 1. ,  7. , -1. ,  2.5]), array([ True, False, False, False]))
    """
    if block.translate(None, _PRINTED):
        return None
    text = np.frombuffer(block, np.uint8)
    blank = text <= _BLANK
    # from a blank to a word and back
    edges = np.flatnonzero(np.diff(blank, prepend=True, append=True))
    starts, ends = edges[::2], edges[1::2]
    negative = text[starts] == _MINUS
    digits = ends - starts - negative
    figures = text - np.uint8(_ZERO)
    figures[starts[negative]] = 0
    values = np.zeros(len(starts), np.int64)
    left, place = np.arange(len(starts)), ends - 1
    for position in range(min(int(digits.max(initial=0)), _MOST_DIGITS)):
        more = digits[left] > position
        left, place = left[more], place[more]
        values[left] += 10**position * figures[place].astype(np.int64)
        place = place - 1
    # with a sign alone, too many digits, a minus before 0, or what is no digit
    odd = (digits == 0) | (digits > _MOST_DIGITS) | (negative & (values == 0))
    odd[np.searchsorted(starts, np.flatnonzero((figures > _NINE) & ~blank), "right") - 1] = True
    as_python = ~(odd | negative | ((text[starts] == _ZERO) & (digits > 1)))
    first = np.append(0, np.searchsorted(starts, np.flatnonzero(text == _NEWLINE)))
    fields = np.diff(first, append=len(starts))
    whole = fields == STANDARD_FIELDS
    numbers = np.where(negative, -values, values).astype(np.float64)
    for word in np.flatnonzero(odd & np.repeat(whole, fields)).tolist():
        numbers[word] = _number(block[starts[word] : ends[word]])
    shape = (STANDARD_FIELDS, len(fields))
    found = LineNumbers(np.full(shape, np.nan), np.zeros(shape, np.bool_))
    words = first[whole] + np.arange(STANDARD_FIELDS)[:, None]
    found.values[:, whole] = numbers[words]
    found.as_python[:, whole] = as_python[words]
    return found


def _number(word: bytes) -> float:
    """Return what is not written as most numbers are; NaN where it is none of a log."""
    with suppress(ValueError):
        return math.nan if b"_" in word else float(word)
    return math.nan
