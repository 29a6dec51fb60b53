"""Write and read workloads as Batsim's JSON, with all fields of a log's jobs.

The format is described at https://batsim.readthedocs.io/en/latest/input-workload.html.
`workload_tools.batsim.fields` names the fields that Batsim ignores. Profile names follow paper 001.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Annotated, Any, TypeAlias

import msgspec

from workload_tools.batsim.delay_profiles import DelayProfiles
from workload_tools.batsim.fields import BATSIM_NAMES, NUMBERS, TEXTS, text_of
from workload_tools.batsim.reader import load_raw
from workload_tools.batsim.versions import job_5, to_version_4
from workload_tools.batsim.workload import NO_COLUMNS, WORKLOAD_PREFIX, profile_name
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE, in_words
from workload_tools.files import packed, written_whole
from workload_tools.job import Job, Workload
from workload_tools.job_store import StoredWorkload

DESCRIPTION = "Jobs of a log as delays, one profile for each pair of size and run time; times in s."

Text = str | int | float | None

_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_LARGEST_WHOLE = 2.0**53
_JOBS_A_BLOCK = 4096


Count: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)] | None
Number: TypeAlias = Annotated[float, msgspec.Meta(ge=-(2.0**53), le=2.0**53)] | None
"""An optional number. Its bounds exclude impossible times and amounts."""


class _BatsimJob(msgspec.Struct, rename=dict(BATSIM_NAMES), omit_defaults=True, gc=False):
    """A job of the file, with its fields in the order of the file."""

    id: str | int
    submit_time: float
    processors: int
    profile: str
    walltime: Number = None
    user: Text = None
    qos: Text = None
    nodes: Count = None
    gpus: Count = None
    requested_processors: Count = None
    memory: Number = None
    time_limit: Number = None
    group: Text = None
    project: Text = None
    queue: Text = None
    partition: Text = None
    executable: Text = None
    name: Text = None
    used_memory: Number = None
    allocated_processors: Count = None
    wait_time: Number = None
    status: Count = None
    preceding_job: Text = None
    think_time: Number = None
    state: Text = None
    tasks: Count = None
    array: Text = None
    soft_walltime: Number = None
    tasks_per_node: Count = None
    memory_per_node: Number = None
    gpus_per_node: Count = None
    exclusive: bool = False
    features: Text = None
    gpu_type: Text = None
    reservation: Text = None
    licences: Text = None
    array_limit: Count = None
    eligible_time: Number = None
    warm_up: bool = False
    inferred: tuple[str, ...] = ()
    other_user: Text = msgspec.field(default=None, name="user")


# positions of the fields of `Job`, followed by the profile
_PLACES = {name: place for place, name in enumerate((*Job.__struct_fields__, "profile"))}
_NUMBER_PLACES = [place for name, place in _PLACES.items() if name in NUMBERS]
_NAME_PLACES = [_PLACES["user"], _PLACES["qos"]]
_DEFAULTS: Mapping[str, Any] = {"exclusive": False, "warm_up": False, "inferred": ()}
"""Default values of the fields whose default is not None. A field with its default is omitted."""
_RUN_TIME = _PLACES["run_time"]
_in_order_of_the_file = itemgetter(
    *(
        _PLACES["walltime" if name == "time_limit" else name]
        for name in _BatsimJob.__struct_fields__
        if name != "other_user"
    )
)


class _BatsimFile(msgspec.Struct):
    jobs: list[_BatsimJob]
    nb_res: int | None = None
    nb_nodes: Count = None
    nb_res_guessed: bool = False
    start_time: Number = None
    time_zone: str | None = None


def machine_size(workload: Workload | StoredWorkload) -> int:
    """Return the number of processors for the simulation of a workload.

    If the machine's size is unknown, this is the size of the largest job.
    """
    if workload.processors:
        return workload.processors
    if isinstance(workload, StoredWorkload):
        return workload.jobs.store.largest or 1
    return max((job.processors for job in workload.jobs), default=1)


def write_workload(workload: Workload | StoredWorkload, path: str | Path) -> None:
    """Write a workload for Batsim completely or not at all.

    The same workload gives the same bytes. Each job and each profile has its own line.

    Parameters
    ----------
    workload
        The jobs, in the order of the file.
    path
        The file to write; it is compressed if its name ends in ``.gz``.

    Raises
    ------
    WorkloadError
        The file cannot be written, or a job cannot be simulated. Such a job has no processors, a
        negative time, a number that is not finite, or a repeated id.
    """
    with written_whole(path, WorkloadError) as file:
        write_workload_to(file, workload, path)


def write_workload_to(
    file: IO[bytes], workload: Workload | StoredWorkload, path: str | Path, *, version: int = 4
) -> None:
    """Write a workload to an open file; see :func:`write_workload`.

    Memory holds only one block of jobs at a time, besides the ids of the jobs already written.

    Parameters
    ----------
    file
        The file to write to.
    workload
        The jobs.
    path
        The name for error messages. If it ends in ``.gz``, the output is compressed.
    version
        Batsim's version, 4 or 5.
    """
    with packed(file, path) as into:
        into.writelines(_blocks(workload, path, version=version))


def workload_content(workload: Workload | StoredWorkload, path: str | Path) -> bytes:
    """Return the uncompressed bytes that :func:`write_workload` writes."""
    return b"".join(_blocks(workload, path))


def _blocks(
    workload: Workload | StoredWorkload, path: str | Path, *, version: int = 4
) -> Iterator[bytes]:
    encode = msgspec.json.Encoder().encode
    yield encode(workload_fields(workload))[:-1]
    seen = set[str]()
    jobs = iter(workload.jobs)
    yield b',\n"jobs":[\n'
    with DelayProfiles(path, "delay" if version == 4 else "DelayProfile") as profiles:  # noqa: PLR2004
        between = b""
        while block := list(islice(jobs, _JOBS_A_BLOCK)):
            lines = []
            for job in block:
                try:
                    check_job(job, seen)
                    row = row_of(job)
                    lines.append(encode(row if version == 4 else job_5(msgspec.to_builtins(row))))  # noqa: PLR2004
                except (ValueError, OverflowError) as error:
                    message = f"job '{job.id}' cannot be simulated: {error}"
                    raise WorkloadError(path, message) from error
                profiles.add(job.processors, shortest(job.run_time))
            yield between + b",\n".join(lines)
            between = b",\n"
        yield b'\n],\n"profiles":{\n'
        yield from profiles.blocks()
    yield b"\n}}\n"


def workload_fields(workload: Workload | StoredWorkload) -> dict[str, Any]:
    """Return the workload's own fields, which precede the jobs in the file."""
    values = {
        "description": DESCRIPTION,
        "nb_res": machine_size(workload),
        "nb_res_guessed": workload.guessed or not workload.processors or None,
        "nb_nodes": workload.nodes,
        "start_time": None if workload.start_time is None else shortest(workload.start_time),
        "time_zone": workload.time_zone,
    }
    return {name: value for name, value in values.items() if value is not None}


