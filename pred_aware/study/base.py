"""The base of a study: whether what is simulated is so much like the site that changes are told."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.recorded_queue.recorded_jobs import tells_waits
from pred_aware.recorded_queue.trust import ERROR_BAR, Verdict, verdict_of
from pred_aware.recorded_queue.waits import Likeness
from pred_aware.site_inference.fitting import infer_site
from pred_aware.site_inference.inferred_site import InferredSite

if TYPE_CHECKING:
    from collections.abc import Callable

    from pred_aware.recorded_queue.baseline_check import BaselineCheck
    from pred_aware.study.reading import ReadLog


@dataclass(frozen=True, kw_only=True)
class Base:
    """How far EASY's queue is the recorded one, by the second half of the log."""

    test: Likeness
    verdict: Verdict
    """What may be told of the site."""
    held: float | None = None
    """The share of the waiting with free processors that no rule of the simulation explains."""
    inferred: InferredSite | None = None
    """What was found in the log, if it was looked for."""
    unfinished: bool = False
    """Whether the time was up before all rules were looked for."""

    @property
    def points(self) -> float | None:
        """By how many points a change on it may be off; ``None`` where no change transfers."""
        return ERROR_BAR if self.verdict == "fitted" else None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "verdict": self.verdict,
            "ratio": self.test.ratio,
            "rank_correlation": self.test.correlation,
            "held": self.held,
            "error": None if self.points is None else self.points / 100.0,
            **({} if self.inferred is None else {"inferred": self.inferred.to_dict()}),
        }


def with_inferred_site(
    log: "ReadLog",
    *,
    on_progress: "Callable[[str], None]",
    until: float | None = None,
) -> "tuple[ReadLog, InferredSite | TimeIsUp | None]":
    """Return a log with the rules that it shows, if they make the queue the recorded one.

    Parameters
    ----------
    log
        What is studied; a site that it has is kept.
    on_progress
        Called with what is being done.
    until
        When the time for it is up, by the monotonic clock; ``None`` for as long as it takes.

    Returns
    -------
    ReadLog, InferredSite or TimeIsUp or None
        ``None`` where the log does not tell what is needed.
    """
    workload = log.log.workload
    if not tells_waits(workload) or log.inspection.load.only_starts:
        return log, None
    try:
        found = infer_site(
            workload,
            site=log.site,
            progress=lambda rule: on_progress(f"Inferring the site's rules: {rule}"),
            watch=ends_at(until),
        )
    except TimeIsUp as up:
        return log, up
    except PredAwareError:
        return log, None
    if found.verdict == "none" or not found.taken:
        return log, found
    return replace(log, site=found.site), found


def base_of(check: "BaselineCheck", inferred: InferredSite | TimeIsUp | None) -> Base | None:
    """Judge the baseline's run of the log as it is.

    ``None`` where too few waits are known, or where they cannot be right.

    Parameters
    ----------
    check
        The recorded waits beside those of the baseline.
    inferred
        What was found of its site.
    """
    if check.second_half is None or check.answer == "impossible":
        return None
    if isinstance(inferred, InferredSite):
        # rules that are not enough are not kept, so that the baseline's queue is without them
        refused = inferred.verdict == "none"
        return Base(
            test=check.second_half if refused else inferred.fitted[1],
            verdict=inferred.verdict,
            held=inferred.waiting.share if refused else inferred.with_free_processors,
            inferred=inferred,
        )
    verdict = verdict_of(check.second_half, whole=check.whole_ratio)
    seen = check.recorded_clues if verdict == "none" else None
    held = None if seen is None else seen.with_free_processors
    return Base(
        test=check.second_half,
        verdict=verdict,
        held=held,
        unfinished=isinstance(inferred, TimeIsUp),
    )
