"""Reader of job logs in the Standard Workload Format (SWF).

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html describes the format (S. J. Chapin et al.,
"Benchmarks and standards for the evaluation of parallel job schedulers", JSSPP 1999).
"""

import math
from collections.abc import Iterator
from pathlib import Path
from sys import intern
from typing import Literal

from workload_tools.errors import LogError
from workload_tools.job import Job, Workload
from workload_tools.job_names import JobNames
from workload_tools.log import Machine, gather
from workload_tools.log_lines import line_blocks
from workload_tools.missing_walltime import MissingWalltime, WithWalltimes
from workload_tools.report import Report
from workload_tools.swf.header import SwfHeader, read_machines
from workload_tools.swf.line import (
    CERIT,
    FRONTIER,
    MORE_FIELDS,
    MOVED_SIZE,
    PARTIAL_STATUS,
    STANDARD_FIELDS,
    Extra,
    line_numbers,
    read_extra,
)

ProcessorsFrom = Literal["requested", "allocated"]

NO_SIZE = "no number of processors"
NO_RUN_TIME = "no run time"
ZERO_RUN_TIME = "run time of 0 s"
NEGATIVE_RUN_TIME = "negative run time"
NO_SUBMIT_TIME = "no submission time"
PARTIAL_EXECUTION = "partial execution of a job that has its own line"
OTHER_SIZE = {
    "requested": "no requested processors: allocated ones used",
    "allocated": "no allocated processors: requested ones used",
}
NUMBER_USED = "job number used before: a suffix added"
OTHER_START = "another header with another UnixStartTime: submission times moved"
OUT_OF_ORDER = "submitted before the line above: sorted"

_KIB_PER_GIB = 1 << 20


def read_swf(
    path: str | Path,
    *,
    strict: bool = False,
    processors_from: ProcessorsFrom = "requested",
    missing_walltime: MissingWalltime | None = "keep",
    machine_processors: int | None = None,
) -> tuple[Workload, Report]:
    """Read a log in the Standard Workload Format, plain or gzipped.

    Parameters
    ----------
    path, strict, processors_from, machine_processors
        As in `SwfLog`.
    missing_walltime
        What happens to a job without a walltime; see
        :class:`~workload_tools.missing_walltime.WithWalltimes`.

    Returns
    -------
    Workload
        The jobs by submission, the first at 0 s. Jobs of the same second are in the log's order.
    Report
        Numbers of jobs read, kept, dropped and repaired, with reasons.

    Raises
    ------
    LogError
        The file cannot be read, contains no jobs, or has an invalid line. Or `strict` is True and a
        job must be dropped.
    """
    log = SwfLog(
        path,
        strict=strict,
        processors_from=processors_from,
        machine_processors=machine_processors,
    )
    decided = WithWalltimes(log, missing_walltime=missing_walltime, path=path)
    return gather(decided), log.report


