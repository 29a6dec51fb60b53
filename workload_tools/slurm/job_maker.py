"""Convert a run of a Slurm job to a job of a workload."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workload_tools.job import Job
from workload_tools.report import Report
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.record import Run, SlurmRecord
from workload_tools.slurm.requested import BRIDGED, OVERSUBSCRIBED
from workload_tools.slurm.sizes import NO_SIZE, Busy, Sizes
from workload_tools.slurm.states import SWF_STATUS, UNFINISHED

NEVER_STARTED = "never started: {}"
NOT_ENDED = "has not ended: {}"
ZERO_RUN_TIME = "run time of 0 s: {}"
NO_RUN_TIME = "no run time: {}"
NO_ELAPSED = "no elapsed time: end - start used, which may include suspensions"
MET_SUSPENSION = "suspended"
MET_PREEMPTION = "preempted"
SUSPENDED = "suspended: run time without the suspension"
NEGATIVE_WAIT = "started before it was submitted: no wait time"


class SlurmJobMaker:
    """Converts runs to jobs, and counts kept, dropped and repaired runs.

    Parameters
    ----------
    sizes
        Rules that determine the number of processors of a job.
    report
        The report that counts the runs.
    busy
        Collects the start, end and number of processors of each job.
    has_gpus
        True if the log counts GPUs. Then a job without GPUs has 0 GPUs; otherwise None.
    from_eligible
        If True, the time at which a job became eligible is used as its submission time.
    array_limits
        Largest number of simultaneous tasks by array, if another record of the array states it.
    """

    def __init__(
        self,
        sizes: Sizes,
        report: Report,
        busy: Busy,
        *,
        has_gpus: bool,
        from_eligible: bool,
        array_limits: Mapping[str, int],
    ) -> None:
        self.sizes = sizes
        self.report = report
        self.busy = busy
        self.has_gpus = has_gpus
        self.from_eligible = from_eligible
        self.array_limits = array_limits

    def jobs_of(self, run: Run) -> Iterator[Job]:
        """Yield the job of a run, if it can become a job, and count the repair that `run` names."""
        record, note = run
        job = self.job(record)
        if job is not None:
            if note is not None:
                self.report.repaired[note] += 1
            yield job

    def job(self, record: SlurmRecord) -> Job | None:
        """Return the job of a run, or count a dropped run and return None."""
        notes: list[str] = []
        report = self.report
        run_time = self._run_time(record, notes)
        if run_time is None:
            return None
        processors, size_notes, mark = self.sizes.of_job(record)
        if not processors:
            report.dropped[NO_SIZE[self.sizes.unit]] += 1
            return None
        start = record.start
        assert start is not None
        submit, wait = self._wait(record, start, notes)
        # with an end before the start, `busy` would subtract processors that are not counted yet
        end = record.end if record.end is not None and record.end > start else start + run_time
        self.busy.add(start, end, processors=processors)
        notes += record.doubts
        if record.bridged:
            notes.append(BRIDGED)
        report.repaired.update([*notes, *size_notes])
        if mark is not None:
            report.marked[mark] += 1
        report.kept += 1
        report.left_out.add(wait, self._left_out(record, suspended=SUSPENDED in notes))
        requested, eligible = record.requested, record.eligible
        nodes, each = _requested_nodes(record), requested.tasks_per_node
        if nodes and nodes > 1 and not (each or requested.tasks or processors % nodes):
            # the log does not say the tasks per node; assume equal shares, as for nearly all jobs
            each = processors // nodes
        return Job(
            id=record.id,
            submit_time=submit,
            processors=processors,
            run_time=run_time,
            walltime=record.limit,
            soft_walltime=record.predicted,
            user=record.user,
            group=record.group,
            project=record.account,
            partition=record.partition,
            name=record.name,
            qos=record.qos,
            nodes=nodes,
            gpus=record.gpus if self.has_gpus else None,
            memory=record.memory,
            requested_processors=record.requested_cpus,
            allocated_processors=record.allocated_cpus,
            wait_time=wait,
            status=SWF_STATUS.get(record.state, 0),
            state=record.state,
            array=record.array,
            tasks=requested.tasks,
            tasks_per_node=each,
            memory_per_node=requested.memory_per_node,
            gpus_per_node=requested.gpus_per_node,
            exclusive=requested.exclusive,
            features=requested.features,
            gpu_type=requested.gpu_type,
            reservation=requested.reservation,
            licences=requested.licences,
            array_limit=requested.array_limit or self.array_limits.get(record.array or ""),
            eligible_time=eligible if eligible is not None and eligible > submit else None,
        )

    def _left_out(self, record: SlurmRecord, *, suspended: bool) -> tuple[str, ...]:
        """Return the requests and events of a job that a workload cannot contain."""
        left_out = record.requested.left_out
        if record.state == "PREEMPTED":
            left_out = (*left_out, MET_PREEMPTION)
        if record.partition in self.sizes.oversubscribed and OVERSUBSCRIBED not in left_out:
            left_out = (*left_out, OVERSUBSCRIBED)
        return (*left_out, MET_SUSPENSION) if suspended else left_out

    def _run_time(self, record: SlurmRecord, notes: list[str]) -> float | None:
        """Return a run's duration in seconds; None if it has not ended or lasted 0 s."""
        start, end, run_time = record.start, record.end, record.elapsed
        if record.state in UNFINISHED:
            reason = NOT_ENDED
        elif start is None:
            reason = NEVER_STARTED
        else:
            if run_time is None and end is not None:
                run_time = end - start
                notes.append(NO_ELAPSED)
            if run_time is not None and run_time > 0.0:
                if end is not None and end - start > run_time:
                    notes.append(SUSPENDED)
                return run_time
            reason = NO_RUN_TIME if run_time is None else ZERO_RUN_TIME
        self.report.dropped[reason.format(record.state)] += 1
        return None

    def _wait(
        self, record: SlurmRecord, start: float, notes: list[str]
    ) -> tuple[float, float | None]:
        """Return a job's submission time and wait, in seconds; the wait is None if unknown."""
        submit = record.submit
        if self.from_eligible and record.eligible is not None:
            submit = min(max(submit, record.eligible), max(submit, start))
        if start < submit:
            notes.append(NEGATIVE_WAIT)
            return submit, None
        return submit, start - submit


