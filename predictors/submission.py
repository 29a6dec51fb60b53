"""A job as it is known when it is submitted, and a past job."""

from dataclasses import dataclass

import msgspec


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it is known when it is submitted.

    The run time is not a field, so no predictor can see the run time before the job has ended. A
    field that the log lacks is ``None``. Amounts, such as `memory`, are requests, not what the job
    used. The class is a ``msgspec.Struct``, because a simulation makes hundreds of thousands of
    submissions.

    Examples
    --------
    >>> Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann").user
    'ann'
    """

    id: str
    """The job's id, unique in its workload."""
    submit_time: float
    """The submission date in seconds, on the common clock; see `Predictor`."""
    processors: int
    walltime: float | None = None
    """The requested time limit in seconds, at which the job is killed."""
    user: str | None = None
    group: str | None = None
    project: str | None = None
    queue: str | None = None
    partition: str | None = None
    executable: str | None = None
    name: str | None = None
    nodes: int | None = None
    gpus: int | None = None
    memory: float | None = None
    """Memory of the whole job, in GiB."""
    qos: str | None = None


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
    """The run time in seconds; it may exceed the walltime, as in logs."""
    end: float | None
    """The date of the end in seconds, on the clock of the submission; ``None`` if unknown."""
