"""Past jobs to learn from before a simulation begins."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from msgspec import structs

from predictors.errors import HistoryError, OptionError, PredictorError
from predictors.failures import in_words, is_ours
from predictors.history_csv import is_table, read_csv
from predictors.options import JsonValue, in_json
from predictors.past_jobs import PastJob
from predictors.predictor import Predictor
from predictors.registry import Registry

__all__ = ["READERS", "HistoryReader", "history_of", "load_history", "read_csv", "warm"]

READERS = Registry("pred_aware.history", "reader of past jobs")

TABLE = "csv"
"""The format that is read here; the others are those of `READERS`."""


class HistoryReader(Protocol):
    """Reads past jobs of some kind of file; its class is an entry point's."""

    def recognises(self, path: Path, *, format: str | None) -> bool:  # noqa: A002 - as everywhere
        """Say whether this is a file for it, by its content or by the format that is named.

        Raises
        ------
        ValueError
            The file can't be read.
        """
        ...

    def past_jobs(
        self,
        path: Path,
        *,
        format: str | None,  # noqa: A002 - as everywhere
        options: Mapping[str, Any],
    ) -> Iterable[PastJob]:
        """Return the jobs; those that ended at one date are learned in this order."""
        ...


def load_history(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    options: Mapping[str, Any] | None = None,
) -> list[PastJob]:
    """Read past jobs from a table or a job log, gzip or not; which it is its content says.

    A table is a CSV file, see `read_csv`. Logs are what `pred-aware predict` reads (Slurm and PBS
    accounting, SWF, a Batsim workload, ...), and what another package adds: by an entry point of
    the group ``pred_aware.logs``, or, for what is no log, of ``pred_aware.history``, which names
    the class of a `HistoryReader`.

    Parameters
    ----------
    format
        ``csv`` or a log's format, where the content does not say it.
    options
        Of the log's format; see `workload_tools.formats.open_log`.

    Returns
    -------
    list of PastJob
        Jobs by their end. Run times are at most the walltime, where a job is killed. Dates are
        moved so that the last end is 0, the beginning of the simulation that follows; those of
        submission likewise. Where the file has no ends, they are all 0, and the jobs stay as they
        are in the file; a job without an end among others ended with the one before.

    Raises
    ------
    HistoryError
        The file can't be read, has no job, or is of no kind that is known; a table with options.
    ValueError
        What another package's reader says of the file or of its options.
    """
    past = []
    for job in _read(Path(path), format, options or {}):
        walltime = job.submission.walltime
        if walltime is not None and job.run_time > walltime:
            past.append(replace(job, run_time=walltime))
        else:
            past.append(job)
    if not past:
        raise HistoryError(f"{path}: no job to learn from")
    return _moved(past)


def history_of(spec: JsonValue) -> list[PastJob]:
    """Read past jobs from a file's name, or an object with ``file``, ``format`` and options.

    It raises what `load_history` does, and an `OptionError` where it is given neither.
    """
    given = {"file": spec} if isinstance(spec, str) else spec
    if not isinstance(given, Mapping) or not isinstance(given.get("file"), str):
        raise OptionError(
            f"history is {in_json(spec)}; it must be the name of a file, or an object with `file` "
            'and options of its format, such as {"file": "sacct.txt", "format": "slurm"}'
        )
    options = {key: value for key, value in given.items() if key not in ("file", "format")}
    return load_history(given["file"], format=given.get("format"), options=options)


def warm(predictor: Predictor, history: Iterable[PastJob]) -> None:
    """Let a predictor learn past jobs; a `PredictorError` says on which it fails."""
    learn = predictor.learn
    for job in history:
        try:
            learn(job.submission, job.run_time, job.end or 0.0)
        except PredictorError:
            raise
        except Exception as error:
            kind = type(predictor)
            raise PredictorError(
                f"predictor '{kind.__module__}:{kind.__qualname__}' failed on the past job "
                f"'{job.submission.id}': {in_words(error, kind.__module__)}"
            ) from error


def _read(path: Path, format_: str | None, options: Mapping[str, Any]) -> Iterable[PastJob]:
    if format_ == TABLE or (format_ is None and is_table(path)):
        return _read_table(path, options)
    for name in READERS.names():
        reader: HistoryReader = READERS.make(name)
        try:
            if reader.recognises(path, format=format_):
                return list(reader.past_jobs(path, format=format_, options=options))
        except Exception as error:
            module = type(reader).__module__
            if is_ours(module):
                raise
            words = in_words(error, module)
            raise HistoryError(f"{path}: its history reader failed: {words}") from error
    if format_ is not None:
        raise HistoryError(f"{path}: unknown format '{format_}' of past jobs")
    if path.name.lower().removesuffix(".gz").endswith(".csv"):
        # it is meant to be one: its reader says what it lacks
        return _read_table(path, options)
    raise HistoryError(
        f"{path}: is no CSV with columns 'cpu' and 'run_time', and no log of a format that is known"
    )


def _read_table(path: Path, options: Mapping[str, Any]) -> Iterable[PastJob]:
    if options:
        raise HistoryError(f"{path}: a table has no option '{next(iter(options))}'")
    return read_csv(path)


def _moved(past: list[PastJob]) -> list[PastJob]:
    """Sort jobs by their ends, and move all dates so that the last end is 0."""
    if all(job.end is None for job in past):
        return [replace(job, end=0.0) for job in past]
    end = -math.inf
    dated = []
    for job in past:
        end = end if job.end is None else job.end
        dated.append((end, job))
    dated.sort(key=_date)
    earliest = next(end for end, _ in dated if end > -math.inf)
    latest = dated[-1][0]
    # one at a time and in place: a history may have a million jobs
    for place, (end, job) in enumerate(dated):
        submission = job.submission
        moved = structs.replace(submission, submit_time=submission.submit_time - latest)
        past[place] = PastJob(moved, job.run_time, max(end, earliest) - latest)
    return past


def _date(dated: tuple[float, PastJob]) -> float:
    return dated[0]
