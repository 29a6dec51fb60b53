"""Past jobs to learn from before a simulation begins."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from predictors.errors import HistoryError, PredictorError
from predictors.failures import in_words, is_ours
from predictors.history_csv import read_csv
from predictors.predictor import Predictor
from predictors.registry import Registry
from predictors.submission import Submission

__all__ = ["READERS", "load_history", "read_csv", "warm"]

READERS = Registry("pred_aware.history", "history reader")


def load_history(path: str | Path) -> list[tuple[Submission, float, float]]:
    """Read past jobs from a file, by the reader that its suffix names.

    ``.csv``, ``.json`` (a Batsim workload), ``.swf``, or what another package adds by an entry
    point of the group ``pred_aware.history``; with ``.gz`` behind it or not. A reader yields
    mappings with ``fields`` (those of `Submission`), ``run_time`` and ``end_time`` (or ``None``).

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of (Submission, float, float)
        Jobs by their end: submission, run time in s (at most the walltime, where a job is killed),
        and date of the end in s of the simulation that follows, so that the last is 0. Dates of
        submission are moved likewise. Where the file has no ends, they are all 0, and the jobs
        stay as they are in the file; a job without an end among others ended with the one before.

    Raises
    ------
    HistoryError
        The file can't be read, has no job, or has a suffix that no reader is for.
    """
    past: list[tuple[Submission, float, float]] = []
    ends_known = False
    end = -math.inf
    for job in _records(path):
        if job["end_time"] is not None:
            end = job["end_time"]
            ends_known = True
        past.append((*_past_job(path, job), end))
    if not past:
        raise HistoryError(f"{path}: no job to learn from")
    if not ends_known:
        return [(submission, run_time, 0.0) for submission, run_time, _ in past]
    past.sort(key=_end_of)
    earliest = next(end for _, _, end in past if end > -math.inf)
    latest = past[-1][2]
    # one at a time and in place: a history may have a million jobs
    for place, (submission, run_time, end) in enumerate(past):
        moved = replace(submission, submit_time=submission.submit_time - latest)
        past[place] = (moved, run_time, max(end, earliest) - latest)
    return past


def warm(predictor: Predictor, history: Iterable[tuple[Submission, float, float]]) -> None:
    """Let a predictor learn past jobs, as `load_history` returns them.

    Raises
    ------
    PredictorError
        It fails on one.
    """
    learn = predictor.learn
    for submission, run_time, end in history:
        try:
            learn(submission, run_time, end)
        except PredictorError:
            raise
        except Exception as error:
            kind = type(predictor)
            raise PredictorError(
                f"predictor '{kind.__module__}:{kind.__qualname__}' failed on the past job "
                f"'{submission.id}': {in_words(error, kind.__module__)}"
            ) from error


def _records(path: str | Path) -> Iterator[Mapping[str, Any]]:
    """Yield what the reader tells; if somebody else's fails, it is named."""
    reader = _reader(path)
    try:
        yield from reader(path)
    except Exception as error:
        if is_ours(reader.__module__):
            raise
        words = in_words(error, reader.__module__)
        raise HistoryError(f"{path}: its history reader failed: {words}") from error


def _reader(path: str | Path) -> Any:  # noqa: ANN401 - a function of another package
    suffixes = [suffix[1:].lower() for suffix in Path(path).suffixes]
    if suffixes[-1:] == ["gz"]:
        suffixes.pop()
    known = READERS.names()
    if not suffixes or suffixes[-1] not in known:
        raise HistoryError(
            f"{path}: a history's name must end in {', '.join(f'.{name}' for name in known)}"
            ", or in one of these and .gz"
        )
    return READERS.load(suffixes[-1])


def _past_job(path: str | Path, job: Mapping[str, Any]) -> tuple[Submission, float]:
    try:
        submission = Submission(**job["fields"])
    except TypeError as error:
        raise HistoryError(f"{path}: its reader gives fields of no submission: {error}") from error
    walltime = submission.walltime
    run_time: float = job["run_time"]
    return submission, run_time if walltime is None else min(run_time, walltime)


def _end_of(past_job: tuple[Submission, float, float]) -> float:
    return past_job[2]
