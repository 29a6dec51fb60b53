"""Reading of a run from its files."""

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
    """Read a run from its files, which pred-aware or the real Batsim wrote, plain or gzipped.

    Parameters
    ----------
    path
        The jobs file, or the prefix of the files. The other files (``PREFIX_schedule.csv`` and so
        on) are read if they are beside it.
    name
        The run's name; by default the text before ``_jobs.csv`` or ``/jobs.csv``.
    workload
        The simulated workload, or its file: for users and queues, and to leave out warm-up jobs.
    warm_up
        Ids of the jobs that only fill the machine, instead of those that the workload marks.

    Raises
    ------
    PredAwareError
        The file cannot be read, is empty or not a jobs file, lacks a column, has a text instead of
        a number, a job without its times, the same job twice, or no warm-up job although the
        workload marks some.
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
            # Batsim 5 has a folder instead of a prefix
            name = jobs.absolute().parent.name
    run = Run(name, contents, workload=workload, warm_up=warm_up)
    # report errors in the file now
    if run.warm_up is not None and run.warm_up.empty:
        raise PredAwareError(f"{jobs}: has none of the warm-up jobs of the workload")
    _ = run.ran, run.machine_processors, run.scheduling_time
    return run
