"""Read the output of `sacct --json` in the layouts of all versions of slurmdbd's openapi plugin.

Up to version dbv0.0.38, an optional number is a number or null. Since dbv0.0.39 it is an object,
``{"set": true, "infinite": false, "number": 60}``, and a state is a list.
"""

import codecs
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from sys import intern
from typing import IO, Any

from workload_tools.errors import LogError
from workload_tools.log_lines import unpacked
from workload_tools.slurm.amounts import memory_wanted, read_tres
from workload_tools.slurm.errors import LEFT_OUT, UnreadableError
from workload_tools.slurm.record import SlurmRecord, Survey, Unread
from workload_tools.slurm.requested import (
    HETEROGENEOUS,
    MET_REQUEUE,
    Requested,
    noted_limits,
    read_requested,
)
from workload_tools.slurm.states import read_state

_BLOCK = 1 << 20
_LONGEST_JOB = 1 << 27
_SPACE = " \t\r\n"


def json_jobs(path: Path) -> Iterator[Any]:
    """Yield the jobs in the output of `sacct --json`, with one job in memory at a time.

    The file may contain several outputs one after another. Each is an object with a list ``jobs``,
    a list of jobs or of such objects, or a single job.

    Raises
    ------
    LogError
        The file cannot be read or is not JSON, or an output contains no jobs.
    """
    with unpacked(path) as file:
        yield from _jobs(_Text(path, file))


def is_json(path: Path) -> bool:
    """Return True if a plain or gzipped file begins like a JSON object or list.

    Raises
    ------
    LogError
        The file cannot be read.
    """
    with unpacked(path) as file:
        head = file.read(_BLOCK).removeprefix(codecs.BOM_UTF8)
        return head.lstrip().startswith((b"{", b"["))


def _jobs(text: "_Text") -> Iterator[Any]:
    """Yield the jobs of consecutive documents."""
    yield from _of_document(text)
    while text.peek():
        yield from _of_document(text)


def _of_document(text: "_Text") -> Iterator[Any]:
    """Yield the jobs of a document, and skip other content."""
    if text.peek() == "[":
        for one in text.members():
            listed = one.get("jobs") if isinstance(one, dict) else None
            yield from listed if isinstance(listed, list) else [one]
        return
    text.expect("{")
    others: dict[str, Any] = {}
    has_jobs = False
    while text.peek() != "}":
        name = text.value()
        text.expect(":")
        if name != "jobs":
            others[name] = text.value()
        elif text.peek() != "[":
            raise text.error("'jobs' is not a list")
        else:
            has_jobs = True
            yield from text.members()
        if text.peek() != "}":
            text.expect(",")
    if not has_jobs:
        if "job_id" not in others:
            raise text.error("has no list of jobs")
        yield others
    text.expect("}")


class _Text:
    """JSON text of a file, which is read in blocks when needed."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.file = file
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False
        self.decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self.decoder = json.JSONDecoder(strict=False)

    def peek(self) -> str:
        """Return the next character that is not white space; an empty text at the end."""
        while True:
            while self.at < len(self.text):
                character = self.text[self.at]
                if character not in _SPACE:
                    return character
                self.at += 1
            if not self._more():
                return ""

    def expect(self, character: str) -> None:
        """Consume the given character, or raise an error if it is not next."""
        found = self.peek()
        if found != character:
            raise self.error(f"'{character}' expected, not '{found}'" if found else "is incomplete")
        self.at += 1

    def members(self) -> Iterator[Any]:
        """Consume the next list, and yield its members."""
        self.expect("[")
        while self.peek() != "]":
            yield self.value()
            if self.peek() != "]":
                self.expect(",")
        self.expect("]")

    def value(self) -> Any:  # noqa: ANN401 - as JSON has it
        """Consume and return the next value."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except (json.JSONDecodeError, RecursionError) as error:
                # if a value is cut off at the end of the text, it may continue in the next block
                if len(self.text) - self.at > _LONGEST_JOB or not self._more():
                    raise self._not_json(error) from error
                continue
            except ValueError as error:
                # Python refuses integers of more than 4300 digits
                raise self.error("has an integer of too many digits") from error
            if end == len(self.text) and self._more():
                continue  # the next block may contain further digits of a number
            self.at = end
            return value

    def error(self, message: str) -> LogError:
        """Return an error with the line number of the current position."""
        return LogError(self.path, message, self.line + self.text.count("\n", 0, self.at))

    def _not_json(self, error: json.JSONDecodeError | RecursionError) -> LogError:
        if isinstance(error, json.JSONDecodeError):
            self.at = error.pos
            return self.error(f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}")
        return self.error("is nested too deeply")

    def _more(self) -> bool:
        """Read the next block, at least as long as the unread text to avoid quadratic time."""
        if self.ended:
            return False
        block = self.file.read(max(_BLOCK, len(self.text) - self.at))
        self.ended = not block
        self.line += self.text.count("\n", 0, self.at)
        self.text = self.text[self.at :] + self.decode(block, final=self.ended)
        self.at = 0
        return not self.ended


