"""The methods that a predictor must have, and what they must do."""

import math
from typing import Protocol

from predictors.submission import Submission


class Predictor(Protocol):
    """Predicts a job's run time from its submission, and learns from ended jobs.

    A predictor may have three more methods. Each is called at most once for a job:
    ``submitted(submission, now)`` after the job's prediction, at the same date;
    ``started(submission, now)`` when the job starts; ``withdrawn(submission, now)`` when the job is
    rejected, or deleted before it ran. These methods are not called for past jobs of a history.

    A predictor may have the attribute ``valid_for``, in seconds. If a prediction is older than
    `valid_for` when the job starts, the scheduler requests a new prediction. See `validity`.

    All dates must use one clock: a simulation's clock, which begins at 0, or Unix time in a site's
    hook. A history ends at date 0, so a hook that learns a history must count dates from there.

    Store options as attributes of the same names, as a dataclass does. Then `Registry.describe` can
    report the options. Raise an `OptionError` for an invalid option.
    """

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time of a job in seconds, from what is known about the job.

        ``None`` means no prediction; then the walltime is used. A call must not change the
        predictor: a repeated call at the same date returns the same value.

        Parameters
        ----------
        submission
            The job.
        now
            The date in seconds, on the clock of the submission.
        """
        ...

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended, given what was known at its submission.

        Parameters
        ----------
        submission
            The job.
        run_time
            How long the job ran, in seconds; the walltime if the job was killed at its walltime.
        now
            The date of the job's end in seconds, on the clock of the submission.

        Raises
        ------
        PredictorError
            The run time is negative or not a finite number of seconds. A predictor may ignore such
            a job instead.
        """
        ...


def validity(predictor: Predictor) -> float:
    """Return how long a predictor's predictions are valid, in seconds; infinity by default.

    Examples
    --------
    >>> from predictors import LastTwo, PREDICTORS
    >>> validity(PREDICTORS.make("pbs_released")), validity(LastTwo())
    (3600.0, inf)
    """
    seconds: float = getattr(predictor, "valid_for", math.inf)
    return seconds
