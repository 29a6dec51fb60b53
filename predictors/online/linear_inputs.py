"""Inputs of the linear model: numbers about a job and its user, and products of these numbers."""

import math
from typing import NamedTuple

from predictors.checks import require_count
from predictors.errors import OptionError
from predictors.regression.activity import Values
from predictors.regression.encoding import known_number
from predictors.regression.on_rows import Array
from predictors.regression.rows import CalendarFeatures
from predictors.submission import Submission

NUMBER = 20
# inputs are limited to 1e9 (31 years in seconds), because squaring them twice could overflow
LARGEST = 1e9


class _Known(NamedTuple):
    """The values of `Activity` that the inputs use, by name."""

    last_run_time_1: float
    last_run_time_2: float
    last_run_time_3: float
    mean_run_time: float
    since_last_end: float
    mean_processors: float
    running_jobs: float
    running_processors: float
    longest_running: float
    sum_running: float


USED = _Known._fields


class LinearInputs:
    """Turns a job into the inputs of a linear model, following Gaussier et al. (2015).

    The inputs are: a constant; the walltime; the user's last three run times, and the means of the
    last two, three and ten run times; the processors, the mean processors of the user's last ten
    submissions, and the ratio of both numbers; the numbers of the user's running jobs and their
    processors, and the longest and total time for which these jobs have run; the time since the
    user's last end; sine and cosine of the time of day and week. With degree 2, the products of any
    two inputs are added.

    If the user has fewer than three ended jobs, the oldest known run time replaces missing ones. If
    the user has no ended job, the walltime replaces the run times, or 0 if there is no walltime.
    Run times are limited to the walltime.

    Raises
    ------
    OptionError
        The degree is neither 1 nor 2.

    Examples
    --------
    >>> inputs = LinearInputs(degree=1, calendar=CalendarFeatures())
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0)
    >>> inputs.of(job, (60.0, -1.0, -1.0, 60.0, 5.0, 2.0, 0, 0, 0, 0))[:9].tolist()
    [1.0, 3600.0, 60.0, 60.0, 60.0, 60.0, 60.0, 60.0, 4.0]
    """

    __slots__ = ("_calendar", "_pairs", "size")

    def __init__(self, *, degree: int, calendar: CalendarFeatures) -> None:
        import numpy as np

        self._calendar = calendar
        most = 2
        if require_count("degree", degree) > most:
            raise OptionError(f"degree must be 1 or 2, not {degree}")
        # one input is the constant 1, so the products include the inputs themselves
        self._pairs: tuple[Array, Array] | None = (
            np.triu_indices(NUMBER) if degree == most else None
        )
        self.size = NUMBER if self._pairs is None else len(self._pairs[0])

    def of(self, submission: Submission, activity: Values) -> Array:
        """Return a job's inputs, of shape (`size`,); `activity` has the values named in `USED`."""
        import numpy as np

        numbers = self._numbers(submission, _Known(*activity))
        values = np.array(numbers)
        if self._pairs is None:
            return values
        left, right = self._pairs
        return values[left] * values[right]

    def _numbers(self, submission: Submission, known: _Known) -> list[float]:
        walltime = known_number(submission.walltime)
        limit = min(walltime, LARGEST) if walltime >= 0 else LARGEST
        unknown = limit if walltime >= 0 else 0.0
        # -1 stands for an unknown value
        last = min(known.last_run_time_1, limit) if known.last_run_time_1 >= 0 else unknown
        second = min(known.last_run_time_2, limit) if known.last_run_time_2 >= 0 else last
        third = min(known.last_run_time_3, limit) if known.last_run_time_3 >= 0 else second
        mean = min(known.mean_run_time, LARGEST) if known.mean_run_time >= 0 else unknown
        processors = submission.processors
        usual = known.mean_processors if known.mean_processors > 0 else processors
        date = submission.submit_time
        of_day = 2 * math.pi * self._calendar.day_share(date)
        of_week = 2 * math.pi * self._calendar.week_share(date)
        return [
            1.0,
            unknown,
            last,
            second,
            third,
            (last + second) / 2,
            (last + second + third) / 3,
            mean,
            processors,
            usual,
            processors / usual if usual else 1.0,
            max(known.running_jobs, 0.0),
            max(known.running_processors, 0.0),
            max(min(known.longest_running, LARGEST), 0.0),
            max(min(known.sum_running, LARGEST), 0.0),
            max(min(known.since_last_end, LARGEST), 0.0),
            math.cos(of_day),
            math.sin(of_day),
            math.cos(of_week),
            math.sin(of_week),
        ]
