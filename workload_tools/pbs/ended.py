"""Convert the accounting record of a job's end to a job."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from workload_tools.job import Job
from workload_tools.pbs.lifecycle import RecordTypes
from workload_tools.pbs.quantities import Attributes, count, gibibytes, seconds
from workload_tools.pbs.request import read_request
from workload_tools.pbs.specifications import Slots, read_exec_host, read_exec_vnode

ProcessorsFrom = Literal["requested", "allocated"]
RunTimeFrom = Literal["used", "dates"]
SubmitTimeFrom = Literal["ctime", "qtime", "etime"]

NO_SUBMIT_TIME = "no submission time"
NO_RUN_TIME = "no run time"
ZERO_RUN_TIME = "run time of 0 s"
NO_SIZE = "no number of processors"
OTHER_SIZE = {
    "requested": "no requested processors: allocated ones used",
    "allocated": "no allocated processors: requested ones used",
}
DATES_TAKEN = "no resources_used.walltime: end - start used"
ZERO_USED = "resources_used.walltime of 0 s: end - start used"
USED_TAKEN = "no start and end: resources_used.walltime used"
EARLY_START = "started before it was submitted: no wait time"
LAST_RUN = "requeued: last run used"
WITHOUT_SUSPENSION = "suspended: run time without the suspension"
MET = {RecordTypes.WAS_REQUEUED: "requeued before its last run", RecordTypes.SUSPENDED: "suspended"}

_NO_PROJECT = "_pbs_project_default"
_COMPLETED, _FAILED, _CANCELLED = 1, 0, 5
_INEXACT = 5.0
"""A used walltime of 0 is credible if end - start is at most this number of seconds."""


class PbsRun(NamedTuple):
    """Times and processors of a job, for the estimate of the machine's size."""

    start: float
    end: float
    """Dates of the job's start and end, in Unix seconds."""
    slots: Slots
    """The job's processors and hosts."""


class EndedJob(NamedTuple):
    """The content of the record of a job's end."""

    job: Job | None
    """The job; None if it cannot be simulated."""
    reason: str | None
    """Reason why the job cannot be simulated; None if it can."""
    run: PbsRun | None
    """The job's times and processors; None if the record lacks them."""
    left_out: tuple[str, ...] = ()
    """Requests and events of the job that `Job` cannot contain."""


