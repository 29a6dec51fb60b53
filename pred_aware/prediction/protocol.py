"""Protocols by which predictors are measured: replay, or a division of the log."""

import math
from typing import Any, Literal

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction import splits
from pred_aware.prediction.cut import cut_date
from pred_aware.prediction.splits import Split
from workload_tools.job import Workload

SplitKind = Literal["consecutive", "random"]


def check_protocol(
    train_until: str | float | None,
    split: str | None,
    history: Any,  # noqa: ANN401 - given, or not
    lag: float = 0.0,
) -> None:
    """Refuse ways to measure that exclude each other.

    Raises
    ------
    PredAwareError
        There are two ways to divide the log, a history or a lag for a log that is divided, or no
        such split or lag.
    """
    if split is not None and train_until is not None:
        raise PredAwareError("--split and --train-until are two ways to divide the jobs: give one")
    if history is not None and (split is not None or train_until is not None):
        raise PredAwareError("--history is for the replay: leave it out with a division of the log")
    if not 0.0 <= lag < math.inf:
        raise PredAwareError(f"the lag is {lag} s; it must be 0 or more")
    if lag and (split is not None or train_until is not None):
        raise PredAwareError("--lag is for the replay: leave it out with a division of the log")
    if split not in (None, "consecutive", "random"):
        raise PredAwareError(f"unknown split '{split}'; known: consecutive, random")


def divided(
    jobs: PastJobs,
    workload: Workload,
    *,
    train_until: str | float | None,
    split: SplitKind | None,
    test_share: float,
    seed: int,
) -> Split | None:
    """Divide a log, as the options of `pred_aware.predict` say; ``None`` for a replay.

    Raises
    ------
    PredAwareError
        It can't be divided so.
    """
    if train_until is not None:
        return splits.at_date(jobs, cut_date(str(train_until), workload))
    if split == "consecutive":
        return splits.consecutive(jobs, test_share)
    return None if split is None else splits.at_random(jobs, test_share, seed=seed)


def told_protocol(split: Split | None) -> dict[str, Any]:
    """Tell how predictors were measured, for JSON."""
    if split is None:
        return {"protocol": "replay", "learned_before": 0, "looks_into_the_future": False}
    return {
        "protocol": split.name,
        "learned_before": len(split.learned),
        "looks_into_the_future": split.leaks,
    }
