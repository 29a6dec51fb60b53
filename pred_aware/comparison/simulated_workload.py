"""Find the workload of runs in files, for users, queues and warm-up jobs."""

from dataclasses import dataclass
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Workload
from pred_aware.report.plural import counted
from pred_aware.runs.contents import RunContents
from pred_aware.runs.reading import workload_of
from workload_tools.batsim.reader import marked_as_warm_up, read_content
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE, in_words


@dataclass(frozen=True, slots=True)
class SimulatedRuns:
    """The simulated workload, and remarks on missing information."""

    workload: Workload | None = None
    """The workload with users and queues; ``None`` if it is unknown."""
    warm_up: frozenset[str] = frozenset()
    """The ids of warm-up jobs, which only fill the machine."""
    remarks: tuple[str, ...] = ()
    """Remarks on the workload, one line each."""


def runs_of(workload: Path, baseline: Path) -> SimulatedRuns:
    """Read the workload that the user names.

    Parameters
    ----------
    workload
        A Batsim workload, which may use features that only the real Batsim has.
    baseline
        The baseline's jobs file.

    Raises
    ------
    PredAwareError
        The file is not a workload.
    WorkloadError
        The file cannot be read.
    """
    warm_up = _marked(workload)
    remarks = [] if warm_up else [f"{workload} marks no job as warm-up, so all jobs count."]
    try:
        found = Workload.read(workload)
    except WorkloadError as error:
        # the real Batsim supports workloads that pred-aware cannot read
        remarks.append(f"Users and queues are not known: {error}.")
        return SimulatedRuns(None, warm_up, tuple(remarks))
    recorded = (RunContents.at(baseline).provenance[0] or {}).get("workload")
    if isinstance(recorded, dict) and recorded.get("sha256") not in (None, found.sha256):
        remarks.append(f"{workload} is not the workload of {baseline}: its content differs.")
    return SimulatedRuns(found, warm_up, tuple(remarks))


def find_runs(baseline: Path, *, needed: bool) -> SimulatedRuns:
    """Read the workload that the baseline's ``_run.json`` names.

    Parameters
    ----------
    baseline
        The baseline's jobs file.
    needed
        Whether the workload is required. Otherwise a missing workload only gives a remark.

    Raises
    ------
    PredAwareError
        The workload is required but missing.
    """
    contents = RunContents.at(baseline)
    try:
        found = workload_of(contents.provenance[0], baseline)
    except PredAwareError as error:
        if needed:
            raise
        return SimulatedRuns(remarks=(f"Users and queues are not known: {error}.",))
    marked = f"{found.name} marks {counted(len(found.warm_up), 'job')} as warm-up"
    remarks = (f"{marked}, but they are counted. --workload omits them.",) if found.warm_up else ()
    return SimulatedRuns(found, remarks=remarks)


def _marked(workload: Path) -> frozenset[str]:
    """Return the ids of the jobs that a workload marks as warm-up."""
    try:
        return marked_as_warm_up(read_content(workload))
    except UNREADABLE as error:
        raise PredAwareError(f"{workload}: not a Batsim workload: {in_words(error)}") from error
