"""Search for the workload of a run that was read from files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.log.workload import Workload

HINT = "give it with --workload FILE"


def workload_of(made: Mapping[str, Any] | None, jobs: Path) -> Workload:
    """Read the workload that ``PREFIX_run.json`` names, if its content is unchanged.

    The file is searched at its original path, beside the jobs file, in the parent folder, and in
    the current folder.

    Parameters
    ----------
    made
        The run's provenance, if known.
    jobs
        The run's jobs file.

    Raises
    ------
    PredAwareError
        The workload is unknown, missing, or changed.
    """
    told = (made or {}).get("workload")
    if not isinstance(told, Mapping) or not {"name", "sha256"} <= set(told):
        raise PredAwareError(f"{jobs}: its workload is unknown: {HINT}")
    name = Path(str(told["name"])).name
    folders = dict.fromkeys(path.resolve() for path in (jobs.parent, jobs.parent.parent, Path()))
    places = [folder / name for folder in folders]
    files = [file for file in (*recorded_file(made, jobs, "workload"), *places) if file.is_file()]
    for file in files:
        if (found := _read(file)) is not None and found.sha256 == told["sha256"]:
            return found
    if files:
        raise PredAwareError(f"{jobs}: {files[0]} has changed since the simulation: {HINT}")
    raise PredAwareError(
        f"{jobs}: its workload {name} was not found at its old path, beside this file or here: "
        f"{HINT}"
    )


def recorded_file(made: Mapping[str, Any] | None, jobs: Path, what: str) -> list[Path]:
    """Return the path of the workload or platform in ``PREFIX_run.json``, if it has one."""
    recorded = (made or {}).get("files")
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
