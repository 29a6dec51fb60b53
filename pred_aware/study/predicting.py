"""Predictors measured on the log, within a share of the time."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from pred_aware.log.job_log import JobLog
from pred_aware.prediction.evaluation import Evaluation
from pred_aware.prediction.predict import predict
from pred_aware.study.policies import PREDICTORS

SHARE = 0.15
"""Of the study's time."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """How right predictors were."""

    evaluations: tuple[Evaluation, ...]
    """Of those that were measured."""
    left_out: tuple[str, ...]
    """Those for which there was no time."""


class _TimeIsUp(Exception):  # noqa: N818 - no error
    """Ends a replay."""


def measured(
    log: JobLog, *, seconds: float | None, on_progress: Callable[[str], None]
) -> Predicted:
    """Replay the log with one predictor after the other, the cheapest first.

    Parameters
    ----------
    log
        The log.
    seconds
        How long it may take; ``None`` for as long as it takes.
    on_progress
        Called with what is done.
    """
    until = None if seconds is None else monotonic() + seconds

    def tell(name: str) -> Callable[[int, int], None]:
        def progress(done: int, of: int) -> None:
            if until is not None and monotonic() >= until:
                raise _TimeIsUp
            on_progress(f"Measuring predictors: {name}, {100 * done // max(1, of)} %")

        return progress

    found: list[Evaluation] = []
    for name in PREDICTORS:
        on_progress(f"Measuring predictors: {name}")
        try:
            found += predict(log, name, progress=tell(name)).evaluations
        except _TimeIsUp:
            break
    names = [one.label for one in found]
    return Predicted(tuple(found), tuple(name for name in PREDICTORS if name not in names))
