"""A fast reader of Batsim workloads, with checks."""

import gzip
import re
import zlib
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from workload_tools.batsim.checks import check_raw
from workload_tools.batsim.versions import to_version_4
from workload_tools.batsim.workload import (
    WORKLOAD_PREFIX,
    RawJob,
    RawProfile,
    RawWorkload,
    columns_in,
    columns_of,
    resolve,
)
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE, in_words
from workload_tools.files import GZIP_MAGIC

_LONGEST_NAME = 100
"""Longest job id in an error message, in characters."""


class _Jobs(msgspec.Struct):
    jobs: list[RawJob]
    profiles: dict[str, RawProfile]
    nb_res: int | None = None


class _Texts(msgspec.Struct):
    jobs: list[msgspec.Raw]


def load_raw(path: str | Path) -> RawWorkload:
    """Read a workload of Batsim 4 or 5, plain or gzipped, and check it.

    Raises
    ------
    WorkloadError
        The file cannot be read or is not a workload, or a job cannot be simulated. Such a job has
        an unknown or unsupported profile, a repeated id, a size or walltime that is not positive,
        or a negative submission time.
    """
    path = Path(path)
    return parse_raw(read_content(path), path)


def parse_raw(content: bytes, path: str | Path) -> RawWorkload:
    """Parse and check a workload's content; see `load_raw`.

    Parameters
    ----------
    content
        The JSON text.
    path
        The name for error messages.
    """
    path = Path(path)
    try:
        decoded = _decoded(path, to_version_4(content))
    except RecursionError as error:
        raise WorkloadError(path, f"not a Batsim workload: {in_words(error)}") from error
    size, jobs, profiles = decoded.nb_res, decoded.jobs, decoded.profiles
    resolve(profiles)
    known = check_raw(path, size, jobs, profiles)
    return RawWorkload(path.name, size, jobs, profiles, _OfFile(content), known)


def _decoded(path: Path, content: bytes) -> _Jobs:
    try:
        return msgspec.json.decode(content, type=_Jobs)
    except msgspec.ValidationError as error:
        raise WorkloadError(path, _explain(error, content)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WorkloadError(path, f"not JSON: {in_words(error)}") from error


def read_content(path: Path) -> bytes:
    """Read a file, and unpack it if it is gzipped.

    Raises
    ------
    WorkloadError
        The file cannot be read, is empty, or its gzip is damaged or incomplete.
    """
    try:
        content = path.read_bytes()
        if content.startswith(GZIP_MAGIC):
            content = gzip.decompress(content)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WorkloadError(path, f"damaged gzip: {error}; fetch the file again") from error
    except OSError as error:
        raise WorkloadError(path, f"cannot be read: {error.strerror or error}") from error
    if not content.strip():
        raise WorkloadError(path, "is empty; a Batsim workload is a JSON object with jobs")
    return content


def _explain(error: msgspec.ValidationError, content: bytes) -> str:
    """Return the message of a validation error, with the id of the invalid job."""
    message = in_words(error)
    place = re.search(r" in jobs\[(\d+)\]\.?", message)
    if place is None:
        return f"not a Batsim workload: {message}"
    index = int(place[1])
    name = _name_of(index, content) or f"job number {index}"
    what, field = message[: place.start()], message[place.end() :].rpartition(".")[2]
    return f"{name}: {what} in {field}"


class _Named(msgspec.Struct):
    id: msgspec.Raw


def _name_of(index: int, content: bytes) -> str | None:
    """Return a job's id as in the file, even if the rest of the job is invalid."""
    try:
        identifier = msgspec.json.decode(
            msgspec.json.decode(content, type=_Texts).jobs[index], type=_Named
        ).id
    except UNREADABLE:
        return None
    text = bytes(identifier).decode(errors="replace").strip().strip('"')
    return f"job '{text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + '...'}'"


class _Mark(msgspec.Struct, gc=False):
    id: str | int
    warm_up: Any = False


class _Marks(msgspec.Struct):
    jobs: list[_Mark]


def marked_as_warm_up(content: bytes) -> frozenset[str]:
    """Return the ids of the jobs that a workload marks as warm-up.

    Raises
    ------
    msgspec.DecodeError
        The text is not a workload.
    """
    decoded = msgspec.json.decode(to_version_4(content), type=_Marks)
    return frozenset(
        str(job.id).removeprefix(WORKLOAD_PREFIX) for job in decoded.jobs if job.warm_up is True
    )


class _Dates(msgspec.Struct):
    start_time: float | None = None
    time_zone: str | None = None


class _OfFile:
    """The `Details` of a workload in a JSON file."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        """The file's content, in the form of Batsim 4 or 5."""
        self._content = to_version_4(content)

    @cached_property
    def warm_up(self) -> frozenset[str]:
        """Return the ids of the jobs that are marked as warm-up."""
        return marked_as_warm_up(self._content) if b'"warm_up"' in self._content else frozenset()

    @cached_property
    def _texts(self) -> list[msgspec.Raw]:
        return msgspec.json.decode(self._content, type=_Texts).jobs

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of the job at a position."""
        fields: dict[str, Any] = msgspec.json.decode(self._texts[place])
        return fields

    def values(self, name: str) -> frozenset[Any]:
        """Return the distinct values of a field, given by Batsim's name."""
        if name not in self._values:
            there = f'"{name}"'.encode() in self._content
            cells = (row.get(name) for row in self.rows()) if there else ()
            self._values[name] = frozenset(cells) - {None, False}
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, frozenset[Any]]:
        return {}

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of every job."""
        rows: list[dict[str, Any]] = msgspec.json.decode(self._content)["jobs"]
        return rows

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return the named fields (by default all) of all jobs as columns."""
        return columns_in(self._content, names) if names else columns_of(self.rows())

    @cached_property
    def _workload_fields(self) -> dict[str, msgspec.Raw]:
        return msgspec.json.decode(self._content, type=dict[str, msgspec.Raw])

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return a field of the workload itself, such as `nb_res`."""
        return msgspec.json.decode(self._workload_fields.get(name, b"null"))

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """Return the Unix date of second 0, and the time zone."""
        stated = msgspec.json.decode(self._content, type=_Dates)
        return stated.start_time, stated.time_zone
