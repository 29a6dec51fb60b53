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
    """The job's request."""
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
    """Dates and durations; a rejected job has only its submission."""
    state: str
    """Batsim's final state of the job."""
    started_as: str | None
    """``head``, ``queue`` or ``backfilled`` (docs/reference/schedulers.md), if known."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that held processors while another waited."""

    job: str
    processors: int
    """Number of processors it held."""
    seconds: float
    """Time during which it held them while too few were free."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of the wait with its reason; the parts sum to the whole wait."""

    kind: str
    """``running``: too few processors were free, because of jobs that ran at the submission;
    ``ahead``: because of jobs submitted no later that started afterwards; ``overtook``: because of
    jobs that overtook it; ``kept``: enough were free, but reserved for others.
    """
    seconds: float
    """Seconds of the wait; time with too few free processors is divided in proportion to the
    processors that each job held.
    """
    share: float
    """Share of the whole wait."""
    jobs: int
    """Number of jobs that held processors; for ``kept``, of jobs with reservations, if known."""
    most: tuple[Holder, ...]
    """The jobs that held most, or had the longest reservations; at most five."""


@dataclass(frozen=True, slots=True)
class StoppedByRule(Reason):
    """A part of the wait in which a rule of the site stopped the job; its kind is ``rule``."""

    rule: str
    """The rule in words, as in ``PREFIX_stops.csv``."""


@dataclass(frozen=True, slots=True)
class AtSubmission:
    """The state of the machine just after all events at a job's submission."""

    running_jobs: int
    processors_in_use: int
    """Running jobs and their processors."""
    waiting_jobs: int
    processors_waited_for: int
    """Other waiting jobs, and the processors they requested."""
    before: int | None
    """Number of these jobs ahead in the queue; ``None`` if unknown."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An event before a planned start changed that can have caused the change."""

    kind: str
    """``ended``: a job ended earlier than planned; ``corrected``: a job ran longer than its
    estimate, and got a longer one; ``overdue``: a job ran longer than its estimate without a new
    one, and may end at any time; ``started``: a job started that is planned to run beyond the
    planned start.
    """
    job: str
    """The job's full name."""
    at: float
    """Date in seconds."""
    planned: float
    now: float
    """The job's planned end before, and its end or new planned end."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A planned start, from a reservation."""

    at: float
    """Date of the plan, in seconds."""
    start: float | None
    """Planned start in seconds; ``None`` if no planned ends free enough processors."""
    later: float | None
    """Change from the previous planned start in seconds, negative if earlier; ``None`` for the
    first.
    """
    causes: tuple[Cause, ...]
    """Possible causes of the change, largest first."""


@dataclass(frozen=True, slots=True)
class Overtaker:
    """A job that was submitted later and started earlier."""

    job: str
    """The job's full name."""
    processors: int
    submitted: float
    started: float
    ran: float
    """Number of processors; dates and run time in seconds."""
    estimate: float | None
    """Estimate when it started, in seconds; ``None`` if unknown."""
    rule: str | None
    """The rule that allowed it, see docs/how-to/explain.md; ``None`` if unknown."""


@dataclass(frozen=True, slots=True)
class CorrectedEstimate:
    """A new estimate for a job that ran longer: date, old and new estimate, in seconds."""

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
    """Values of the job."""
    reasons: tuple[Reason, ...] = ()
    """Parts of the wait, largest first."""
    at_submission: AtSubmission | None = None
    """Running and waiting jobs at its submission; ``None`` for a rejected job."""
    started_after: tuple[str, ...] = ()
    """The jobs whose ends freed the processors for its start."""
    promises: tuple[Promise, ...] = ()
    """Its planned starts, in order of time."""
    overtaken_by: tuple[Overtaker, ...] = ()
    """Jobs that were submitted later and started earlier, by their starts."""
    corrections: tuple[CorrectedEstimate, ...] = ()
    """Corrections of its own estimate."""
    not_known: tuple[str, ...] = ()
    """Information that is missing."""
    sentences: tuple[Sentence, ...] = field(default=(), repr=False)
    """The explanation in sentences: the main reason first, then by importance."""

    def as_json(self) -> dict[str, Any]:
        """Return all values for JSON; each sentence has its `text`, `words` and `names`.

        Dates that are not finite become null.
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


def _finite(value: Any) -> Any:  # noqa: ANN401 - as JSON
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
