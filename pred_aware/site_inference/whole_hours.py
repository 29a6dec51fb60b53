"""Start windows as a site would state them: hours in a row, closed to all walltimes above one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAYS = ("Mon-Fri", "Sat", "Sun")
HOURS = 24
TOGETHER = ((0,), (1,), (2,), (1, 2), (0, 1, 2))
"""Which of `DAYS` a window may be for."""
NAMES = ("Mon-Fri", "Sat", "Sun", "Sat,Sun", "Mon-Sun")
MOST = 6
"""Windows at most."""
SHARE = 0.05
"""Of the job-hours that the first window explains each other one must explain as much."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of some days that are closed to the classes of walltimes from one on."""

    days: int
    """The place in `NAMES`."""
    begin: int
    length: int
    above: int
    """The first class that is stopped."""

    @property
    def cells(self) -> "tuple[slice, NDArray[np.int64]]":
        """The classes, and the hours of workdays, Saturdays and Sundays."""
        hours = (self.begin + np.arange(self.length)) % HOURS
        days = np.array(TOGETHER[self.days])
        return slice(self.above, None), (days[:, None] * HOURS + hours[None, :]).ravel()

    @property
    def closed(self) -> str:
        """The hours, as a site's file has them."""
        end = (self.begin + self.length) % HOURS
        return f"{self.begin:02d}:00-{end or HOURS:02d}:00"


def whole_hours(speaks: "NDArray[np.float64]", *, least: float) -> list[Hours]:
    """Find the windows for which most speaks, one after the other.

    Parameters
    ----------
    speaks
        How much speaks for each cell being closed, in job-hours, shape (classes, 72): below 0 where
        jobs start in it.
    least
        So much must speak for each window.

    Examples
    --------
    >>> speaks = np.full((3, 72), -1.0)
    >>> speaks[1:, 8:18] = 5.0
    >>> (found,) = whole_hours(speaks, least=10.0)
    >>> NAMES[found.days], found.closed, found.above
    ('Mon-Fri', '08:00-18:00', 1)
    """
    left = speaks.copy()
    found: list[Hours] = []
    first = 0.0
    while len(found) < MOST:
        best, gain = _best(left)
        if best is None or gain < max(least, SHARE * first):
            break
        first = first or gain
        found.append(best)
        classes, hours = best.cells
        left[classes, hours] = 0.0
    return found


def _best(speaks: "NDArray[np.float64]") -> tuple[Hours | None, float]:
    best, most = None, 0.0
    # by class: with all above it
    above = np.cumsum(speaks[::-1], axis=0)[::-1]
    for days, together in enumerate(TOGETHER):
        hours = sum(above[:, one * HOURS : (one + 1) * HOURS] for one in together)
        sums = np.cumsum(np.concatenate([np.zeros((len(speaks), 1)), hours, hours], axis=1), axis=1)
        for length in range(1, HOURS):
            gains = sums[:, length : length + HOURS] - sums[:, :HOURS]
            place = int(gains.argmax())
            if gains.flat[place] > most + 1e-9:
                most = float(gains.flat[place])
                best = Hours(days, place % HOURS, length, place // HOURS)
    return best, most
