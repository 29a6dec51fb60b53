"""A job log in memory, for any number of runs."""

import tempfile
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Workload
from workload_tools.batsim.of_log import raw_workload
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.job import Workload as JobsOfALog
from workload_tools.log import Log, gather
from workload_tools.missing_walltime import WithWalltimes
from workload_tools.platform.platform import Platform
from workload_tools.report import Report

if TYPE_CHECKING:
    import pandas as pd


class JobLog:
    """A job log in memory: its jobs, counts of its records, and its machine.

    `pred_aware.read_log` returns a job log. Runs do not change the log, and it can be pickled.

    Attributes
    ----------
    name : str
        Name of the file.
    report : workload_tools.Report
        Numbers of records that were read, kept, dropped and repaired, with reasons.
    machine : workload_tools.Workload
        The log's other values: `processors`, `nodes`, `start_time` (Unix seconds of the first
        submission), `time_zone`. Its `jobs` are the jobs as `workload_tools` represents them.
    """

    def __init__(self, name: str, machine: JobsOfALog, report: Report) -> None:
        self.name = name
        self.machine = machine
        self.report = report

    @cached_property
    def workload(self) -> Workload:
        """The Batsim workload that `pred-aware convert` would write."""
        return Workload(raw_workload(self.machine, self.name))

    @cached_property
    def platform(self) -> Platform:
        """The log's machine, as a cluster of equal hosts.

        Raises
        ------
        PredAwareError
            The log does not contain the machine's size.
        """
        if self.machine.processors is None:
            raise PredAwareError(
                f"{self.name} does not contain the machine's size: give a platform, such as "
                "pred_aware.Platform.of(240), or call read_log with processors"
            )
        return Platform.of(self.machine.processors)

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """A row for each job, by submission, indexed by `job_id`.

        The columns are the fields of `workload_tools.Job` that at least one job has; times are in
        seconds from the first submission.
        """
        import pandas as pd

        names = [name for name in Job.__struct_fields__ if name != "id"]
        columns = {name: [getattr(job, name) for job in self.machine.jobs] for name in names}
        known = {
            name: pd.Series(values, dtype="str" if _is_text(values) else None).array
            for name, values in columns.items()
            if any(value not in (None, (), False) for value in values)
            or name in ("submit_time", "run_time", "processors")
        }
        ids = [job.id for job in self.machine.jobs]
        return pd.DataFrame(known, index=pd.Index(ids, name="job_id", dtype="str"))

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.machine.jobs)

    def __repr__(self) -> str:
        """Return the name, the number of jobs and the machine's size."""
        size = self.machine.processors
        on = "" if size is None else f" on {size} processors"
        return f"<JobLog {self.name}: {len(self)} jobs{on}>"

    def _repr_html_(self) -> str:
        """Return counts of records and the first jobs as HTML, for notebooks."""
        from pred_aware.report.html import table_in_html

        counts = [f"{self.report.read:,} records read, {self.report.kept:,} jobs kept"]
        for what, reasons in (("dropped", self.report.dropped), ("repaired", self.report.repaired)):
            counts += [f"{count:,} {what}: {reason}" for reason, count in sorted(reasons.items())]
        return table_in_html(repr(self)[1:-1], self.jobs, note="; ".join(counts))


def read_log(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the usual name
    clean: str | Collection[str] = (),
    missing_walltime: Literal["keep", "drop"] | float | None = None,
    processors: int | None = None,
    time_zone: str | None = None,
    load: float | None = None,
    **options: Any,  # noqa: ANN401 - any options of the format's reader
) -> JobLog:
    r"""Read a job log of any known format, as `pred-aware convert` does.

    Parameters
    ----------
    path
        A file, gzipped or not, or a folder if the format allows one.
    format
        Name of the format, such as ``slurm``; by default the format that recognises the file.
    clean
        Cleaning recipes: conditions of jobs to leave out such as ``user=2 and run>7d``,
        ``warm-up=1%``, or the cleaning of a paper; see docs/how-to/cleaning.md.
    missing_walltime
        What happens to jobs without a walltime: ``drop`` them, ``keep`` them without a walltime, or
        give all of them this walltime in seconds. By default, these jobs are dropped and counted in
        the report; it is an error if most jobs lack a walltime.
    processors
        The machine's size in processors; replaces the size in the log.
    time_zone
        The machine's time zone, such as ``Europe/Paris``; applies to dates without a time zone.
    load
        Factor by which the load grows; the times between submissions are divided by this factor.
    **options
        Options of the format's reader, such as ``strict=True``; see the format's page.

    Raises
    ------
    LogError
        The log cannot be read or has no jobs, or its format does not have an option.
    ScalingError
        The load cannot be changed by this factor.
    CleaningError
        A recipe is invalid.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".swf") as file:
    ...     _ = file.write("; MaxProcs: 8\n1 0 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1\n")
    ...     file.flush()
    ...     log = read_log(file.name)
    >>> log.jobs[["processors", "walltime", "user"]]  # doctest: +NORMALIZE_WHITESPACE
            processors  walltime user
    job_id
    1                4      90.0    7
    """
    from workload_tools.changes.cleaning import Cleaned, WarmUp, recipe
    from workload_tools.changes.scaled import ScaledLog

    path = Path(path)
    log = open_log(path, format=format, options=options, time_zone=time_zone)
    changed = WithWalltimes(log, missing_walltime=missing_walltime, path=path)
    wanted = recipe(*([clean] if isinstance(clean, str) else clean))
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        cleaned: Log = Cleaned(changed, wanted.removals) if wanted.removals else changed
        if load is not None:
            cleaned = ScaledLog(cleaned, load, by="arrivals", path=path)
        if wanted.warm_up is not None:
            cleaned = WarmUp(cleaned, wanted.warm_up, folder=Path(folder))
        machine = gather(cleaned)
    if processors is not None:
        from msgspec.structs import replace

        machine = replace(machine, processors=processors, guessed=False)
    if not machine.jobs:
        raise PredAwareError(f"{path}: none of its {log.report.read} records is a job that ran")
    return JobLog(path.name, machine, cleaned.report)


def _is_text(values: list[Any]) -> bool:
    return any(isinstance(value, str) for value in values)
