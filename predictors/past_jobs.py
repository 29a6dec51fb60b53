"""A past job, from which predictors learn."""

from dataclasses import dataclass

from predictors.submission import Submission


@dataclass(frozen=True, slots=True)
class PastJob:
    """A past job: its submission, its run time and its end.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> PastJob(job, run_time=60.0, end=75.0).submission.user
    'ann'
    """

    submission: Submission
    run_time: float
    """In seconds. It may exceed the walltime, as in the log."""
    end: float | None
    """In seconds, on the clock of the submission; ``None`` if unknown."""
