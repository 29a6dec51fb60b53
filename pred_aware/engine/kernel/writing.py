"""Rows of a run's files as bytes, to the last digit those that Python writes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.compiled import called_by_python, compiled
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.values import Placed
from pred_aware.engine.sources import CODE

Bytes = NDArray[np.uint8]

LONGEST_NUMBERS = 200
"""So many bytes of a row are not of texts and intervals, at most."""
LONGEST_INTERVAL = 24
UNSUITED, NO_ROOM = -1, -2

_LARGEST = 2.0**53
_HALF_OF_THE_BITS = 2.0**26
_MILLION = 1_000_000
_LOW_BITS = (1 << 26) - 1
_COMMA, _POINT, _ZERO, _MINUS, _BLANK = 44, 46, 48, 45, 32


class Texts(NamedTuple):
    """Texts behind each other."""

    content: Bytes
    ends: Integers
    """Where each ends, after a 0; shape (texts + 1,)."""


class Rows(NamedTuple):
    """The jobs of a file in its order; shape (rows,)."""

    place: Integers
    """The job's texts."""
    number: Integers
    """The job's processors."""
    state: Integers
    submit: Floats
    start: Floats
    """Below 0 for a job that never ran."""
    end: Floats


@called_by_python(CODE)
def write_jobs(
    rows: Rows, names: Texts, requests: Texts, fixed: Texts, placed: Placed, out: Bytes
) -> int:
    """Write the rows of the jobs file.

    Parameters
    ----------
    rows
        The jobs.
    names, requests
        What stands in the row of each job before its submission, and behind that.
    fixed
        What stands behind that by state, and at the end of the row of a job that ran.
    placed
        The processors.
    out
        Where to.

    Returns
    -------
    int
        How many bytes; `NO_ROOM`, or `UNSUITED` where a number is to be written by Python.
    """
    at, end_of_row = 0, len(fixed.ends) - 2
    for row in range(len(rows.place)):
        place, job = rows.place[row], rows.number[row]
        longest = LONGEST_NUMBERS + LONGEST_INTERVAL * (placed.end[job] - placed.begin[job])
        longest += names.ends[place + 1] - names.ends[place]
        longest += requests.ends[place + 1] - requests.ends[place]
        if at + longest > len(out):
            return NO_ROOM
        at = _text(names, place, out, at)
        submit, start, end = rows.submit[row], rows.start[row], rows.end[row]
        at = _number(submit, out, at)
        if at < 0:
            return UNSUITED
        at = _text(requests, place, out, at)
        at = _text(fixed, rows.state[row], out, at)
        if start < 0.0:
            continue
        execution = end - start
        turnaround = end - submit
        if execution == 0.0:
            return UNSUITED
        numbers = (start, execution, end, start - submit, turnaround, turnaround / execution)
        for number in numbers:
            at = _number(number, out, at)
            if at < 0:
                return UNSUITED
        at = _intervals(placed, job, out, at)
        at = _text(fixed, end_of_row, out, at)
    return at


@compiled
def _text(texts: Texts, place: int, out: Bytes, at: int) -> int:
    """Write a text."""
    for index in range(texts.ends[place], texts.ends[place + 1]):
        out[at] = texts.content[index]
        at += 1
    return at


@compiled
def _number(number: float, out: Bytes, at: int) -> int:
    """Write a number and a comma: six digits behind the point, rounded as the exact value demands.

    The value is a sum of whole numbers over 2^26 and 2^52, so that no product has over 63 bits. One
    that is no such sum, or below 0, is not written, but -1 returned.
    """
    if not 0.0 <= number < _LARGEST:
        return -1
    whole = int(number)
    rest = (number - np.float64(whole)) * _HALF_OF_THE_BITS
    if rest == 0.0:
        return _written(whole, 0, out, at)
    high = int(rest)
    rest = (rest - np.float64(high)) * _HALF_OF_THE_BITS
    low = int(rest)
    if np.float64(low) != rest:
        return -1
    low *= _MILLION
    scaled = high * _MILLION + (low >> 26)
    digits = scaled >> 26
    left = ((scaled & _LOW_BITS) << 26) | (low & _LOW_BITS)
    half = 1 << 51
    if left > half or (left == half and digits & 1):
        digits += 1
    if digits == _MILLION:
        whole, digits = whole + 1, 0
    return _written(whole, digits, out, at)


@compiled
def _written(whole: int, digits: int, out: Bytes, at: int) -> int:
    """Write a number of so many millionths behind the point, and a comma."""
    at = _whole(whole, out, at)
    out[at] = _POINT
    if digits:
        _digits(digits, out, at + 1, at + 7)
    else:
        for place in range(at + 1, at + 7):
            out[place] = _ZERO
    out[at + 7] = _COMMA
    return at + 8


@compiled
def _whole(number: int, out: Bytes, at: int) -> int:
    """Write a whole number of at least 0."""
    end, least = at + 1, 10
    while number >= least:
        least *= 10
        end += 1
    _digits(number, out, at, end)
    return end


@compiled
def _digits(number: int, out: Bytes, begin: int, end: int) -> None:
    """Write as many digits as there is room for."""
    # without a sign a division takes a third
    rest, ten = np.uint64(number), np.uint64(10)
    for place in range(end - 1, begin - 1, -1):
        tenth = rest // ten
        out[place] = np.uint64(_ZERO) + rest - tenth * ten
        rest = tenth


@compiled
def _intervals(placed: Placed, job: int, out: Bytes, at: int) -> int:
    """Write a job's processors as Batsim does: ``0-3 7``."""
    for index in range(placed.begin[job], placed.end[job]):
        if index > placed.begin[job]:
            out[at] = _BLANK
            at += 1
        first, last = placed.first[index], placed.last[index]
        at = _whole(first, out, at)
        if last > first:
            out[at] = _MINUS
            at = _whole(last, out, at + 1)
    return at
