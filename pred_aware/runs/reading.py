"""Reading a run from its files."""

from collections.abc import Collection
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Workload
from pred_aware.runs.contents import RunContents
from pred_aware.runs.run import Run


def read_run(
    path: str | Path,
    name: str | None = None,
    *,
    workload: Workload | str | Path | None = None,
    warm_up: Collection[str] | None = None,
) -> Run:
    """Read a run from its files, ours or the real Batsim's, plain or gzip.

    Parameters
    ----------
    path
        The jobs file, or the prefix of the files. The others (``PREFIX_schedule.csv`` and so on)
        are taken where they stand beside it.
    name
        What the run is to be called; by default what stands before ``_jobs.csv`` or ``/jobs.csv``.
    workload
        What was simulated, or its file: for the jobs' users and queues, and to leave out the jobs
        that it marks as warm-up.
    warm_up
        Ids of the jobs that only fill the machine, if not those that the workload marks.

    Raises
    ------
    PredAwareError
        The file cannot be read, is empty or not a jobs file, lacks a column, has a word for a
        number, a job without its times, the same job twice, or none of the jobs of the warm-up.
    WorkloadError
        The workload cannot be read.
    """
    if isinstance(workload, str | Path):
        workload = Workload.read(workload)
    contents = RunContents.at(Path(path))
    jobs = contents.path
    assert jobs is not None
    if name is None:
        name = jobs.name.removesuffix(".gz").removesuffix(".csv").removesuffix("_jobs")
        if name == "jobs":
            # Batsim 5 has a folder for a prefix
            name = jobs.absolute().parent.name
    run = Run(name, contents, workload=workload, warm_up=warm_up)
    # what is wrong with the file shall be told now
    if run.warm_up is not None and run.warm_up.empty:
        raise PredAwareError(f"{jobs}: has none of the jobs that the workload marks as warm-up")
    _ = run.ran, run.machine_processors, run.scheduling_time
    return run
