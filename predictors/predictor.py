"""The contract of a predictor."""

import math
from typing import Protocol

from predictors.submission import Submission


class Predictor(Protocol):
    """Predicts a job's run time from its submission, and learns from jobs that ended.

    Three more methods are optional: ``submitted(submission, now)``, ``started(submission, now)``
    and ``withdrawn(submission, now)`` are each called once for a job, when it is submitted, when
    it starts and when it is rejected or deleted before it ran, if the predictor has them. A job is
    submitted after its prediction was asked for, at the same date. None of them is called for the
    past jobs of a history.

    One attribute is optional, ``valid_for``: how old a prediction may be when the job starts, in
    seconds. An older one is asked for again then. See `validity`.

    Dates are of any clock, but of one clock: a simulation's, which begins at 0, or Unix time in a
    site's hook. Those of a history end at 0, so a hook that begins with one goes on from there.

    A class that keeps its options as attributes of the same names, as a dataclass does, can be
    described by them: see `Registry.describe`. A value that an option can't have is an
    `OptionError`.
    """

    def predict(self, submission: Submission, now: float) -> float | None:
        """Predict how long a job will run.

        Asking changes nothing: the same question at the same date has the same answer.

        Parameters
        ----------
        submission
            What is known about the job.
        now
            The date, in seconds of the clock by which the job was submitted.

        Returns
        -------
        float or None
            The run time in seconds; ``None`` when nothing is known, which stands for the walltime.
        """
        ...

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended.

        Parameters
        ----------
        submission
            What was known about the job when it was submitted.
        run_time
            How long it ran, in seconds (its walltime, if it was killed there).
        now
            The date at which it ended, in seconds of that clock.

        Raises
        ------
        PredictorError
            The run time is negative or no finite number of seconds. A predictor may also leave such
            a job out.
        """
        ...


def validity(predictor: Predictor) -> float:
    """Return for how many seconds a predictor's answers hold, infinity where it does not say.

    Examples
    --------
    >>> from predictors import LastTwo, PREDICTORS
    >>> validity(PREDICTORS.make("pbs_released")), validity(LastTwo())
    (3600.0, inf)
    """
    seconds: float = getattr(predictor, "valid_for", math.inf)
    return seconds
