"""Many dates of `sacct` at once."""

import numpy as np

from workload_tools.slurm.cells import Cells, Floats, Integers, Marks
from workload_tools.slurm.clock import SlurmClock
from workload_tools.slurm.errors import UnreadableError

_FORM = np.frombuffer(b"0000-00-00T00:00:00", np.uint8)
_LENGTH = len(_FORM)
_DIGITS = np.flatnonzero(ord("0") == _FORM)
_BETWEEN = np.flatnonzero((ord("0") != _FORM) & (ord("T") != _FORM))
_T = 10
_NINE, _LAST_MINUTE, _LAST_SECOND = 9, 59, 60
_MOST_DIGITS = 11


def read_dates(clock: SlurmClock, cells: Cells, column: int, good: Marks) -> Floats:
    """Return dates as a clock reads them one by one, NaN where there is none.

    Parameters
    ----------
    clock
        Reads them; remembers the hours that it met.
    cells, column
        The dates.
    good
        Which of them are looked at; those that are doubtful or no dates are taken out.
    """
    begins, ends = cells.span(column)
    numbers, is_number = cells.numbers(column, most=_MOST_DIGITS)
    seconds = np.where(is_number & (numbers > 0), numbers, np.nan)
    local = good & (ends - begins == _LENGTH)
    rest = np.flatnonzero(good & ~local & ~is_number & (ends > begins))
    for place in rest.tolist():
        try:
            date = clock.read(cells.text[begins[place] : ends[place]])
        except UnreadableError:
            good[place] = False
        else:
            seconds[place] = np.nan if date is None else date
    if local.any():
        seconds[local] = _local(clock, cells, begins[local])
        good[local] = ~np.isnan(seconds[local])
    return seconds


def _local(clock: SlurmClock, cells: Cells, begins: Integers) -> Floats:
    """Read what may be as ``2026-11-21T02:33:41``, hour by hour; NaN for all else."""
    letters = cells.letters[begins[:, np.newaxis] + np.arange(_LENGTH)]
    digits = letters[:, _DIGITS] - np.uint8(ord("0"))
    minutes, seconds = (10 * digits[:, place] + digits[:, place + 1] for place in (10, 12))
    fine = (
        (digits <= _NINE).all(axis=1)
        & (letters[:, _BETWEEN] == _FORM[_BETWEEN]).all(axis=1)
        & np.isin(letters[:, _T], np.frombuffer(b"T ", np.uint8))
        & (minutes <= _LAST_MINUTE)
        & (seconds <= _LAST_SECOND)
    )
    found = np.full(len(begins), np.nan)
    hours = digits[fine, :10] @ 10 ** np.arange(9, -1, -1)
    _, firsts, hour_of = np.unique(hours, return_index=True, return_inverse=True)
    starts = [
        clock.start_of_hour(cells.text[begin : begin + _LENGTH])
        for begin in begins[fine][firsts].tolist()
    ]
    found[fine] = np.array(starts, np.float64)[hour_of] + 60.0 * minutes[fine] + seconds[fine]
    return found