@dataclass(frozen=True, slots=True)
class EndReader:
    """Converts the records of ended jobs to jobs."""

    processors_from: ProcessorsFrom
    """The number of processors to use: ``requested`` or ``allocated``.

    If a record lacks this number, the other one is used.
    """
    run_time_from: RunTimeFrom
    """The run time: ``used`` is PBS's ``resources_used.walltime``, ``dates`` is end - start."""
    submit_time_from: SubmitTimeFrom
    """The submission date: ``ctime`` (created), ``qtime`` (last queued) or ``etime`` (eligible)."""

    def read(self, identifier: str, attributes: Attributes, seen: RecordTypes) -> EndedJob:
        """Convert the attributes of a record of type E to a job.

        Parameters
        ----------
        identifier
            The job's id.
        attributes
            The record's attributes.
        seen
            The types of the earlier records of this job.
        """
        submit_time = self._submit_time(attributes)
        start = attributes.value("start", seconds)
        end = attributes.value("end", seconds)
        slots = self._slots(attributes)
        run = None
        if start is not None and end is not None and slots is not None and end >= start:
            run = PbsRun(start, end, slots)
        run_time = self._run_time(attributes, start, end)
        request = read_request(attributes)
        requested, allocated = request.processors, slots.processors if slots else None
        first, other = (
            (requested, allocated)
            if self.processors_from == "requested"
            else (allocated, requested)
        )
        size = first or other
        if submit_time is None:
            return EndedJob(None, NO_SUBMIT_TIME, run)
        if run_time is None or run_time <= 0.0:
            reason = NO_RUN_TIME if run_time is None else ZERO_RUN_TIME
            return EndedJob(None, reason, run)
        if size is None:
            return EndedJob(None, NO_SIZE, run)
        if not first:
            attributes.repaired[OTHER_SIZE[self.processors_from]] += 1
        if RecordTypes.WAS_REQUEUED in seen:
            attributes.repaired[LAST_RUN] += 1
        if RecordTypes.SUSPENDED in seen:
            attributes.repaired[WITHOUT_SUSPENSION] += 1
        wait_time = None if start is None else start - submit_time
        if wait_time is not None and wait_time < 0.0:
            attributes.repaired[EARLY_START] += 1
            wait_time = None
        eligible_time = attributes.value("etime", seconds)
        status, state = _end(attributes.name("Exit_status"), seen)
        array, bracket, _ = identifier.partition("[")
        job = Job(
            id=identifier,
            submit_time=submit_time,
            processors=size,
            run_time=run_time,
            walltime=attributes.value("Resource_List.walltime", limit),
            user=attributes.name("user"),
            group=attributes.name("group"),
            project=project_of(attributes),
            queue=attributes.name("queue"),
            partition=attributes.name("Resource_List.partition"),
            qos=attributes.name("Resource_List.qos", "qos"),
            name=attributes.name("jobname"),
            nodes=request.nodes,
            gpus=request.gpus,
            memory=request.memory,
            used_memory=attributes.value("resources_used.mem", gibibytes),
            requested_processors=requested,
            allocated_processors=allocated,
            wait_time=wait_time,
            status=status,
            state=state,
            tasks=request.tasks,
            array=f"{array}[]" if bracket else None,
            soft_walltime=attributes.value("Resource_List.soft_walltime", limit),
            tasks_per_node=request.tasks_per_node,
            memory_per_node=request.memory_per_node,
            exclusive=request.exclusive,
            features=request.features,
            reservation=attributes.name("resvname", "resvID"),
            array_limit=attributes.value("Resource_List.max_run_subjobs", count),
            eligible_time=eligible_time if (eligible_time or 0.0) > submit_time else None,
        )
        met = tuple(event for flag, event in MET.items() if flag in seen)
        return EndedJob(job, None, run, request.left_out + met)

    def _submit_time(self, attributes: Attributes) -> float | None:
        for name in dict.fromkeys((self.submit_time_from, "ctime", "qtime", "etime")):
            date = attributes.value(name, seconds)
            # in PBS, a date of 0 means "not yet", as in etime of a held job
            if date:
                return date
        return None

    def _run_time(
        self, attributes: Attributes, start: float | None, end: float | None
    ) -> float | None:
        used = attributes.value("resources_used.walltime", seconds)
        between = end - start if start is not None and end is not None and end >= start else None
        if self.run_time_from == "used":
            if between is not None and (used is None or (used == 0.0 and between > _INEXACT)):
                attributes.repaired[DATES_TAKEN if used is None else ZERO_USED] += 1
                return between
            return used
        if between is None and used is not None:
            attributes.repaired[USED_TAKEN] += 1
        return used if between is None else between

    def _slots(self, attributes: Attributes) -> Slots | None:
        """Return the job's processors. The server's counts have priority over the host list."""
        hosts = attributes.value("exec_host", read_exec_host)
        for name, read in (
            ("total_execution_slots", count),
            ("exec_vnode", read_exec_vnode),
            ("resources_used.ncpus", count),
        ):
            number = attributes.value(name, read)
            if number:
                return Slots(number, hosts.highest if hosts else {})
        return hosts


def limit(text: str) -> float | None:
    """Return a walltime in seconds, or None for 0, which means that the job has no walltime."""
    return seconds(text) or None


def _end(exit_status: str | None, seen: RecordTypes) -> tuple[int | None, str | None]:
    """Return the SWF status of a job, and a text about its end, such as ``exit 1``."""
    if RecordTypes.DELETED in seen:
        return _CANCELLED, "deleted"
    if exit_status is None:
        return None, None
    return _COMPLETED if exit_status == "0" else _FAILED, f"exit {exit_status}"


def project_of(attributes: Attributes) -> str | None:
    """Return the account or project that the user gave; None if it is PBS's default."""
    project = attributes.name("account", "project")
    return None if project == _NO_PROJECT else project
