"""The files of a run, in memory or on disk."""

import csv
import hashlib
import io
import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.runs.unpacked import read_unpacked
from pred_aware.simulator.outputs import SUFFIXES, InMemory, RunFiles
from pred_aware.simulator.tracing import JobColumns
from workload_tools.expected import in_words

if TYPE_CHECKING:
    from pred_aware.runs.rows import JobRows

JOBS_SUFFIXES = ("_jobs.csv", "_jobs.csv.gz", "/jobs.csv")


class _SimulatorInJson(msgspec.Struct):
    name: str
    version: str


class _SchedulerInJson(msgspec.Struct):
    name: str
    options: dict[str, Any]


class _RunJson(msgspec.Struct):
    """The parts of ``PREFIX_run.json`` that are shown, so their types are checked."""

    simulator: _SimulatorInJson
    delays: str | None
    date: str
    scheduler: _SchedulerInJson | None = None
    decision_process: dict[str, Any] | None = None
    workload: dict[str, Any] | list[dict[str, Any]] | None = None
    rejected: dict[str, int] | None = None


class RunContents:
    """The files of a run by kind, each read on demand.

    Parameters
    ----------
    files
        Content or path of each kind (`pred_aware.simulator.outputs.SUFFIXES`).
    """

    def __init__(self, files: Mapping[str, InMemory | Path]) -> None:
        self._files: dict[str, bytes | InMemory | Path] = dict(files)

    @classmethod
    def written(cls, files: RunFiles) -> Self:
        """Return the files that were just written."""
        paths = {kind: files.path(kind) for kind in SUFFIXES}
        return cls({kind: path for kind, path in paths.items() if path.is_file()})

    @classmethod
    def at(cls, path: Path) -> Self:
        """Find a run's files by their prefix or by the jobs file; they may be gzipped."""
        jobs = path
        if not path.is_file():
            files = (Path(f"{path}{suffix}") for suffix in JOBS_SUFFIXES)
            jobs = next((file for file in files if file.is_file()), path)
        others = {kind: _sibling_file(jobs, kind) for kind in SUFFIXES}
        return cls({"jobs": jobs, **{kind: file for kind, file in others.items() if file}})

    @property
    def path(self) -> Path | None:
        """The jobs file, or ``None`` if it is in memory."""
        jobs = self._files["jobs"]
        return jobs if isinstance(jobs, Path) else None

    @property
    def jobs(self) -> list[JobColumns]:
        """The results of the jobs; empty if they must be read from their file."""
        jobs = self._files["jobs"]
        if self.in_arrays is not None:
            return self.in_arrays.columns
        pieces = jobs.pieces if isinstance(jobs, InMemory) else []
        return [one for one in pieces if isinstance(one, JobColumns) and one.names]

    @property
    def in_arrays(self) -> "JobRows | None":
        """The results of the jobs as arrays, if available."""
        jobs = self._files["jobs"]
        if not isinstance(jobs, InMemory):
            return None
        from pred_aware.runs.rows import JobRows

        return next((one for one in jobs.pieces if isinstance(one, JobRows)), None)

    @cached_property
    def jobs_sha256(self) -> str:
        """The digest of the jobs file in hexadecimal digits, which identifies the run."""
        jobs = self._files["jobs"]
        if isinstance(jobs, InMemory):
            return jobs.sha256
        return hashlib.sha256(self.read("jobs") or b"").hexdigest()

    def read(self, kind: str) -> bytes | None:
        """Return a file's content, unpacked; ``None`` if there is no such file.

        Raises
        ------
        PredAwareError
            The file cannot be read.
        """
        file = self._files.get(kind)
        if isinstance(file, InMemory):
            return file.content
        return read_unpacked(file) if isinstance(file, Path) else file

    def schedule_figure(self, column: str) -> float | None:
        """Return a number in the schedule file; ``None`` without the file or the column.

        Raises
        ------
        PredAwareError
            The value is not a number.
        """
        schedule = self._files.get("schedule")
        if isinstance(schedule, InMemory):
            from pred_aware.runs.rows import ScheduleRow

            for one in schedule.pieces:
                if isinstance(one, ScheduleRow) and column in one.known:
                    return one.known[column]
        if column not in self._schedule:
            return None
        try:
            figure = float(self._schedule[column])
        except (TypeError, ValueError):
            figure = math.nan
        if not math.isfinite(figure):
            raise PredAwareError(f"{self._files['schedule']!s}:2: {column} is not a number")
        return figure

    @cached_property
    def _schedule(self) -> dict[str, str]:
        content = self.read("schedule")
        if content is None:
            return {}
        try:
            return next(csv.DictReader(io.StringIO(content.decode())), {})
        except UnicodeDecodeError as error:
            raise PredAwareError(f"{self._files['schedule']!s}: not a text file") from error

    @cached_property
    def provenance(self) -> tuple[dict[str, Any] | None, str | None]:
        """The provenance, and a remark if the file cannot be read or belongs to another run.

        Provenance and remark are ``None`` if there is no file.
        """
        content = self.read("run")
        if content is None:
            return None, None
        where = self._files["run"]
        label = where.name if isinstance(where, Path) else "its provenance"
        try:
            recorded = msgspec.json.decode(content, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return None, f"{label} cannot be read: {in_words(error)}"
        if recorded.get("jobs_sha256") != self.jobs_sha256:
            return None, f"{label} belongs to another run, not to these jobs"
        try:
            msgspec.convert(recorded, _RunJson)
        except msgspec.ValidationError as error:
            return None, f"{label} is invalid: {in_words(error)}"
        return recorded, None

    def write(self, prefix: str | Path) -> None:
        """Write the files under another prefix, all or none.

        Raises
        ------
        SimulationError
            The files cannot be written.
        """
        with RunFiles(prefix) as files:
            for kind in self._files:
                content = self.read(kind)
                assert content is not None
                files.open(kind).write(content.decode())

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, with files in memory as text."""
        texts = {
            kind: file.content if isinstance(file, InMemory) else file
            for kind, file in self._files.items()
        }
        return {**self.__dict__, "_files": texts}


def _sibling_file(jobs: Path, kind: str) -> Path | None:
    """Return the path of the file whose name has `kind` where the jobs file has ``jobs``."""
    head, found, tail = jobs.name.rpartition("jobs")
    if not found or kind == "jobs":
        return None
    plain = f"{head}{kind}{tail}".removesuffix(".gz")
    if SUFFIXES[kind].endswith(".json"):
        plain = plain.removesuffix(".csv") + ".json"
    for name in (plain, f"{plain}.gz"):
        beside = jobs.with_name(name)
        if beside.is_file():
            return beside
    return None
