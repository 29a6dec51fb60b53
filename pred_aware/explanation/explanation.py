"""What there is to say of why a job waited, as values."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from pred_aware.report.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a job; times in seconds, ``None`` where there is none.

    Parameters
    ----------
    processors, walltime, user, queue
        What it asked for, and whose it is, as far as the workload tells.
    estimate
        What its run time was taken to be at the submission.
    submitted, started, ended, waited, ran
        When, and for how long; a job that was rejected was submitted alone.
    state
        What became of it, as Batsim calls it.
    started_as
        ``head``, ``queue`` or ``backfilled``, if the scheduler tells; see docs/schedulers.md.
    """

    processors: int
    walltime: float | None
    estimate: float | None
    user: str | None
    queue: str | None
    submitted: float | None
    started: float | None
    ended: float | None
    waited: float | None
    ran: float | None
    state: str
    started_as: str | None


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that held processors while another waited.

    Parameters
    ----------
    job
        Its name.
    processors
        How many it held.
    seconds
        For how long it held them while too few were free.
    """

    job: str
    processors: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of the wait and what it was for; the parts make up the whole.

    Parameters
    ----------
    kind
        ``running``: too few processors were free, held by jobs that ran when it was submitted;
        ``ahead``: by jobs that were submitted no later, and started after that; ``overtook``: by
        jobs that overtook it; ``kept``: as many were free as it asked for, and kept for others.
    seconds
        How much of the wait: while too few were free, the time is divided by the processors that
        each held.
    share
        Of the whole wait.
    jobs
        How many jobs held them; of ``kept``, for how many they were kept, if that is known.
    most
        Those of them that held most, or for whom they were kept longest, at most five.
    """

    kind: str
    seconds: float
    share: float
    jobs: int
    most: tuple[Holder, ...]


@dataclass(frozen=True, slots=True)
class AtSubmission:
    """What there was when a job was submitted, just after whatever else happened at that date.

    Parameters
    ----------
    running_jobs, processors_in_use
        What ran.
    waiting_jobs, processors_waited_for
        What waited beside it.
    before
        How many of those stood before it in the queue; ``None`` where that is not known.
    """

    running_jobs: int
    processors_in_use: int
    waiting_jobs: int
    processors_waited_for: int
    before: int | None


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that happened before a promise moved, and can have moved it.

    Parameters
    ----------
    kind
        ``ended``: a job ended earlier than planned; ``corrected``: a job outlived its estimate,
        and got a longer one; ``overdue``: one that outlived it still runs, and counts as ending at
        any moment; ``started``: one that starts is planned to run beyond what was promised.
    job
        Which.
    at
        When, in seconds.
    planned, now
        Its planned end before, and what is known since: the end, or the new planned end.
    """

    kind: str
    job: str
    at: float
    planned: float
    now: float


@dataclass(frozen=True, slots=True)
class Promise:
    """A start that a reservation promised.

    Parameters
    ----------
    at
        From when on, in seconds.
    start
        The promised start, in seconds; ``None`` where no planned end made room.
    later
        By how much it moved from the one before, in seconds; negative when to an earlier date,
        ``None`` for the first.
    causes
        What can have moved it, most first.
    """

    at: float
    start: float | None
    later: float | None
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Overtaker:
    """A job that was submitted later and started earlier.

    Parameters
    ----------
    job
        Which.
    processors, submitted, started, ran
        How many, and when; in seconds.
    estimate
        What it was estimated to run for, in seconds, when it was let in; ``None`` where that is
        not known.
    rule
        Why it could; see docs/explain.md. ``None`` where that is not known.
    """

    job: str
    processors: int
    submitted: float
    started: float
    ran: float
    estimate: float | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A new estimate of a job that outlived its own: when, and how long it was then, in seconds."""

    at: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a job waited, as values and in words.

    Parameters
    ----------
    run
        What the run is called.
    job
        The job's name.
    facts
        What is known of it.
    reasons
        Parts of its wait, the largest first.
    at_submission
        What ran and waited when it was submitted; ``None`` for one that was rejected.
    started_after
        The jobs whose end let it start.
    promises
        What it was promised, in the order of time.
    overtaken_by
        Who was submitted later and started earlier, by their starts.
    corrections
        When it outlived its own estimate.
    not_known
        What the run does not tell.
    sentences
        All that in words; the answer first, then by importance.
    """

    run: str
    job: str
    facts: Facts
    reasons: tuple[Reason, ...] = ()
    at_submission: AtSubmission | None = None
    started_after: tuple[str, ...] = ()
    promises: tuple[Promise, ...] = ()
    overtaken_by: tuple[Overtaker, ...] = ()
    corrections: tuple[Correction, ...] = ()
    not_known: tuple[str, ...] = ()
    sentences: tuple[Sentence, ...] = field(default=(), repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON has it; a sentence has its `text`, and its `words` and `names`.

        A date that is not finite is null.
        """
        told: dict[str, Any] = _finite(asdict(self))
        told["sentences"] = [
            {"topic": one.topic, "text": str(one), "words": one.words, "names": names["names"]}
            for one, names in zip(self.sentences, told["sentences"], strict=True)
        ]
        return told

    def __str__(self) -> str:
        """Return the sentences, a line for each."""
        return "\n".join(map(str, self.sentences))


def _finite(value: Any) -> Any:  # noqa: ANN401 - as JSON
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
