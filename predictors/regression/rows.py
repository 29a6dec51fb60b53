"""A job at its submission as a row of numbers."""

from collections.abc import Sequence

from predictors.regression.activity import ACTIVITY, SIMILAR, Activity, similar
from predictors.regression.calendar import CALENDAR, CalendarFeatures
from predictors.regression.encoding import NUMBERS, TEXTS, SubmissionEncoder, require_features
from predictors.submission import Submission

FIELDS = (*NUMBERS, *TEXTS)
PAPER_FEATURES = ("processors", "memory", "nodes", "gpus", "user", "qos", "walltime")
"""The features of paper 001."""
FEATURES = (*PAPER_FEATURES, "group", "queue", "partition", "executable", "name")
"""The default features. What a log does not tell costs nothing and changes nothing."""


class FeatureRows:
    """Turns jobs into rows of numbers for regression.

    Fields come first, then the calendar, then the user's activity, at last that with similar jobs.
    Texts are encoded anew each time (a text that was new may have a number by now); the rest of a
    job's row stays as it was at the job's submission.

    Parameters
    ----------
    features
        Fields of `Submission`, numbers of `CalendarFeatures` (``hour``, ``weekday``) and of
        `Activity`, and these with ``similar_`` before them, of the user's jobs of the same size
        and walltime alone.
    epoch
        What date 0 is for the calendar, in seconds; see `CalendarFeatures`.
    texts
        How many jobs back a text keeps its number at least; ``None`` for ever.

    Raises
    ------
    OptionError
        No feature, an unknown or a repeated one.

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
        """Return a job's row; changes nothing."""
        row = [] if self._encoder is None else self._encoder.encode(submission)
        self._add_calendar(row, submission)
        for activity in self._activities:
            row += activity.values(submission, now)
        return row

    def submitted(self, submission: Submission, now: float) -> None:
        """Note a submission: the job's row is now what it will be."""
        for activity in self._activities:
            activity.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start."""
        for activity in self._activities:
            activity.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run."""
        for activity in self._activities:
            activity.withdrawn(submission, now)

    def ended(self, submission: Submission, run_time: float, now: float) -> list[float]:
        """Note an end and return the row of the job at its submission."""
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
