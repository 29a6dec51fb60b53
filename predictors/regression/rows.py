"""Convert a job to a row of numbers, from what is known at the job's submission."""

import math
from collections.abc import Sequence

from predictors.checks import require_number
from predictors.regression.activity import ACTIVITY, SIMILAR, Activity, similar
from predictors.regression.encoding import NUMBERS, TEXTS, SubmissionEncoder, require_features
from predictors.submission import Submission

CALENDAR = ("hour", "weekday")

_HOUR = 3600.0
_DAY = 86400.0
# Unix time begins on a Thursday, which is day 3 of a week that begins on Monday
_FIRST_WEEKDAY = 3


class CalendarFeatures:
    """Converts dates of a simulation to hours and weekdays.

    `epoch` is date 0 of the simulation, in seconds since 1970-01-01 00:00. For hours in UTC, give
    Unix time. For local hours (without daylight saving time), give Unix time plus the time zone's
    offset.

    Raises
    ------
    OptionError
        `epoch` is not a finite number.

    Examples
    --------
    Date 0 is Monday 2024-01-01, 10:00.

    >>> calendar = CalendarFeatures(epoch=1704103200.0)
    >>> calendar.hour(0.0), calendar.weekday(0.0)
    (10, 0)
    >>> calendar.hour(15 * 3600.0), calendar.weekday(15 * 3600.0)
    (1, 1)
    """

    __slots__ = ("_epoch",)

    def __init__(self, *, epoch: float = 0.0) -> None:
        self._epoch = require_number("epoch", epoch, least=-math.inf)

    def hour(self, date: float) -> int:
        """Return the hour of the day, from 0 to 23."""
        return int((self._epoch + date) % _DAY // _HOUR)

    def weekday(self, date: float) -> int:
        """Return the day of the week, 0 for Monday to 6 for Sunday."""
        return int((self._epoch + date) // _DAY + _FIRST_WEEKDAY) % 7

    def day_share(self, date: float) -> float:
        """Return the elapsed share of the day, from 0 to 1."""
        return (self._epoch + date) % _DAY / _DAY

    def week_share(self, date: float) -> float:
        """Return the elapsed share of the week, which begins on Monday, from 0 to 1."""
        week = 7 * _DAY
        return (self._epoch + date + _FIRST_WEEKDAY * _DAY) % week / week


FIELDS = (*NUMBERS, *TEXTS)
PAPER_FEATURES = ("processors", "memory", "nodes", "gpus", "user", "qos", "walltime")
"""The features of paper 001."""
FEATURES = (*PAPER_FEATURES, "group", "queue", "partition", "executable", "name")
"""The default features; a feature that a log does not contain does not affect predictions."""


class FeatureRows:
    """Turns jobs into rows of numbers for regression.

    A row has first the fields of the submission, then the calendar, then the user's activity, then
    the activity of similar jobs. The codes of texts are looked up for each row, because a text that
    was new at submission may have a code later. The other numbers of a row stay as they were at the
    job's submission.

    `features` are fields of `Submission`, and numbers of `CalendarFeatures` (``hour``, ``weekday``)
    and of `Activity`. A number of `Activity` with the prefix ``similar_`` is computed only from the
    user's jobs of the same size and walltime. `CalendarFeatures` explains `epoch`, and
    `SubmissionEncoder` explains `texts`.

    Raises
    ------
    OptionError
        There is no feature, or a feature is unknown or repeated.

    Examples
    --------
    >>> rows = FeatureRows(["last_run_time_1", "processors", "hour"])
    >>> job = Submission(id="7", submit_time=7200.0, processors=4, user="ann")
    >>> rows.features, rows.row(job, 7200.0)
    (('processors', 'hour', 'last_run_time_1'), [4, 2, -1.0])
    """

    __slots__ = ("_activities", "_calendar", "_encoder", "_hour", "_weekday", "features")

    def __init__(
        self, features: Sequence[str], *, epoch: float = 0.0, texts: int | None = None
    ) -> None:
        require_features(features, (*FIELDS, *CALENDAR, *ACTIVITY, *SIMILAR))
        fields = [feature for feature in features if feature in FIELDS]
        dated = [feature for feature in CALENDAR if feature in features]
        activity = [feature for feature in features if feature in ACTIVITY]
        alike = [feature for feature in features if feature in SIMILAR]
        self.features = (*fields, *dated, *activity, *alike)
        self._encoder = SubmissionEncoder(fields, texts=texts) if fields else None
        self._hour, self._weekday = "hour" in dated, "weekday" in dated
        self._calendar = CalendarFeatures(epoch=epoch)
        self._activities = [Activity(activity)] if activity else []
        if alike:
            names = [feature.removeprefix("similar_") for feature in alike]
            self._activities.append(Activity(names, of=similar))

    def row(self, submission: Submission, now: float) -> list[float]:
        """Return a job's row, without learning new texts."""
        row = [] if self._encoder is None else self._encoder.encode(submission)
        self._add_calendar(row, submission)
        for activity in self._activities:
            row += activity.values(submission, now)
        return row

    def submitted(self, submission: Submission, now: float) -> None:
        """Record a submission, and keep the numbers of the user's activity for this job."""
        for activity in self._activities:
            activity.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Record a start."""
        for activity in self._activities:
            activity.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Forget a job that will not run."""
        for activity in self._activities:
            activity.withdrawn(submission, now)

    def ended(self, submission: Submission, run_time: float, now: float) -> list[float]:
        """Record an end, and return the row that the job had at its submission."""
        row = [] if self._encoder is None else self._encoder.learn(submission)
        self._add_calendar(row, submission)
        for activity in self._activities:
            row += activity.ended(submission, run_time, now)
        return row

    def _add_calendar(self, row: list[float], submission: Submission) -> None:
        if self._hour:
            row.append(self._calendar.hour(submission.submit_time))
        if self._weekday:
            row.append(self._calendar.weekday(submission.submit_time))
