"""Reading of a run from its files."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pred_aware.errors import USER_ERRORS, PredAwareError
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
        The simulated workload, or its file. It gives users and queues, and marks warm-up jobs.
    warm_up
        Ids of the jobs that only fill the machine, instead of those that the workload marks.

    Raises
    ------
    PredAwareError
        The file cannot be read, is empty or not a jobs file, lacks a column, or contains a text
        instead of a number, a job without its times, or the same job twice. Or the workload marks
        warm-up jobs, but the jobs file contains none of these jobs.
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
            # in Batsim 5 the prefix is a folder
            name = jobs.absolute().parent.name
    run = Run(name, contents, workload=workload, warm_up=warm_up)
    # compute these values now, so that errors in the file are reported now
    if run.warm_up is not None and run.warm_up.empty:
        raise PredAwareError(f"{jobs}: has none of the warm-up jobs of the workload")
    _ = run.ran, run.machine_processors, run.scheduling_time
    return run


HINT = "give it with --workload FILE"


def workload_of(provenance: Mapping[str, Any] | None, jobs: Path) -> Workload:
    """Read the workload that ``PREFIX_run.json`` names, if its content is unchanged.

    The file is searched at its original path, beside the jobs file, in the parent folder, and in
    the current folder.

    Parameters
    ----------
    provenance
        The run's provenance, if known.
    jobs
        The run's jobs file.

    Raises
    ------
    PredAwareError
        The workload is unknown, missing, or changed.
    """
    recorded = (provenance or {}).get("workload")
    if not isinstance(recorded, Mapping) or not {"name", "sha256"} <= set(recorded):
        raise PredAwareError(f"{jobs}: its workload is unknown: {HINT}")
    name = Path(str(recorded["name"])).name
    folders = dict.fromkeys(path.resolve() for path in (jobs.parent, jobs.parent.parent, Path()))
    places = [folder / name for folder in folders]
    files = [
        file for file in (*recorded_file(provenance, jobs, "workload"), *places) if file.is_file()
    ]
    for file in files:
        if (found := _read(file)) is not None and found.sha256 == recorded["sha256"]:
            return found
    if files:
        raise PredAwareError(f"{jobs}: {files[0]} has changed since the simulation: {HINT}")
    raise PredAwareError(
        f"{jobs}: its workload {name} was not found at its recorded path, beside this file or in "
        f"the current folder: {HINT}"
    )


def recorded_file(provenance: Mapping[str, Any] | None, jobs: Path, what: str) -> list[Path]:
    """Return the path of the workload or platform in ``PREFIX_run.json``, if it has one."""
    recorded = (provenance or {}).get("files")
    file = recorded.get(what) if isinstance(recorded, Mapping) else None
    return [jobs.parent / file] if isinstance(file, str) else []


def _read(file: Path) -> Workload | None:
    """Read a workload, or convert a log to one; ``None`` if both fail."""
    try:
        return Workload.read(file)
    except USER_ERRORS:
        pass
    from pred_aware.log.job_log import read_log

    try:
        return read_log(file).workload
    except USER_ERRORS:
        return None
