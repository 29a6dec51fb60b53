"""Decide whether the simulated queue is so similar to the site's that results apply to the site."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.recorded_queue.recorded_jobs import has_recorded_waits
from pred_aware.recorded_queue.trust import ERROR_BAR, Verdict, verdict_of
from pred_aware.recorded_queue.waits import Similarity
from pred_aware.site_inference.fitting import infer_site
from pred_aware.site_inference.inferred_site import InferredSite

if TYPE_CHECKING:
    from collections.abc import Callable

    from pred_aware.recorded_queue.baseline_check import BaselineCheck
    from pred_aware.study.reading import ReadLog


@dataclass(frozen=True, kw_only=True)
class BaselineSimilarity:
    """How similar the baseline's queue is to the recorded queue in the second half of the log."""

    test: Similarity
    verdict: Verdict
    """Whether simulated changes apply to the site."""
    held: float | None = None
    """The share of waiting time with free processors that no simulated rule explains."""
    inferred: InferredSite | None = None
    """The result of inferring the site's rules; ``None`` if they were not inferred."""
    unfinished: bool = False
    """Whether the study's time limit stopped the inference."""

    @property
    def points(self) -> float | None:
        """By how many percentage points a simulated change may be wrong; ``None`` if unknown."""
        return ERROR_BAR if self.verdict == "fitted" else None

    def to_dict(self) -> dict[str, Any]:
        """Return the object for JSON."""
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
    """Return a log with its inferred site if the site's simulated queue is like the recorded queue.

    Parameters
    ----------
    log
        The log. Inference keeps the rules that its site states.
    on_progress
        Called with a description of the current step.
    until
        The value of `time.monotonic` at which to stop; ``None`` for no limit.

    Returns
    -------
    ReadLog, InferredSite or TimeIsUp or None
        The log and the result of inference, ``None`` if the log lacks data for inference.
    """
    workload = log.log.workload
    if not has_recorded_waits(workload) or log.inspection.load.only_starts:
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


def similarity_of(
    check: "BaselineCheck", inferred: InferredSite | TimeIsUp | None
) -> BaselineSimilarity | None:
    """Return how similar the baseline's queue is to the recorded queue.

    The result is ``None`` if too few waits are known or the recorded dates cannot be right.

    Parameters
    ----------
    check
        The comparison of the recorded waits with the baseline's waits.
    inferred
        The result of inferring the site's rules.
    """
    if check.second_half is None or check.answer == "impossible":
        return None
    if isinstance(inferred, InferredSite):
        # with the verdict "none" the baseline was simulated without the inferred rules
        refused = inferred.verdict == "none"
        return BaselineSimilarity(
            test=check.second_half if refused else inferred.fitted[1],
            verdict=inferred.verdict,
            held=inferred.waiting.share if refused else inferred.with_free_processors,
            inferred=inferred,
        )
    verdict = verdict_of(check.second_half, whole=check.whole_ratio)
    seen = check.recorded_clues if verdict == "none" else None
    held = None if seen is None else seen.with_free_processors
    return BaselineSimilarity(
        test=check.second_half,
        verdict=verdict,
        held=held,
        unfinished=isinstance(inferred, TimeIsUp),
    )