_MIB_PER_GIB = 1024.0
_LARGEST = 10**12
_NEEDED = frozenset(("job_id", "state", "State", "time", "time.submission", "time.start"))
"""Required fields: if one is invalid, the record cannot become a job."""


class SlurmJson:
    """The output of `sacct --json` in a file, read one job at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def survey(self) -> Survey:
        """Read the file once to collect facts that must be known before the first job."""
        survey = Survey()
        for job in json_jobs(self.path):
            survey.records += 1
            try:
                number = _natural_number(_part(job, "job_id"), "job_id")
                if number is not None:
                    survey.keys.append(number)
                    survey.jobs += 1
                    cluster = job.get("cluster")
                    if cluster and isinstance(cluster, str):
                        survey.clusters[cluster] += 1
                    survey.has_gpus = survey.has_gpus or _has_gpus(job)
                    array, limit = _array(job)
                    if array and limit:
                        survey.array_limits[str(array)] = limit
            except UnreadableError:
                continue
        return survey

    def records(self) -> Iterator[tuple[int, SlurmRecord | Unread]]:
        """Yield the number (from 1) and the content of each record."""
        number = 0
        for number, job in enumerate(json_jobs(self.path), 1):
            yield number, _readable(job)
        if not number:
            raise LogError(self.path, "has no jobs")


def _readable(job: Any) -> SlurmRecord | Unread:  # noqa: ANN401 - as JSON has it
    """Return the record of a job. Invalid optional fields become None."""
    doubts: tuple[str, ...] = ()
    while True:
        try:
            return _record(job, doubts)
        except UnreadableError as error:
            if error.field in _NEEDED:
                return Unread(str(error), error.text)
            *above, last = error.field.split(".")
            of = job
            for name in above:
                of = of[name]
            of[last] = None
            doubts = (*doubts, LEFT_OUT.format(error.field))


def _record(job: Any, doubts: tuple[str, ...]) -> SlurmRecord:  # noqa: ANN401 - as JSON has it
    number = _natural_number(_part(job, "job_id"), "job_id")
    submit = _date(job, "submission")
    if number is None or submit is None:
        raise UnreadableError("job_id" if number is None else "time.submission", None)
    requested = _tres(_part(job, "tres", "requested"), "tres.requested")
    allocated = _tres(_part(job, "tres", "allocated"), "tres.allocated")
    minutes = _natural_number(_part(job, "time", "limit"), "time.limit")
    comment = _part(job, "comment")
    note = comment.get("administrator") if isinstance(comment, Mapping) else None
    recorded = None if not minutes else 60.0 * minutes
    limit, predicted = noted_limits(note if isinstance(note, str) else "", recorded)
    elapsed = _natural_number(_part(job, "time", "elapsed"), "time.elapsed")
    array, array_limit = _array(job)
    gpus = requested.get("gpus", allocated.get("gpus"))
    memory = memory_wanted(requested.get("mem"), allocated.get("mem"))
    return SlurmRecord(
        id=str(number),
        key=number,
        state=_state(_part(job, "state", "current")),
        submit=submit,
        eligible=_date(job, "eligible"),
        start=_date(job, "start"),
        end=_date(job, "end"),
        elapsed=None if elapsed is None else float(elapsed),
        limit=limit,
        requested_cpus=_natural_number(_part(job, "required", "CPUs"), "required.CPUs")
        or requested.get("cpu"),
        allocated_cpus=allocated.get("cpu"),
        nodes=_natural_number(_part(job, "allocation_nodes"), "allocation_nodes")
        or allocated.get("node")
        or requested.get("node"),
        gpus=gpus if gpus is not None or not (requested or allocated) else 0,
        memory=memory / _MIB_PER_GIB if memory else None,
        requested=_requested(job, requested, array_limit),
        user=_name(job, "user"),
        group=_name(job, "group"),
        account=_name(job, "account"),
        cluster=_name(job, "cluster"),
        partition=_name(job, "partition"),
        qos=_name(job, "qos"),
        name=_name(job, "name"),
        array=str(array) if array else None,
        node_list=_name(job, "nodes"),
        doubts=doubts,
        predicted=predicted,
        bridged=limit != recorded,
    )


def _requested(
    job: Any,  # noqa: ANN401 - as JSON has it
    requested: Mapping[str, int],
    array_limit: int | None,
) -> Requested:
    """Return further requests of a job. Slurm 22.05 only knows a reservation's number."""
    reservation = _part(job, "reservation", "name")
    number = _natural_number(_part(job, "reservation", "id"), "reservation.id")
    memory = _natural_number(_part(job, "required", "memory_per_node"), "required.memory_per_node")
    line = job.get("submit_line")
    met = (HETEROGENEOUS,) if _natural_number(_part(job, "het", "job_id"), "het.job_id") else ()
    if _natural_number(job.get("restart_cnt"), "restart_cnt"):
        met = (*met, MET_REQUEUE)
    stated = Requested(
        features=_name(job, "constraints"),
        reservation=(reservation if isinstance(reservation, str) else None)
        or (str(number) if number else None),
        licences=_name(job, "licenses"),
        memory_per_node=memory / _MIB_PER_GIB if memory else None,
        array_limit=array_limit,
        left_out=met,
    )
    # convert named resources to the text form of sacct, which read_tres reads
    named = ",".join(
        f"{name}={count}"
        for name, count in requested.items()
        if "/" in name or (name == "node" and count)
    )
    return read_requested(
        stated,
        tres=read_tres(named, "tres.requested"),
        submit_line=line if isinstance(line, str) else "",
    )


