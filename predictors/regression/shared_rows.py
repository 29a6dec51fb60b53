"""FeatureRows that several predictors share, so that they are made once."""

from predictors.regression.rows import FeatureRows
from predictors.submission import Submission


class SharedRows:
    """FeatureRows of several predictors (`sharers`) that look at the same and are told the same.

    They are told one after the other. The first that is told something changes the rows, and the
    others are given what it was given.

    Examples
    --------
    >>> shared = SharedRows(FeatureRows(["user", "walltime"]), sharers=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=60.0, user="ann")
    >>> [shared.ended(job, 30.0, 40.0) for _ in range(2)]
    [[0, 60.0], [0, 60.0]]
    """

    __slots__ = ("_asked", "_given", "_last", "_row", "_rows", "_sharers", "_told", "features")

    def __init__(self, rows: FeatureRows, *, sharers: int) -> None:
        self.features = rows.features
        self._rows = rows
        self._sharers = sharers
        # what was told last, to how many, and the row that was given for it
        self._last: tuple[str, Submission, float] | None = None
        self._told = 0
        self._given: list[float] = []
        # what was asked last since then, and the answer
        self._asked: tuple[Submission, float] | None = None
        self._row: list[float] = []

    def row(self, submission: Submission, now: float) -> list[float]:
        """Return a job's row; see `FeatureRows`."""
        asked = self._asked
        if asked is None or asked[0] is not submission or asked[1] != now:
            self._row = self._rows.row(submission, now)
            self._asked = (submission, now)
        return self._row

    def submitted(self, submission: Submission, now: float) -> None:
        """Note a submission; see `FeatureRows`."""
        if self._is_news("submitted", submission, now):
            self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start; see `FeatureRows`."""
        if self._is_news("started", submission, now):
            self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run; see `FeatureRows`."""
        if self._is_news("withdrawn", submission, now):
            self._rows.withdrawn(submission, now)

    def ended(self, submission: Submission, run_time: float, now: float) -> list[float]:
        """Note an end and return the row of the job at its submission; see `FeatureRows`."""
        if self._is_news("ended", submission, now):
            self._given = self._rows.ended(submission, run_time, now)
        return self._given

    def _is_news(self, event: str, submission: Submission, now: float) -> bool:
        """Say whether the first of those that share is told something."""
        last = self._last
        if (
            self._told < self._sharers
            and last is not None
            and last[1] is submission
            and last[0] == event
            and last[2] == now
        ):
            self._told += 1
            return False
        self._last = (event, submission, now)
        self._told = 1
        self._asked = None
        return True
