"""A job as a policy sees it."""

from collections.abc import Mapping
from math import inf
from typing import Any

import msgspec

from predictors import Submission
from workload_tools.batsim.fields import known
from workload_tools.batsim.intervals import Intervals

HEAD, QUEUE, BACKFILLED = "head", "queue", "backfilled"
"""The ways in which a job is started: see `Job`."""

_GIVEN = frozenset({"id", "submit_time", "processors", "walltime"})
_OTHERS = frozenset(Submission.__struct_fields__) - _GIVEN


class Job(msgspec.Struct, gc=False, eq=False):
    """A job as a policy sees it: its request, and what is planned with.

    The estimates of its run time for the order (`queueing`), for the candidate (`backfilling`) and
    while it runs (`running`) are in seconds; infinite without an estimate and a walltime.
    """

    id: str
    """Its full name, such as ``w0!15``."""
    submit_time: float
    """In seconds."""
    processors: int
    walltime: float | None
    """The hard limit in seconds, or ``None``."""
    fields: Mapping[str, Any] | None = None
    """All else that the workload has, for the predictors; not what nobody knew at the submission,
    such as the wait that the log recorded."""
    delay: float | None = None
    """Its profile's run time, in seconds; in a simulation alone, and only for the estimates
    ``actual``."""
    queueing: float = 0.0
    backfilling: float = 0.0
    running: float = 0.0
    number: int = 0
    """Counts the submissions, and breaks ties."""
    started: float = -1.0
    """In seconds."""
    planned_end: float = -1.0
    """In seconds."""
    corrections: int = 0
    """The number of corrections of its estimate."""
    first_estimate: float = 0.0
    """The estimate of `running` before any correction, in seconds; made at the submission, or at
    the start, if the predictor's holds for less time than the job waited."""
    started_as: str = HEAD
    """``head`` of the queue, from the ``queue`` on processors that nobody had reserved, or
    ``backfilled`` on reserved ones because it is estimated to end in time."""
    first_promise: float = -1.0
    """The first start that a reservation promised it, in seconds; -1 without one."""
    last_promise: float = -1.0
    intervals: Intervals = ()
    partitions: tuple[str, ...] = ()
    """Those of the site that take it, in the order in which they are tried, as the site's gate
    decides; empty: anywhere."""
    kind: Any = None
    """The machine's own, of one that tells jobs apart by more than their size: jobs that ask for
    the same, and so have room where another has, share it."""
    kept_submission: Submission | None = None
    place: int = -1
    """Its place in the workload, in a simulation alone."""
    run: float = -1.0
    """How long it holds its processors, in seconds, in a simulation alone."""

    def promise(self, start: float) -> None:
        """Note the start that a reservation promises, in seconds; infinite, it promises none."""
        if start == inf:
            return
        if self.first_promise < 0.0:
            self.first_promise = start
        self.last_promise = start

    @property
    def waiting_since(self) -> float:
        """When it could run by itself, in seconds, where the log says it; else its submission."""
        told = (self.fields or {}).get("eligible_time")
        return float(told) if isinstance(told, int | float) else self.submit_time

    @property
    def submission(self) -> Submission:
        """The job as predictors see it."""
        if self.kept_submission is None:
            self.kept_submission = submission_of(self)
        return self.kept_submission


def submission_of(job: Job) -> Submission:
    """Return the record that predictors see, of the fields of a Batsim workload.

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