def check_job(job: Job, seen: set[str]) -> None:
    """Raise a ValueError with the reason if a job cannot be simulated."""
    # Batsim treats an id with and without the workload's name as the same job.
    name = job.id.removeprefix(WORKLOAD_PREFIX)
    if name in seen:
        raise ValueError("its id is repeated; ids must be unique")
    seen.add(name)
    if job.processors < 1:
        raise ValueError(f"its number of processors is {job.processors}; it must be at least 1")
    if job.submit_time < 0.0:
        raise ValueError(f"its submission time is {job.submit_time} s; it must be at least 0")
    if job.run_time < 0.0:
        raise ValueError(f"its run time is {job.run_time} s; it must be at least 0")
    if job.walltime is not None and job.walltime <= 0.0:
        raise ValueError(f"its walltime is {job.walltime} s; it must be above 0, or None")


def row_of(job: Job) -> _BatsimJob:
    """Return a job with the fields and values that the file will contain."""
    values = [*msgspec.structs.astuple(job)]
    for place in _NUMBER_PLACES:
        if values[place] is not None:
            values[place] = shortest(values[place])
    for place in _NAME_PLACES:
        values[place] = _name_or_integer(values[place])
    values.append(profile_name(job.processors, values[_RUN_TIME]))
    return _BatsimJob(*_in_order_of_the_file(values))


