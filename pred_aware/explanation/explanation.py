"""The explanation of a job's wait, as values."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from pred_aware.report.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a job; times in seconds, ``None`` where there is none."""

    processors: int
    walltime: float | None
    """What it asked for."""
    estimate: float | None
    """What its run time was taken to be at the submission."""
    user: str | None
    queue: str | None
    """Whose it is, as far as the workload tells."""
    submitted: float | None
    started: float | None
    ended: float | None
    waited: float | None
    ran: float | None
    """When, and for how long; a job that was rejected was submitted alone."""
    state: str
    """What became of it, as Batsim calls it."""
    started_as: str | None
    """``head``, ``queue`` or ``backfilled`` (docs/reference/schedulers.md), if it is told."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that held processors while another waited."""

    job: str
    processors: int
    """How many it held."""
    seconds: float
    """For how long it held them while too few were free."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of the wait and what it was for; the parts make up the whole."""

    kind: str
    """``running``: too few processors were free, held by jobs that ran when it was submitted;
    ``ahead``: by jobs that were submitted no later, and started after that; ``overtook``: by jobs
    that overtook it; ``kept``: as many were free as it asked for, and kept for others."""
    seconds: float
    """How much of the wait: while too few were free, the time is divided by the processors that
    each held."""
    share: float
    """Of the whole wait."""
    jobs: int
    """How many jobs held them; of ``kept``, for how many they were kept, if that is known."""
    most: tuple[Holder, ...]
    """Those of them that held most, or for whom they were kept longest, at most five."""


@dataclass(frozen=True, slots=True)
class StoppedByRule(Reason):
    """A part of the wait in which a rule of the site stopped the job; its kind is ``rule``."""

    rule: str
    """In words, as in ``PREFIX_stops.csv``."""


@dataclass(frozen=True, slots=True)
class AtSubmission:
    """What there was when a job was submitted, just after whatever else happened at that date."""

    running_jobs: int
    processors_in_use: int
    """What ran."""
    waiting_jobs: int
    processors_waited_for: int
    """What waited beside it."""
    before: int | None
    """How many of those stood before it in the queue; ``None`` where that is not known."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that happened before a promise moved, and can have moved it."""

    kind: str
    """``ended``: a job ended earlier than planned; ``corrected``: a job outlived its estimate, and
    got a longer one; ``overdue``: one that outlived it still runs, and counts as ending at any
    moment; ``started``: one that starts is planned to run beyond what was promised."""
    job: str
    """Its full name."""
    at: float
    """When, in seconds."""
    planned: float
    now: float
    """Its planned end before, and what is known since: the end, or the new planned end."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A start that a reservation promised."""

    at: float
    """From when on, in seconds."""
    start: float | None
    """The promised start, in seconds; ``None`` where no planned end made room."""
    later: float | None
    """By how much it moved from the one before, in seconds; negative when to an earlier date,
    ``None`` for the first."""
    causes: tuple[Cause, ...]
    """What can have moved it, most first."""


@dataclass(frozen=True, slots=True)
class Overtaker:
    """A job that was submitted later and started earlier."""

    job: str
    """Its full name."""
    processors: int
    submitted: float
    started: float
    ran: float
    """How many, and when; in seconds."""
    estimate: float | None
    """What it was estimated to run for, in seconds, when it was let in; ``None`` where that is not
    known."""
    rule: str | None
    """Why it could; see docs/how-to/explain.md. ``None`` where that is not known."""


@dataclass(frozen=True, slots=True)
class CorrectedEstimate:
    """A new estimate of a job that outlived its own: when, and how long it was then, in seconds."""

    at: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a job waited, as values and in words."""

    run: str
    """What the run is called."""
    job: str
    """The job's name."""
    facts: Facts
    """What is known of it."""
    reasons: tuple[Reason, ...] = ()
    """Parts of its wait, the largest first."""
    at_submission: AtSubmission | None = None
    """What ran and waited when it was submitted; ``None`` for one that was rejected."""
    started_after: tuple[str, ...] = ()
    """The jobs whose end let it start."""
    promises: tuple[Promise, ...] = ()
    """What it was promised, in the order of time."""
    overtaken_by: tuple[Overtaker, ...] = ()
    """Who was submitted later and started earlier, by their starts."""
    corrections: tuple[CorrectedEstimate, ...] = ()
    """When it outlived its own estimate."""
    not_known: tuple[str, ...] = ()
    """What the run does not tell."""
    sentences: tuple[Sentence, ...] = field(default=(), repr=False)
    """All that in words; the answer first, then by importance."""

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
