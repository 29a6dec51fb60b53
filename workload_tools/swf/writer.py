"""Writer of the Standard Workload Format; see `workload_tools.swf.log` for the format."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO

from msgspec.structs import replace

from workload_tools.changes.anonymised import Key, is_number
from workload_tools.errors import LogError
from workload_tools.files import packed, written_whole
from workload_tools.job import Job, Workload
from workload_tools.job_store import StoredWorkload
from workload_tools.time_zone import known_zone

NAMES = ("user", "group", "executable", "queue", "partition")
"""Fields that contain texts in `Job`, but numbers in this format."""

NO_PLACE = (
    *("project", "name", "qos", "nodes", "gpus", "state", "tasks", "array"),
    *("soft_walltime", "tasks_per_node", "memory_per_node", "gpus_per_node", "exclusive"),
    *("features", "gpu_type", "reservation", "licences", "array_limit", "eligible_time"),
    *("warm_up", "inferred"),
)
"""Fields that this format cannot store."""

NUMBERED = "{}: replaced by a number"
ROUNDED = "memory: rounded to whole KB per processor"
ALLOCATED = "size is the allocated number: read the file with --processors-from allocated"
OTHER_UNIT = "requested_processors and allocated_processors: the size has another unit"
UNKNOWN_JOB = "preceding_job: no job of this log has this id"

_KIB_PER_GIB = 1 << 20
_LINES_A_BLOCK = 4096


def write_swf(
    workload: Workload | StoredWorkload, path: str | Path, *, key: Key | None = None
) -> Counter[str]:
    """Write a log in the Standard Workload Format completely or not at all.

    The same workload gives the same bytes. If all names of a field (such as ``user``) are whole
    numbers, they are kept. Otherwise all names of this field are replaced by numbers, which start
    at 1 in the order of first use. Ids of jobs are treated in the same way.

    Parameters
    ----------
    workload
        The jobs, in the order of the file.
    path
        The file to write; it is compressed if its name ends in ``.gz``.
    key
        The numbers of known names. New names and their numbers are added to the key.

    Returns
    -------
    Counter
        For each kind of value that the format cannot store, the number of affected jobs.

    Raises
    ------
    LogError
        The file cannot be written, or a job has a number that is not finite.
    """
    with written_whole(path, LogError) as file:
        return write_swf_to(file, workload, path, key=key)


def write_swf_to(
    file: IO[bytes],
    workload: Workload | StoredWorkload,
    path: str | Path,
    *,
    key: Key | None = None,
    behind: Callable[[Job], str] | None = None,
) -> Counter[str]:
    """Write a log to an open file; see :func:`write_swf`.

    The jobs are iterated twice: first to collect their names and to count values that the format
    cannot store, then to write the jobs. `behind` returns the text that follows the 18 fields of a
    job.
    """
    writer = _Writer(key, behind)
    for job in workload.jobs:
        writer.look_at(job)
    writer.decide()
    with packed(file, path) as into:
        into.writelines(f"{line}\n".encode() for line in writer.header(workload))
        jobs = iter(workload.jobs)
        while block := list(islice(jobs, _LINES_A_BLOCK)):
            into.write("".join([writer.checked_line(job, path) for job in block]).encode())
    return writer.lost


class _Writer:
    """Collects facts about all jobs before the first job is written, then formats the lines."""

    def __init__(self, key: Key | None, behind: Callable[[Job], str] | None = None) -> None:
        self.key = key or Key()
        self.behind = behind
        self.keeps_ids = key is not None
        self.lost: Counter[str] = Counter()
        self.jobs = 0
        self.end_time = 0.0
        # the names are in the order of first use
        self.names: dict[str, Counter[str]] = {field: Counter() for field in NAMES}
        self.numbers: dict[str, Mapping[str, int]] = {}
        self.ids_are_numbers = "id" not in self.key.names
        self.preceding: set[str] = set()
        self.ids: dict[str, int] = {}
        self.written = 0

    def look_at(self, job: Job) -> None:
        """Collect facts about a job, before any job is written."""
        self.jobs += 1
        self.end_time = max(self.end_time, job.submit_time + (job.wait_time or 0.0) + job.run_time)
        for field, names in self.names.items():
            name = getattr(job, field)
            if name is not None:
                names[name] += 1
        for field in NO_PLACE:
            if getattr(job, field):
                self.lost[field] += 1
        if self.ids_are_numbers and not is_number(job.id):
            self.ids_are_numbers = False
        if job.preceding_job is not None:
            self.preceding.add(job.preceding_job)

    def decide(self) -> None:
        """Decide which fields get numbers instead of names, after `look_at` saw all jobs."""
        for field, names in self.names.items():
            if field in self.key.names or not all(map(is_number, names)):
                self.numbers[field] = {name: self.key.number(field, name) for name in names}
                self.lost[NUMBERED.format(field)] += names.total()
        if not self.ids_are_numbers:
            self.lost[NUMBERED.format("id")] += self.jobs

    def header(self, workload: Workload | StoredWorkload) -> Iterator[str]:
        """Yield the comments at the start of the log."""
        yield "; Version: 2.2"
        if isinstance(workload, StoredWorkload):
            yield from (f"; {line}" for line in workload.origin)
        yield "; Conversion: pred-aware"
        yield f"; MaxJobs: {self.jobs}"
        yield f"; MaxRecords: {self.jobs}"
        if workload.start_time is not None:
            yield f"; UnixStartTime: {_text(workload.start_time)}"
        if workload.time_zone is not None:
            yield f"; TimeZoneString: {workload.time_zone}"
        if workload.start_time is not None:
            end_time = workload.start_time + self.end_time
            for name, date in (("StartTime", workload.start_time), ("EndTime", end_time)):
                if (text := _date(date, workload.time_zone)) is not None:
                    yield f"; {name}: {text}"
        if workload.nodes is not None:
            yield f"; MaxNodes: {workload.nodes}"
        if workload.processors is not None:
            yield f"; MaxProcs: {workload.processors}"
            if workload.guessed:
                yield "; Note: MaxProcs is a lower bound: the jobs need at least this size"
        yield from self._numbers_of_names()

    def _numbers_of_names(self) -> Iterator[str]:
        """Yield the header lines that state the number of each name."""
        for field, plural in (("queue", "Queues"), ("partition", "Partitions")):
            if field in self.numbers:
                yield f"; Max{plural}: {len(self.numbers[field])}"
                for name, number in self.numbers[field].items():
                    yield f"; {field.capitalize()}: {number} {' '.join(name.split())}"
        for field in (*self.numbers, *([] if self.ids_are_numbers else ["id"])):
            yield f"; Note: each {field} is a number instead of a name"

    def checked_line(self, job: Job, path: str | Path) -> str:
        """Return the line of a job. If a number cannot be written, the error names the job."""
        try:
            return self.line(job)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            raise LogError(path, f"job '{job.id}' cannot be written: {error}") from error

    def line(self, job: Job) -> str:
        self.written += 1
        allocated, requested = self._sizes(job)
        per_used = job.processors if allocated is None else allocated
        per_asked = job.processors if requested is None else requested
        values = (
            self._number(job),
            _text(job.submit_time),
            _text(job.wait_time),
            _text(job.run_time),
            _text(allocated),
            "-1",  # the average CPU time, which `Job` lacks
            self._memory(job.used_memory, per_used),
            _text(requested),
            _text(job.walltime),
            self._memory(job.memory, per_asked),
            _text(job.status),
            *[self._name(field, getattr(job, field)) for field in NAMES],
            self._preceding(job),
            _text(job.think_time),
            *([] if self.behind is None else [self.behind(job)]),
        )
        return " ".join(values) + "\n"

    def _sizes(self, job: Job) -> tuple[int | None, int | None]:
        """Return the numbers of processors to write as allocated and as requested."""
        allocated, requested = job.allocated_processors, job.requested_processors
        if job.processors == requested or (job.processors == allocated and requested is None):
            return allocated, requested
        if job.processors == allocated:
            self.lost[ALLOCATED] += 1
            return allocated, requested
        if allocated is not None or requested is not None:
            self.lost[OTHER_UNIT] += 1
        return None, job.processors

    def _number(self, job: Job) -> str:
        if self.ids_are_numbers:
            return job.id
        number = self.key.number("id", job.id) if self.keeps_ids else self.written
        if job.id in self.preceding:
            self.ids[job.id] = number
        return str(number)

    def _name(self, field: str, name: str | None) -> str:
        if name is None:
            return "-1"
        return str(self.numbers[field][name]) if field in self.numbers else name

    def _preceding(self, job: Job) -> str:
        name = job.preceding_job
        if name is None:
            return "-1"
        if self.ids_are_numbers and is_number(name):
            return name
        if name not in self.ids:
            self.lost[UNKNOWN_JOB] += 1
            return "-1"
        return str(self.ids[name])

    def _memory(self, amount: float | None, processors: int) -> str:
        """Convert a job's GiB to KB per processor."""
        if amount is None:
            return "-1"
        exact = amount * _KIB_PER_GIB / processors
        if exact != round(exact):
            self.lost[ROUNDED] += 1
        return str(round(exact))