class SwfLog:
    r"""A log in the Standard Workload Format, plain or gzipped.

    A line has 18 fields, or 21 fields as in the logs of CERIT-SC and Frontier. A job without a size
    or with a run time of 0 or less is dropped. A job that ran beyond its walltime is kept; the
    simulator kills it. A job that is larger than the machine is kept; a scheduler rejects it. A
    walltime is never derived from the run time.

    Parameters
    ----------
    path
        The log. Its content, not its name, decides whether it is gzipped.
    strict
        Raise an error at the first job that must be dropped because its line is incomplete.
    processors_from
        The number of processors to use: ``requested`` or ``allocated``. If a line lacks it, the
        other number is used.
    machine_processors
        The machine's size, if the header lacks it or is wrong. By default, it is the first that
        exists of MaxProcs, the size in ``LOG.swf.machines`` in the log's folder, and MaxNodes.

    Examples
    --------
    >>> SwfLog.recognises(Path("log.swf"), b"; MaxProcs: 100\n")
    True
    """

    def __init__(
        self,
        path: str | Path,
        *,
        strict: bool = False,
        processors_from: ProcessorsFrom = "requested",
        machine_processors: int | None = None,
    ) -> None:
        self.path = path
        self.strict = strict
        self.requested_first = processors_from == "requested"
        self.other_size = OTHER_SIZE[processors_from]
        self.report = Report()
        self.machine_processors = machine_processors
        self.machine = Machine(processors=machine_processors)
        self.header = SwfHeader()
        self.site: str | None = None
        self.moved = False
        self.seen = JobNames()
        self.latest = -math.inf
        """Submission time of the last job."""

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:  # noqa: ARG004 - as the protocol has it
        """Return True if the comments and the first job line of a file look like SWF."""
        if b"\0" in head:
            return False  # a Parquet file can contain as many spaces as an SWF line
        whole, _, rest = head.rpartition(b"\n")
        lines = [line.strip() for line in (whole or rest).split(b"\n") if line.strip()]
        first = next((line for line in lines if not line.startswith(b";")), None)
        if first is None:
            return bool(lines)
        fields = first.split()
        # a PBS accounting record can have as many blanks, but begins with a date with slashes
        return len(fields) in (STANDARD_FIELDS, MORE_FIELDS) and b"/" not in fields[0]

    def jobs(self) -> Iterator[Job]:
        """Yield the kept jobs; see `workload_tools.log.Log`."""
        report = self.report
        for first, lines in line_blocks(self.path):
            for number, line in enumerate(lines, first):
                fields = line.split()
                if not fields:
                    continue
                if fields[0][0] == ";":
                    self._read_header(number, line)
                    continue
                report.read += 1
                values = line_numbers(self.path, number, line, fields)
                if self.header.offset and values[1] >= 0.0:
                    values[1] += self.header.offset
                    report.repaired[OTHER_START] += 1
                standard = len(fields) == STANDARD_FIELDS
                extra = None if standard else self._extra(number, fields, values)
                job = self._job(number, fields, values, extra)
                if job is None:
                    continue
                submit_time = values[1]
                if self.latest == -math.inf:
                    self._know_machine(submit_time)
                if submit_time < self.latest:
                    report.repaired[OUT_OF_ORDER] += 1
                self.latest = submit_time
                report.kept += 1
                yield job
        if not report.read:
            raise LogError(self.path, "has no jobs; is this a log in the Standard Workload Format?")
        self._know_machine(self.latest)

    def _read_header(self, number: int, line: str) -> None:
        try:
            self.header.read(line, after_jobs=self.report.read > 0)
        except ValueError as error:
            raise LogError(self.path, f"{error}; correct or remove the line", number) from error

    def _extra(self, line_number: int, fields: list[str], values: list[float]) -> Extra:
        """Return the fields 19 to 21 of a line."""
        try:
            extra = read_extra(fields)
        except ValueError as error:
            raise LogError(self.path, f"{error}", line_number) from error
        if self.site is None:
            self.site = extra.site
        elif self.site != extra.site:
            raise LogError(
                self.path,
                f"the fields 19 to 21 are as in {extra.site}'s logs, but as in {self.site}'s "
                "on the lines above",
                line_number,
            )
        if extra.site == FRONTIER:
            self._count_in_nodes(values, extra)
        return extra

    def _count_in_nodes(self, values: list[float], extra: Extra) -> None:
        """Use field 21's nodes as size, because fields 5 and 8 may contain nodes or cores."""
        nodes = float(extra.fields["nodes"] or 0)
        # memory is removed, because it may be per node or per core
        values[6] = values[9] = -1.0
        values[4] = nodes if values[4] == nodes else -1.0
        self.moved = values[7] != nodes
        values[7] = nodes

    def _know_machine(self, submit_time: float) -> None:
        """Copy the header's information to the machine."""
        header, machine = self.header, self.machine
        # in Frontier's logs, MaxProcs is in cores, but jobs' sizes are in nodes
        stated = (header.nodes if self.site == FRONTIER else None) or header.processors
        machine.processors = self.machine_processors or stated
        machine.nodes = header.nodes
        if machine.processors is None and (size := read_machines(self.path)) is not None:
            machine.processors, machine.nodes = size
        machine.processors = machine.processors or header.nodes
        machine.start_time = header.date_of_second_0(submit_time)
        machine.time_zone = header.time_zone
        machine.origin = header.origin

    def _job(
        self, line_number: int, fields: list[str], values: list[float], extra: Extra | None
    ) -> Job | None:
        """Return the job of a line. If it must be dropped, count it and return None."""
        (
            _, submit_time, wait_time, run_time, allocated, _, used_memory, requested, walltime,
            memory, status, user, group, executable, queue, partition, preceding_job, think_time,
        ) = values  # fmt: skip
        size, other = (requested, allocated) if self.requested_first else (allocated, requested)
        reason = self._why_not(fields, values)
        if reason is not None:
            self._drop(line_number, fields[0], reason)
            return None
        if size <= 0.0:
            self.report.repaired[self.other_size] += 1
            size = other
        if self.moved:
            self.report.repaired[MOVED_SIZE] += 1
        memory_of = requested if requested > 0.0 else size
        left_out = self.report.left_out
        if extra:
            left_out.add(max(wait_time, 0.0), extra.left_out)
            more = dict(extra.fields)
            if extra.site == CERIT:
                # CERIT-SC's logs state bytes of the whole job, not KB per processor
                memory, memory_of = memory / 1024, 1.0
        else:
            more = {}
            left_out.all_jobs += 1
            if wait_time > 0.0:
                left_out.all_waiting += round(1e3 * wait_time)
        if queue >= 0.0:
            more["queue"] = intern(fields[14])
        return Job(
            id=self._identifier(fields[0]),
            submit_time=submit_time,
            processors=int(size),
            run_time=run_time,
            walltime=walltime if walltime > 0.0 else None,
            user=intern(fields[11]) if user >= 0.0 else None,
            group=intern(fields[12]) if group >= 0.0 else None,
            executable=intern(fields[13]) if executable >= 0.0 else None,
            partition=intern(fields[15]) if partition >= 0.0 else None,
            memory=_memory(memory, memory_of),
            used_memory=_memory(used_memory, allocated if allocated > 0.0 else size),
            requested_processors=int(requested) if requested > 0.0 else None,
            allocated_processors=int(allocated) if allocated > 0.0 else None,
            wait_time=wait_time if wait_time >= 0.0 else None,
            status=int(status) if status >= 0.0 else None,
            preceding_job=fields[16] if preceding_job >= 0.0 else None,
            think_time=think_time if think_time >= 0.0 else None,
            **more,
        )

    def _why_not(self, fields: list[str], values: list[float]) -> str | None:
        """Return the reason why a line does not become a job, or None if it does."""
        if values[10] in PARTIAL_STATUS and fields[0] in self.seen:
            return PARTIAL_EXECUTION
        run_time = values[3]
        if run_time <= 0.0:
            if run_time == 0.0:
                return ZERO_RUN_TIME
            return NO_RUN_TIME if run_time == -1.0 else NEGATIVE_RUN_TIME
        if values[7] <= 0.0 and values[4] <= 0.0:
            return NO_SIZE
        return NO_SUBMIT_TIME if values[1] < 0.0 else None

    def _drop(self, line_number: int, job_number: str, reason: str) -> None:
        # store dropped jobs too: the lines of their partial executions follow
        self.seen.add(job_number)
        if self.strict and reason != PARTIAL_EXECUTION:
            raise LogError(
                self.path,
                f"job '{job_number}': {reason}. Without --strict, such jobs are dropped and "
                "counted",
                line_number,
            )
        self.report.dropped[reason] += 1

    def _identifier(self, job_number: str) -> str:
        """Return the job's number, with a suffix if the number was used before."""
        name = self.seen.other(job_number)
        if name != job_number:
            self.report.repaired[NUMBER_USED] += 1
        return name


def _memory(amount: float, processors: float) -> float | None:
    """Return a job's memory in GiB from the format's KB per processor; None if unknown."""
    return None if amount < 0.0 else amount * processors / _KIB_PER_GIB
