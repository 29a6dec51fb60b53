"""Read past jobs from a table with the columns of paper 001."""

import csv
import gzip
import io
import logging
import math
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from predictors.errors import HistoryError
from predictors.regression.encoding import TEXTS
from predictors.submission import PastJob, Submission

GZIP_MAGIC = b"\x1f\x8b"

# the columns in paper 001, section "Dataset", and the corresponding fields of Submission
PAPER_COLUMNS = {
    "cpu": "processors",
    "mem (GB)": "memory",
    "mem": "memory",
    "node": "nodes",
    "gres/gpu": "gpus",
    "gpu": "gpus",
    "user_id": "user",
    "time_limit": "walltime",
    "submission_time": "submit_time",
    "job_id": "id",
}

# the required fields, and the names of their columns in the paper
_NEEDED = {"processors": "cpu", "run_time": "run_time"}

_LONGEST_HEADER = 1 << 16

_logger = logging.getLogger(__name__)


def is_table(path: Path) -> bool:
    """Return True if a file is a CSV file with the required columns."""
    if path.is_dir():
        return False
    try:
        with _open(path) as text:
            names = next(csv.reader([text.readline(_LONGEST_HEADER)]), [])
    except (csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile):
        return False
    fields = {PAPER_COLUMNS.get(name.strip(), name.strip()) for name in names}
    return fields >= _NEEDED.keys()


def read_csv(path: str | Path) -> Iterator[PastJob]:
    r"""Read past jobs from a CSV file, gzip or plain, one at a time.

    The columns are those of paper 001 (``cpu``, ``mem (GB)``, ``node``, ``gres/gpu``, ``user_id``,
    ``qos``, ``time_limit``, ``run_time``) or fields of `Submission`, in any order, and optionally
    ``end_time`` and ``submit_time``. ``cpu`` (or ``processors``) and ``run_time`` are required.
    Other columns are ignored. All times are in seconds (the paper's first part uses minutes),
    memory is in GiB. An empty field or ``nan`` means unknown.

    Dates may count from any second 0. If a job has no submission date, its submission is set to its
    end minus its run time, or to 0 if the end is also unknown.

    Raises
    ------
    HistoryError
        The file cannot be read, a column is missing, or a field is invalid.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "train_jobs.csv")
    ...     _ = path.write_text("cpu,user_id,time_limit,run_time\n4,12,3600,60\n")
    ...     job = next(read_csv(path))
    >>> job.submission.id, job.submission.processors, job.submission.user, job.run_time, job.end
    ('line 2', 4, '12', 60.0, None)
    """
    with _open(path) as text:
        reader = csv.reader(text, strict=True)
        try:
            header = next(reader, None)
            if header is None:
                raise HistoryError(f"{path}: the file is empty; the first line must name columns")
            columns = _columns(path, header)
            for record in reader:
                if record:
                    yield _past_job(path, reader.line_num, record, columns, len(header))
        except (csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            # only reading shows that a gzip file is cut off or damaged
            line = reader.line_num + 1
            why = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
            raise HistoryError(f"{path}:{line}: cannot be read as CSV: {why}") from error


@contextmanager
def _open(path: str | Path) -> Iterator[IO[str]]:
    try:
        with Path(path).open("rb") as file:
            binary: Any = gzip.GzipFile(fileobj=file) if _is_gzip(file) else file
            with io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as text:
                yield text
    except gzip.BadGzipFile:
        raise
    except OSError as error:
        raise HistoryError(f"{path}: cannot be read: {error.strerror}") from error


def _is_gzip(file: io.BufferedReader) -> bool:
    return file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)


Column = tuple[int, str, str, Callable[[str], Any]]


def _columns(path: str | Path, header: list[str]) -> list[Column]:
    """Return the used columns: index, name in the file, field, and function that reads the text."""
    found: dict[str, Column] = {}
    unused = []
    for place, name in enumerate(map(str.strip, header)):
        field = PAPER_COLUMNS.get(name, name)
        parse = _PARSERS.get(field)
        if parse is None:
            unused.append(name)
        elif field in found:
            raise HistoryError(
                f"{path}:1: columns '{found[field][1]}' and '{name}' have the same meaning"
            )
        else:
            found[field] = (place, name, field, parse)
    for field, name in _NEEDED.items():
        if field not in found:
            raise HistoryError(
                f"{path}:1: no column '{name}'; the columns are {', '.join(map(repr, header))}"
            )
    if unused:
        _logger.info("%s: ignored columns: %s", path, ", ".join(unused))
    return list(found.values())


def _past_job(
    path: str | Path, line: int, record: list[str], columns: list[Column], width: int
) -> PastJob:
    if len(record) != width:
        raise HistoryError(f"{path}:{line}: {len(record)} fields, but {width} columns")
    fields: dict[str, Any] = {}
    for place, name, field, parse in columns:
        text = record[place].strip()
        if text in _UNKNOWN:
            if field in _NEEDED:
                raise HistoryError(f"{path}:{line}: '{name}' is empty; remove such lines")
            continue
        try:
            fields[field] = parse(text)
        except ValueError as error:
            raise HistoryError(f"{path}:{line}: '{name}' is {text!r}: {error}") from error
    run_time = fields.pop("run_time")
    end_time = fields.pop("end_time", None)
    fields.setdefault("id", f"line {line}")
    if "submit_time" not in fields:
        fields["submit_time"] = 0.0 if end_time is None else end_time - run_time
    return PastJob(Submission(**fields), run_time, end_time)


# texts for a missing value that pandas and other programs write
_UNKNOWN = frozenset({"", "nan", "NaN", "None", "null", "NULL", "NA", "<NA>"})


def _date(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("not a number") from None
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return value


def _amount(text: str) -> float:
    value = _date(text)
    if value < 0:
        raise ValueError("it is below 0; leave the field empty if the value is unknown")
    return value


def _limit(text: str) -> float:
    value = _amount(text)
    if value == 0:
        raise ValueError("a limit must be above 0; leave the field empty if the value is unknown")
    return value


def _count(text: str) -> int:
    value = _amount(text)
    if not value.is_integer():
        raise ValueError("not a whole number")
    return int(value)


def _size(text: str) -> int:
    value = _count(text)
    if value < 1:
        raise ValueError("a job needs at least 1")
    return value


def _number_as_text(text: str) -> str:
    """Read a user id such as 12; programs write 12.0 if the column has missing values."""
    return text.removesuffix(".0") if text.removesuffix(".0").isdecimal() else text


_PARSERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(TEXTS, str),
    "id": str,
    "user": _number_as_text,
    "qos": _number_as_text,
    "processors": _size,
    "nodes": _count,
    "gpus": _count,
    "memory": _amount,
    "walltime": _limit,
    "run_time": _amount,
    "submit_time": _date,
    "end_time": _date,
}
