"""A job as it is known when it is submitted."""

import msgspec


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it is known when it is submitted.

    The run time is not a field, so that no predictor can see it before the job has ended. A field
    that the log does not have is ``None``; numbers are what was asked for. A ``msgspec.Struct``,
    because a simulation makes hundreds of thousands of them.

    Examples
    --------
    >>> Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann").user
    'ann'
    """

    id: str
    """Unique in its workload."""
    submit_time: float
    """Date of submission, in seconds of the clock that all dates are of; see `Predictor`."""
    processors: int
    walltime: float | None = None
    """In seconds; the job is killed when it gets there."""
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
    """Of the whole job, in GiB."""
    qos: str | None = None
