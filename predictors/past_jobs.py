"""A job that ran, as predictors learn it."""

from dataclasses import dataclass

from predictors.submission import Submission


@dataclass(frozen=True, slots=True)
class PastJob:
    """A job that ran: its submission, how long it ran, and when it ended.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> PastJob(job, run_time=60.0, end=75.0).submission.user
    'ann'
    """

    submission: Submission
    run_time: float
    """In seconds; may exceed the walltime, as in the log that has it."""
    end: float | None
    """In seconds of the clock of its submission; ``None`` where it is not known."""