def _requested_nodes(record: SlurmRecord) -> int | None:
    """Return the number of nodes that a job requested, or None if it requested no number.

    Slurm records 1 by default. If the job got more than 1 node, it requested no number.
    """
    nodes = record.requested.nodes
    return None if nodes == 1 and (record.nodes or 1) > 1 else nodes


_NUMBER = re.compile(
    r"([0-9]{1,10})(?:_([0-9]{1,7})|_(\[[^\]]*\]?)|\+([0-9]{1,4}))?(\.[\w+.-]+)?", re.ASCII
)
MOST_DIGITS = 10
"""Largest number of digits in a job number."""
_TASK_BITS = 24
_KIND_BITS = 58


class JobNumber(NamedTuple):
    """The parts of a job's id."""

    key: int
    """A number that identifies the job uniquely."""
    array: str | None
    """Id of the job array, or None if the job is not a task of an array."""
    step: bool
    """True if the id is of a job step."""


def read_job_number(text: str, field: str = "JobID") -> JobNumber:
    """Parse a job's id.

    Raises
    ------
    UnreadableError
        The text is not a job's id.

    Examples
    --------
    >>> read_job_number("185")
    JobNumber(key=185, array=None, step=False)
    >>> read_job_number("178_0").array, read_job_number("203+0.batch").step
    ('178', True)
    """
    if text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS:
        return JobNumber(int(text), None, False)
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise UnreadableError(field, text)
    number, task, rest, component, step = match.groups()
    key = int(number)
    kind = 0
    for kind, part in enumerate((task, component), start=1):
        if part is not None:
            key = (kind << _KIND_BITS) | (key << _TASK_BITS) | int(part)
    array = number if task is not None or rest is not None else None
    return JobNumber(key, array, step is not None)
