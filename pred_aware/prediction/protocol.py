"""How predictors are evaluated: by a replay, or by a split of the log."""

import math
import re
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Literal

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction import splits
from pred_aware.prediction.splits import Split
from workload_tools.job import Workload
from workload_tools.time_zone import known_zone

_DAY = re.compile(r"(19|20)\d{6}")
"""Matches a day as in names of PBS files, such as ``20030101``, which is not a number of
seconds."""


def cut_date(text: str, workload: Workload) -> float:
    """Return a date in seconds since a workload's first submission.

    Parameters
    ----------
    text
        A fraction of the jobs between 0 and 1, in order of submission; a number of seconds of at
        least 1; or a date such as ``2003-01-01`` or ``2003-01-01T12:00``, in the machine's time
        zone, or in UTC if it is unknown.
    workload
        The jobs.

    Raises
    ------
    PredAwareError
        The text has no such form, or it is a date and the log has no dates.

    Examples
    --------
    >>> cut_date("1970-01-03", Workload(jobs=[], start_time=86400.0))
    86400.0
    """
    try:
        number = float(text)
    except ValueError:
        return date_of(text, workload, option="--train-until", other="a fraction such as 0.8, or ")
    if 0.0 < number < 1.0 and workload.jobs:
        return workload.jobs[int(number * len(workload.jobs))].submit_time
    if not 1.0 <= number < float("inf"):
        raise PredAwareError(
            f"--train-until {text}: give a fraction between 0 and 1, at least 1 second, or a date"
        )
    return number


def date_of(text: str, workload: Workload, *, option: str, other: str = "") -> float:
    """Convert a date, or a number of seconds, to seconds since the first submission.

    Parameters
    ----------
    text
        A date such as ``2003-01-01``, ``20030101`` or ``2003-01-01T12:00``, in the machine's time
        zone, or in UTC if it is unknown; or a number of seconds.
    workload
        The workload with the date of its first submission.
    option
        The option that has this value, for error messages.
    other
        Other values that the option accepts, for error messages.

    Raises
    ------
    PredAwareError
        The text has no such form, or it is a date and the log has no dates.

    Examples
    --------
    >>> date_of("1970-01-03", Workload(jobs=[], start_time=86400.0), option="--start")
    86400.0
    """
    seconds = None if _DAY.fullmatch(text) else _seconds(text)
    if seconds is not None:
        return seconds
    in_seconds = f"{other}seconds since the first submission"
    try:
        date = datetime.fromisoformat(text)
    except ValueError as error:
        raise PredAwareError(
            f"{option} {text}: give a date such as 2003-01-31, {other or 'or '}seconds since the "
            "first submission"
        ) from error
    if workload.start_time is None:
        raise PredAwareError(f"{option} {text}: the log has no dates; give {in_seconds}")
    if date.tzinfo is None:
        date = date.replace(tzinfo=known_zone(workload.time_zone) or UTC)
    return date.timestamp() - workload.start_time


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if isfinite(seconds) else None


SplitKind = Literal["consecutive", "random"]


def check_protocol(
    train_until: str | float | None,
    split: str | None,
    history: Any,  # noqa: ANN401 - only whether it is given
    lag: float = 0.0,
) -> None:
    """Raise an error if options exclude each other or are invalid.

    Raises
    ------
    PredAwareError
        Both `train_until` and `split` are given; a history or lag is given with either; or the
        split or lag is invalid.
    """
    if split is not None and train_until is not None:
        raise PredAwareError(
            "--split and --train-until both divide the jobs: give only one of them"
        )
    if history is not None and (split is not None or train_until is not None):
        raise PredAwareError("--history works only without --split and --train-until: omit it")
    if not 0.0 <= lag < math.inf:
        raise PredAwareError(f"the lag is {lag} s; it must be 0 or more")
    if lag and (split is not None or train_until is not None):
        raise PredAwareError("--lag works only without --split and --train-until: omit it")
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
    """Split a log according to the options of `pred_aware.predict`; return ``None`` for a replay.

    Raises
    ------
    PredAwareError
        The log cannot be split in this way.
    """
    if train_until is not None:
        return splits.at_date(jobs, cut_date(str(train_until), workload))
    if split == "consecutive":
        return splits.consecutive(jobs, test_share)
    return None if split is None else splits.at_random(jobs, test_share, seed=seed)


def protocol_to_dict(split: Split | None) -> dict[str, Any]:
    """Return how the predictors were evaluated, for JSON."""
    if split is None:
        return {"protocol": "replay", "learned_before": 0, "looks_into_the_future": False}
    return {
        "protocol": split.name,
        "learned_before": len(split.learned),
        "looks_into_the_future": split.leaks,
    }