def _text(value: float | None) -> str:
    """Return a number as text; a whole number has no decimal point, and None becomes -1."""
    if value is None:
        return "-1"
    return str(int(value)) if value == int(value) else repr(value)


def _date(unix_time: float, time_zone: str | None) -> str | None:
    """Return a date as in the archive's headers, in the machine's time zone or in UTC."""
    zone = known_zone(time_zone) or UTC
    try:
        return datetime.fromtimestamp(int(unix_time), zone).strftime("%a %b %d %H:%M:%S %Z %Y")
    except (ValueError, OverflowError, OSError):
        # Python cannot represent the date, but the header's UnixStartTime contains it in seconds
        return None


def scheduled(workload: Workload, times: Mapping[str, tuple[float, float]]) -> tuple[Workload, int]:
    """Return a workload with the waits and run times of a simulated schedule.

    Parameters
    ----------
    workload
        The jobs.
    times
        For each job id, the start in seconds since the first submission, and the run time in
        seconds. Jobs that are missing here did not run, and are left out.

    Returns
    -------
    tuple
        The workload, and the number of jobs that were left out.
    """
    jobs = [
        replace(job, wait_time=max(0.0, start - job.submit_time), run_time=run_time)
        for job in workload.jobs
        if job.id in times
        for start, run_time in [times[job.id]]
    ]
    # the simulator RAPS needs a log with a start date
    whole = replace(workload, jobs=jobs, start_time=float(math.floor(workload.start_time or 0.0)))
    return whole, len(workload.jobs) - len(jobs)


def write_frontier_to(
    file: IO[bytes],
    workload: Workload,
    path: str | Path,
    *,
    system: str = "frontier",
    processors_a_node: int = 1,
) -> Counter[str]:
    """Write a log in the form of Frontier's logs: fields 19 to 21 are GPUs, soft walltime, nodes.

    Parameters
    ----------
    file, workload, path
        As in :func:`~workload_tools.swf.writer.write_swf_to`.
    system
        The machine's name for field 21, which has the form ``SYSTEM:excl:NODESxCORES``.
    processors_a_node
        Number of the workload's processors per node; 1 if each processor is a node.
    """

    def behind(job: Job) -> str:
        nodes = math.ceil(job.processors / processors_a_node)
        gpus = -1 if job.gpus is None else job.gpus
        soft = -1 if job.soft_walltime is None else round(job.soft_walltime)
        return f"{gpus} {soft} {system}:excl:{nodes}x{processors_a_node}"

    return write_swf_to(file, workload, path, behind=behind)
