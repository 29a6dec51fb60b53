"""The numbers of many lines of a log in the Standard Workload Format at once."""

import math
from typing import Any, NamedTuple

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
    values = _values(figures, ends, digits)
    # with a sign alone, too many digits, a minus before 0, or what is no digit
    odd = (digits == 0) | (digits > _MOST_DIGITS) | (negative & (values == 0))
    odd[np.searchsorted(starts, np.flatnonzero((figures > _NINE) & ~blank), "right") - 1] = True
    as_python = ~(odd | negative | ((text[starts] == _ZERO) & (digits > 1)))
    first = np.append(0, np.searchsorted(starts, np.flatnonzero(text == _NEWLINE)))
    fields = np.diff(first, append=len(starts))
    whole = fields == STANDARD_FIELDS
    np.negative(values, out=values, where=negative)
    others = np.flatnonzero(odd & np.repeat(whole, fields))
    words = zip(starts[others].tolist(), ends[others].tolist(), strict=True)
    values[others] = [_number(block[start:end]) for start, end in words]
    if whole.all():
        # mostly
        return LineNumbers(_by_field(values), _by_field(as_python))
    shape = (STANDARD_FIELDS, len(fields))
    found = LineNumbers(np.full(shape, np.nan), np.zeros(shape, np.bool_))
    places = first[whole] + np.arange(STANDARD_FIELDS)[:, None]
    found.values[:, whole] = values[places]
    found.as_python[:, whole] = as_python[places]
    return found


def _values(
    figures: NDArray[np.uint8], ends: NDArray[np.intp], digits: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return what the last digits of words say, at most 15."""
    lacking = (_MOST_DIGITS - np.minimum(digits, _MOST_DIGITS)).astype(np.uint8)
    # the longest first, so that those with a digit at some place are a part of all
    longest = np.argsort(lacking, kind="stable")
    last, found = ends[longest] - 1, np.zeros(len(ends))
    many = np.cumsum(np.bincount(lacking, minlength=_MOST_DIGITS + 1))
    for position, count in enumerate(many[-2::-1].tolist()):
        if not count:
            break
        found[:count] += 10.0**position * figures[last[:count] - position]
    values = np.empty(len(ends))
    values[longest] = found
    return values


def _by_field(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values.reshape(-1, STANDARD_FIELDS).T)


def _number(word: bytes) -> float:
    """Return what is not written as most numbers are; NaN where it is none of a log."""
    try:
        return math.nan if b"_" in word else float(word)
    except ValueError:
        return math.nan
