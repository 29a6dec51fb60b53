"""Reader of the accounting logs of PBS Professional, OpenPBS and Torque."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.log import Machine
from workload_tools.log_lines import line_blocks
from workload_tools.pbs.ended import EndReader, ProcessorsFrom, RunTimeFrom, SubmitTimeFrom
from workload_tools.pbs.lifecycle import RecordTypes, after, why_not_ended
from workload_tools.pbs.machine_size import MachineSize
from workload_tools.pbs.quantities import Attributes
from workload_tools.pbs.record import (
    JOB_RECORDS,
    OTHER_RECORDS,
    Record,
    accounting_files,
    attributes,
    is_accounting,
    read_record,
)
from workload_tools.report import Report
from workload_tools.time_zone import zone_of

NO_RECORD = "line that is not an accounting record"
UNKNOWN_RECORD = "record of an unknown type"
WHOLE_ARRAY = "record of a whole job array: its tasks are separate jobs"
SECOND_END = "second end record of the same job"
NUMBER_USED = "job number used before: suffix added"

_LINES_TRIED = 100


class PbsLog:
    """An accounting log of PBS Professional, OpenPBS or Torque.

    The log is a file, plain or gzipped, or the server's folder of daily files
    (`server_priv/accounting`), which are read in the order of their names. A job may begin and end
    in different files.

    The record of a job's end contains all values of the job. The report counts jobs that are left
    out, with the reason: deleted while waiting, no end in the log, or a run time of 0. The log does
    not contain the machine's size. If it is not given, it is estimated from the hosts' slots and
    the number of simultaneously busy processors. Jobs come in the order of their ends. Dates are
    Unix dates.

    Parameters
    ----------
    path
        A file or a folder.
    strict
        Raise an error at the first line that is not a record, or at the first record of an end that
        does not describe a usable job.
    processors_from
        The number of processors to use: ``requested`` or ``allocated``. If a record lacks it, the
        other number is used.
    run_time_from
        A job's run time: ``used`` is ``resources_used.walltime``, ``dates`` is end - start.
    submit_time_from
        A job's submission: ``ctime`` (job created), ``qtime`` (entered its last queue) or ``etime``
        (eligible).
    machine_processors
        The machine's size; by default it is estimated from the log.
    time_zone
        Name of the machine's time zone, which the log does not contain.

    Attributes
    ----------
    report : Report
        Counts of kept, repaired and dropped jobs.
    machine : Machine
        The machine, with a given size or an estimate from the log.
    size : MachineSize
        The estimate of the machine's size.

    Examples
    --------
    >>> PbsLog.recognises(Path("20171001"), b"10/01/2017 00:00:16;Q;1.m1;queue=batch")
    True
    """

    def __init__(
        self,
        path: str | Path,
        *,
        strict: bool = False,
        processors_from: ProcessorsFrom = "requested",
        run_time_from: RunTimeFrom = "used",
        submit_time_from: SubmitTimeFrom = "ctime",
        machine_processors: int | None = None,
        time_zone: str | None = None,
    ) -> None:
        self.path = path
        self.strict = strict
        zone_of(time_zone, path)  # raises an error for an unknown zone
        self.report = Report()
        self.machine = Machine(processors=machine_processors, start_time=0.0, time_zone=time_zone)
        self.size = MachineSize()
        self._ends = EndReader(
            processors_from=processors_from,
            run_time_from=run_time_from,
            submit_time_from=submit_time_from,
        )
        self._open: dict[str, RecordTypes] = {}
        self._ended = JobNames()

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:
        """Return True if a file or folder looks like an accounting log."""
        return is_accounting(path, head)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that ended; see `workload_tools.log.Log`.

        Raises
        ------
        LogError
            A file cannot be read or is not an accounting log, or `strict` is True and a record is
            not usable.
        """
        report = self.report
        for path in accounting_files(self.path):
            for number, record in self._records(path):
                job = self._job(path, number, record)
                if job is not None:
                    report.kept += 1
                    yield job
        if not report.read and not self._open:
            raise LogError(self.path, "has no accounting records; is it another kind of file?")
        for seen in self._open.values():
            report.read += 1
            report.dropped[why_not_ended(seen)] += 1
        self._open.clear()
        if self.machine.processors is None:
            self.machine.processors, self.machine.guessed = self.size.processors(), True
        self.machine.nodes = self.size.hosts or None
        slots = f" with {self.size.slots} slots" if self.size.slots else ""
        report.notes.append(
            f"the log shows {self.size.hosts} hosts{slots}, "
            f"and up to {self.size.peak()} processors busy at the same time"
        )

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return accounting_files(self.path)

    def _records(self, path: Path) -> Iterator[tuple[int, Record]]:
        """Yield the line number and content of each record of a file, and count other lines."""
        understood = 0
        failed = 0
        for first, lines in line_blocks(path):
            for number, line in enumerate(lines, first):
                record = read_record(line)
                if record is not None:
                    understood += 1
                    yield number, record
                elif line.strip():
                    failed += 1
                    self._refuse(path, number, NO_RECORD)
                    if failed >= _LINES_TRIED and not understood:
                        break
        if failed and not understood:
            raise LogError(
                path,
                f"none of its first {failed} lines is a record of PBS or Torque accounting, such "
                "as '10/01/2017 00:00:16;Q;520887.m1;queue=batch'",
            )

    def _job(self, path: Path, number: int, record: Record) -> Job | None:
        """Return the job if this is the record of its end; otherwise note the record's type."""
        identifier, record_type = record.id, record.type
        if record_type not in JOB_RECORDS:
            reason = OTHER_RECORDS.get(record_type)
            if reason is None:
                self._refuse(path, number, UNKNOWN_RECORD)
            else:
                self._count(reason)
            return None
        if "[]" in identifier:
            if record_type == "E":
                self._count(WHOLE_ARRAY)
            return None
        if record_type != "E":
            if identifier not in self._ended or record_type == "Q":
                self._open[identifier] = after(
                    self._open.get(identifier, RecordTypes.NOTHING), record_type
                )
            return None
        return self._ended_job(path, number, record)

    def _ended_job(self, path: Path, number: int, record: Record) -> Job | None:
        identifier = record.id
        seen = self._open.pop(identifier, RecordTypes.NOTHING)
        used_before = not self._ended.add(identifier)
        if used_before and RecordTypes.QUEUED not in seen:
            self._count(SECOND_END)
            return None
        # repairs are only counted for jobs that are kept
        repaired: Counter[str] = Counter()
        values = Attributes(attributes(record.message), repaired)
        ended = self._ends.read(identifier, values, seen)
        if ended.run is not None:
            self.size.add(ended.run)
        if ended.job is None:
            self._refuse(path, number, f"{ended.reason}", identifier)
            return None
        self.report.read += 1
        self.report.left_out.add(ended.job.wait_time, ended.left_out)
        if repaired:
            self.report.repaired.update(repaired)
        if not used_before:
            return ended.job
        self.report.repaired[NUMBER_USED] += 1
        return replace(ended.job, id=self._ended.other(ended.job.id))

    def _count(self, reason: str) -> None:
        self.report.read += 1
        self.report.dropped[reason] += 1

    def _refuse(self, path: Path, number: int, reason: str, identifier: str = "") -> None:
        if self.strict:
            job = f"job '{identifier}': " if identifier else ""
            raise LogError(
                path,
                f"{job}{reason}. Without --strict, such records are dropped and counted",
                number,
            )
        self._count(reason)