def columns_of_jobs(jobs: Sequence[Job], wanted: Sequence[str] = ()) -> dict[str, list[Any]]:
    """Return one list of values per field, as `workload_tools.batsim.workload.Details` says.

    If `wanted` is not empty, only these fields are returned.
    """
    found: list[tuple[int, str, list[Any]]] = []
    fields = zip(_BatsimJob.__struct_fields__, _BatsimJob.__struct_encode_fields__, strict=True)
    for name, written in fields:
        if written in NO_COLUMNS or name == "other_user" or (wanted and written not in wanted):
            continue
        values: list[Any] = [getattr(job, name) for job in jobs]
        unwritten = _DEFAULTS.get(name)
        if values.count(unwritten) == len(values):
            continue
        first = next(place for place, value in enumerate(values) if value != unwritten)
        if name in NUMBERS:
            values = [None if value is None else shortest(value) for value in values]
        elif name == "inferred":
            values = [[*value] or None for value in values]
        elif name in _DEFAULTS:
            values = [value or None for value in values]
        found.append((first, written, values))
    # order the fields by their first use, as in columns made from the rows of a file
    found.sort(key=itemgetter(0))
    return {name: values for _, name, values in found}


def shortest(value: float) -> float:
    """Return a whole number as an int, which JSON writes shorter, and other numbers unchanged."""
    shortest = int(value)  # raises an error for nan and infinity, which JSON cannot express
    return shortest if shortest == value and -_LARGEST_WHOLE < shortest < _LARGEST_WHOLE else value


def _name_or_integer(text: str | None) -> str | int | None:
    """Return a text as an integer if it is one, as paper 001 writes users and QOS."""
    if text is None or _CANONICAL_INTEGER.fullmatch(text) is None:
        return text
    return int(text)


def read_workload(path: str | Path) -> Workload:
    """Read a workload of Batsim 4 or 5, plain or gzipped, with all fields of its jobs.

    The jobs are sorted by submission time, which is not changed. The user may be in ``user_id`` or
    ``user``. ``time_limit`` is ignored, because ``walltime`` has the same information.

    Raises
    ------
    WorkloadError
        As in :func:`~workload_tools.batsim.reader.load_raw`, or a field of a job has the wrong
        type.
    """
    raw = load_raw(path)
    try:
        file = msgspec.json.decode(to_version_4(raw.content), type=_BatsimFile)
    except msgspec.ValidationError as error:
        message = in_words(error)
        place = re.search(r" in jobs\[(\d+)\]\.?(.*)", message)
        if place is not None:
            job_id, field = raw.jobs[int(place[1])].id, place[2]
            message = f"job '{job_id}': {message[: place.start()]} in '{field}'"
        raise WorkloadError(path, message) from error
    except UNREADABLE as error:
        raise WorkloadError(path, f"not JSON: {in_words(error)}") from error
    for raw_job in raw.jobs:
        if raw.profiles[raw_job.profile].type != "delay":
            raise WorkloadError(
                path,
                f"job '{raw_job.id}' computes (profile '{raw_job.profile}'), so its run time "
                "depends on the machine. This command needs delay profiles for all jobs",
            )
    jobs = [
        _job(row, str(raw_job.id), raw.profiles[row.profile].delay)
        for row, raw_job in zip(file.jobs, raw.jobs, strict=True)
    ]
    jobs.sort(key=lambda job: job.submit_time)
    return Workload(
        jobs=jobs,
        processors=file.nb_res,
        nodes=file.nb_nodes,
        guessed=file.nb_res_guessed,
        start_time=file.start_time,
        time_zone=file.time_zone,
    )


def _job(row: _BatsimJob, identifier: str, run_time: float) -> Job:
    fields = msgspec.structs.asdict(row)
    for name in TEXTS:
        if fields[name] is not None:
            fields[name] = text_of(fields[name])
    other_user = fields.pop("other_user")
    if fields["user"] is None and other_user is not None:
        fields["user"] = text_of(other_user)
    # Batsim writes -1 for a job without a walltime
    if fields["walltime"] == -1.0:
        fields["walltime"] = None
    del fields["profile"], fields["time_limit"]
    fields["id"] = identifier
    return Job(run_time=run_time, **fields)
