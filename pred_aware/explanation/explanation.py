"""The explanation of a job's wait, as values."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from pred_aware.report.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """Values of a job; times are in seconds, unknown ones ``None``."""

    processors: int
    walltime: float | None
    """The walltime that the job requested."""
    estimate: float | None
    """Estimate of the run time at submission."""
    user: str | None
    queue: str | None
    """The job's user and queue, if the workload has them."""
    submitted: float | None
    started: float | None
    ended: float | None
    waited: float | None
    ran: float | None
    """Dates and durations in seconds; a rejected job has only its submission."""
    state: str
    """Batsim's final state of the job."""
    started_as: str | None
    """``head``, ``queue`` or ``backfilled``, as explained in docs/reference/schedulers.md; ``None``
    if unknown.
    """


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that held processors while the explained job waited."""

    job: str
    processors: int
    """Number of processors that this job held."""
    seconds: float
    """Time during which this job held the processors while too few were free for the explained
    job."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of the wait with its reason; the parts sum to the whole wait."""

    kind: str
    """``running``, ``ahead`` or ``overtook``: too few processors were free, because other jobs held
    them. ``running``: jobs that already ran at the submission. ``ahead``: jobs that were submitted
    no later and started during the wait. ``overtook``: jobs that overtook the explained job.
    ``kept``: enough processors were free, but reserved for other jobs.
    """
    seconds: float
    """Length of this part, in seconds. Time with too few free processors is divided among the
    reasons, in proportion to the processor seconds that the jobs of each reason held.
    """
    share: float
    """Share of the whole wait."""
    jobs: int
    """Number of jobs that held processors; for ``kept``, number of jobs with reservations, or 0 if
    unknown.
    """
    most: tuple[Holder, ...]
    """Up to five jobs that held most processor seconds, or had the longest reservations."""


@dataclass(frozen=True, slots=True)
class StoppedByRule(Reason):
    """A part of the wait in which a rule of the site stopped the job; `kind` is ``rule``."""

    rule: str
    """The rule in words, as in ``PREFIX_stops.csv``."""


@dataclass(frozen=True, slots=True)
class AtSubmission:
    """The state of the machine after a job's submission and all other events at the same date."""

    running_jobs: int
    processors_in_use: int
    """Number of running jobs, and of processors that these jobs use."""
    waiting_jobs: int
    processors_waited_for: int
    """Number of other waiting jobs, and of processors that these jobs request."""
    before: int | None
    """Number of the waiting jobs that were ahead in the queue; ``None`` if unknown."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An event that may have changed a planned start."""

    kind: str
    """``ended``: a job ended earlier than planned. ``corrected``: a job exceeded its estimate and
    got a longer estimate. ``overdue``: a job exceeded its estimate, got no new estimate, and may
    end at any time. ``started``: a job started, and its planned end is after the planned start.
    """
    job: str
    """The name of the job that ended, ran too long or started."""
    at: float
    """Date of the event, in seconds."""
    planned: float
    now: float
    """The job's planned end before the event, and its end or new planned end after the event; for
    ``started``, the job's start and its planned end.
    """


@dataclass(frozen=True, slots=True)
class Promise:
    """A planned start, from a reservation."""

    at: float
    """Date at which the scheduler made the plan, in seconds."""
    start: float | None
    """Planned start in seconds; ``None`` if the planned ends of running jobs do not free enough
    processors."""
    later: float | None
    """Change from the previous planned start in seconds, negative if earlier; ``None`` for the
    first.
    """
    causes: tuple[Cause, ...]
    """Possible causes of the change; the cause with most processor seconds is first."""


@dataclass(frozen=True, slots=True)
class Overtaker:
    """A job that was submitted later and started earlier."""

    job: str
    """The job's name."""
    processors: int
    submitted: float
    started: float
    ran: float
    """Number of processors; dates and run time in seconds."""
    estimate: float | None
    """Estimate when this job started, in seconds; ``None`` if unknown."""
    rule: str | None
    """The rule that let this job overtake, see docs/how-to/explain.md; ``None`` if unknown."""


@dataclass(frozen=True, slots=True)
class CorrectedEstimate:
    """A new estimate for a job that exceeded its old estimate; date and estimates in seconds."""

    at: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a job waited, as values and in words."""

    run: str
    """Name of the run."""
    job: str
    """Name of the job."""
    facts: Facts
    """Request, estimate and dates of the job."""
    reasons: tuple[Reason, ...] = ()
    """Parts of the wait, largest first."""
    at_submission: AtSubmission | None = None
    """Running and waiting jobs at the job's submission; ``None`` for a rejected job."""
    started_after: tuple[str, ...] = ()
    """Names of the jobs whose ends freed the processors for the job's start."""
    promises: tuple[Promise, ...] = ()
    """The job's planned starts, in order of time."""
    overtaken_by: tuple[Overtaker, ...] = ()
    """Jobs that were submitted later and started earlier, in order of their starts."""
    corrections: tuple[CorrectedEstimate, ...] = ()
    """Corrections of the job's own estimate."""
    not_known: tuple[str, ...] = ()
    """What the run does not show, in words."""
    sentences: tuple[Sentence, ...] = field(default=(), repr=False)
    """The explanation in sentences: the main reason first, then by importance."""

    def as_json(self) -> dict[str, Any]:
        """Return all values for JSON; each sentence has its `text`, `words` and `names`.

        Infinite dates become null.
        """
        content: dict[str, Any] = _finite(asdict(self))
        content["sentences"] = [
            {"topic": one.topic, "text": str(one), "words": one.words, "names": names["names"]}
            for one, names in zip(self.sentences, content["sentences"], strict=True)
        ]
        return content

    def __str__(self) -> str:
        """Return the sentences, one per line."""
        return "\n".join(map(str, self.sentences))


def _finite(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
