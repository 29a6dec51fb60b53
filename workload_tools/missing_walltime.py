"""What becomes of jobs without a walltime."""

from msgspec.structs import replace

from workload_tools.job import Job
from workload_tools.report import Report
from workload_tools.swf.log import GIVEN_WALLTIME, NO_WALLTIME, MissingWalltime


def with_walltime(job: Job, missing: MissingWalltime, *, report: Report) -> Job | None:
    """Return a job as it is to be without a walltime; one that has a walltime stays as it is.

    Parameters
    ----------
    job
        The job.
    missing
        ``keep`` it without a walltime, ``drop`` it, or give it this many seconds.
    report
        Where a job that is dropped or given a walltime is counted.

    Returns
    -------
    Job or None
        None if it is dropped.

    Examples
    --------
    >>> job = Job(id="1", submit_time=0.0, processors=4, run_time=9.0)
    >>> report = Report()
    >>> with_walltime(job, 3600.0, report=report).walltime, report.repaired.total()
    (3600.0, 1)
    """
    if job.walltime is not None or missing == "keep":
        return job
    if missing == "drop":
        report.dropped[NO_WALLTIME] += 1
        return None
    report.repaired[GIVEN_WALLTIME] += 1
    return replace(job, walltime=missing)
