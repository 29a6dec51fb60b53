"""Read past jobs, from which predictors learn before a simulation."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from msgspec import structs

from predictors.errors import HistoryError, OptionError, PredictorError, in_words, is_ours
from predictors.history_csv import is_table, read_csv
from predictors.options import JsonValue, in_json
from predictors.predictor import Predictor
from predictors.registry import Registry
from predictors.submission import PastJob

__all__ = ["READERS", "HistoryReader", "history_of", "load_history", "read_csv", "warm"]

READERS = Registry("pred_aware.history", "reader of past jobs")

TABLE = "csv"
"""The format that this module reads; `READERS` has the readers of other formats."""


class HistoryReader(Protocol):
    """A class that reads past jobs from one kind of file; entry points name such classes."""

    def recognises(self, path: Path, *, format: str | None) -> bool:  # noqa: A002 - the usual name
        """Return True if the reader can read a file, according to the format or the file's content.

        Raises
        ------
        ValueError
            The file cannot be read.
        """
        ...

    def past_jobs(
        self,
        path: Path,
        *,
        format: str | None,  # noqa: A002 - the usual name
        options: Mapping[str, Any],
    ) -> Iterable[PastJob]:
        """Return the past jobs; predictors learn jobs with equal ends in the returned order."""
        ...


def load_history(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the usual name
    options: Mapping[str, Any] | None = None,
) -> list[PastJob]:
    """Read past jobs from a table or a job log, plain or gzip; the content decides which one it is.

    A table is a CSV file, see `read_csv`. A log has any format that `pred-aware predict` reads
    (Slurm and PBS accounting, SWF, a Batsim workload, ...). Other packages can add log formats with
    entry points of the group ``pred_aware.logs``, and other kinds of files with entry points of the
    group ``pred_aware.history``, which name classes such as `HistoryReader`.

    The returned jobs are sorted by end. Run times are limited to the walltime. All dates are
    shifted so that the last end is 0, the start of the simulation. If the file has no ends, all
    ends are 0, and the jobs keep the order of the file. If only some jobs lack an end, each of
    these gets the end of the job before it.

    Parameters
    ----------
    path
        The file, or a log's folder.
    format
        ``csv`` or the name of a log format; needed only if the content fits several formats.
    options
        Options of the log's format; see `workload_tools.formats.open_log`.

    Raises
    ------
    HistoryError
        The file cannot be read, has no job or an unknown format; or options are given for a table.
        A reader of another package may raise a `ValueError` instead.
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

    Raises the errors of `load_history`, and an `OptionError` if the specification has another form.
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
    """Let a predictor learn past jobs. A `PredictorError` names the job on which it fails."""
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
        # the user states that the file is a table, so read_csv reports what is missing
        return _read_table(path, options)
    raise HistoryError(
        f"{path}: is neither a CSV with columns 'cpu' and 'run_time', nor a log of a known format"
    )


def _read_table(path: Path, options: Mapping[str, Any]) -> Iterable[PastJob]:
    if options:
        raise HistoryError(f"{path}: a table has no option '{next(iter(options))}'")
    return read_csv(path)


def _moved(past: list[PastJob]) -> list[PastJob]:
    """Sort jobs by end, and shift all dates so that the last end is 0."""
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
    # replace each job in the list, because a second list of a million jobs would need much memory
    for place, (end, job) in enumerate(dated):
        submission = job.submission
        moved = structs.replace(submission, submit_time=submission.submit_time - latest)
        past[place] = PastJob(moved, job.run_time, max(end, earliest) - latest)
    return past


def _date(dated: tuple[float, PastJob]) -> float:
    return dated[0]
