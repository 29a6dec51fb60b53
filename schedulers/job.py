"""A job as a policy sees it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from predictors import Submission
from workload_tools.batsim.fields import known
from workload_tools.batsim.intervals import Intervals

HEAD, QUEUE, BACKFILLED = "head", "queue", "backfilled"
"""How a job was started: see `Job`."""

_GIVEN = frozenset({"id", "submit_time", "processors", "walltime"})
_OTHERS = frozenset(Submission.__struct_fields__) - _GIVEN


class Job(msgspec.Struct, gc=False, eq=False):
    """A job as a policy sees it: what was asked for, and what is planned with."""

    id: str
    """The job's full name, such as ``w0!15``."""
    submit_time: float
    """In seconds."""
    processors: int
    """How many it asks for."""
    walltime: float | None
    """The hard limit in seconds, or ``None``."""
    fields: Mapping[str, Any] | None = None
    """Everything else that the workload tells, for the predictors; not what nobody knew when the
    job was submitted, such as the wait that the log recorded."""
    delay: float | None = None
    """How long its profile says that it runs, in seconds; only the source of estimates ``actual``
    looks at it, and only a simulation has it."""
    queueing: float = 0.0
    backfilling: float = 0.0
    draining: float = 0.0
    """The estimates of the run time for the order, for the candidate and for the job while it runs,
    in seconds; infinite when there is neither an estimate nor a walltime."""
    number: int = 0
    """Counts the submissions, and breaks ties."""
    started: float = -1.0
    """Date of the start, in seconds."""
    planned_end: float = -1.0
    """Date at which the job is expected to end, in seconds."""
    corrections: int = 0
    """How often its estimate was corrected."""
    first_estimate: float = 0.0
    """The estimate for draining before any correction, in seconds; made at the submission, or at
    the start, if the predictor's holds for less time than the job waited."""
    started_as: str = HEAD
    """``head`` of the queue, from the ``queue`` on processors that nobody had reserved, or
    ``backfilled`` on reserved ones because it is estimated to end in time."""
    first_promise: float = -1.0
    last_promise: float = -1.0
    """The first and the last start that a reservation promised it, in seconds; -1 without one."""
    intervals: Intervals = ()
    kept_submission: Submission | None = None

    def promise(self, start: float) -> None:
        """Note the start that a reservation promises, in seconds."""
        if self.first_promise < 0.0:
            self.first_promise = start
        self.last_promise = start

    @property
    def submission(self) -> Submission:
        """What predictors see of the job."""
        if self.kept_submission is None:
            self.kept_submission = submission_of(self)
        return self.kept_submission


def submission_of(job: Job) -> Submission:
    """Make the record that predictors see from the fields of a Batsim workload.

    A field that is missing, or is not what it should be, is ``None``.

    Examples
    --------
    >>> job = Job("w0!1", 0.0, 4, 60.0, fields={"user_id": 7, "mem": 2.5, "node": 1})
    >>> submission = submission_of(job)
    >>> submission.user, submission.memory, submission.nodes, submission.queue
    ('7', 2.5, 1, None)
    """
    return Submission(
        id=job.id,
        submit_time=job.submit_time,
        processors=job.processors,
        walltime=job.walltime,
        **known(job.fields or {}, _OTHERS),
    )