def _array(job: Any) -> tuple[int | None, int | None]:  # noqa: ANN401 - as JSON has it
    """Return the number of a job's array, and the largest number of its simultaneous tasks."""
    limit = _part(job, "array", "limits", "max", "running", "tasks")
    number = _natural_number(_part(job, "array", "job_id"), "array.job_id")
    return number, _natural_number(limit, "array.limits") or None


def _part(value: Any, *names: str) -> Any:  # noqa: ANN401 - as JSON has it
    """Return the value at a path of keys; None if a key is missing."""
    for name in names:
        if value is None:
            return None
        if not isinstance(value, dict):
            raise UnreadableError(names[0], value)
        value = value.get(name)
    return value


def _natural_number(value: Any, field: str) -> int | None:  # noqa: ANN401 - as JSON has it
    """Return a number that is not negative; None if it is not set or infinite."""
    if isinstance(value, dict):
        if not value.get("set", True) or value.get("infinite", False):
            return None
        value = value.get("number")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST:
        raise UnreadableError(field, value)
    return int(value)


def _date(job: Any, name: str) -> float | None:  # noqa: ANN401 - as JSON has it
    """Return a date in Unix seconds, or None for 0, which means unknown."""
    seconds = _natural_number(_part(job, "time", name), f"time.{name}")
    return float(seconds) if seconds else None


def _state(value: Any) -> str:  # noqa: ANN401 - as JSON has it
    """Return the job's state. In a list, the first item is the state; the others are flags."""
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, str):
        raise UnreadableError("state", value)
    return read_state(value)


def _tres(value: Any, field: str) -> dict[str, int]:  # noqa: ANN401 - as JSON has it
    """Return counts by ``TYPE`` or ``TYPE/NAME``; ``gpus`` is the number of GPUs of all types."""
    if value is None:
        return {}
    if not isinstance(value, list):
        raise UnreadableError(field, value)
    counts: dict[str, int] = {}
    typed: list[int] = []
    for item in value:
        if not isinstance(item, Mapping):
            raise UnreadableError(field, item)
        kind, name = item.get("type"), item.get("name") or ""
        count = _natural_number(item.get("count"), field)
        if count is None or not isinstance(kind, str) or not isinstance(name, str):
            continue
        if kind == "gres" and name == "gpu":
            counts["gpus"] = count
        elif kind == "gres" and name.startswith("gpu:"):
            typed.append(count)
            counts[f"gres/{name}"] = count
        elif kind in ("gres", "license", "bb"):
            counts[f"{kind}/{name}"] = count
        elif not name:
            counts[kind] = count
    if typed:
        counts.setdefault("gpus", sum(typed))
    return counts


def _has_gpus(job: Mapping[str, Any]) -> bool:
    return any(
        "gpus" in _tres(_part(job, "tres", which), "tres") for which in ("requested", "allocated")
    )


def _name(job: Mapping[str, Any], field: str) -> str | None:
    value = job.get(field)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise UnreadableError(field, value)
    # JSON can contain half of a surrogate pair, which UTF-8 cannot encode
    return intern(value if value.isascii() else value.encode("utf-8", "replace").decode())
