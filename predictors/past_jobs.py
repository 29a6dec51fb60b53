"""A job that ran, as predictors learn it."""

from dataclasses import dataclass

from predictors.submission import Submission


@dataclass(frozen=True, slots=True)
class PastJob:
    """A job that ran: what was known when it was submitted, how long it ran, and when it ended.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> PastJob(job, run_time=60.0, end=75.0).submission.user
    'ann'
    """

    submission: Submission
    """What was known when it was submitted."""
    run_time: float
    """How long it ran, in seconds; may exceed the walltime, as in the log that tells it."""
    end: float | None
    """The date of its end, in seconds of the clock of its submission; ``None`` if nobody knows."""
