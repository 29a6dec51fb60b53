"""Read and check the log of a study, and replace names by numbers."""

import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from pred_aware.errors import PredAwareError
from pred_aware.inspection.inspection import Inspection, inspect_log
from pred_aware.log.job_log import JobLog
from pred_aware.metrics.table import size_edges
from pred_aware.report.durations import DAY
from pred_aware.site_configuration import ConfiguredSite
from pred_aware.study.contenders import Contenders, contenders
from pred_aware.study.machine_size import Size, size_of
from pred_aware.study.request import Reading
from pred_aware.study.site import with_numbers
from schedulers.site.site import Site
from workload_tools.changes.anonymised import Anonymised, Key
from workload_tools.changes.cleaning import Cleaned, WarmUp, recipe
from workload_tools.files import written_whole
from workload_tools.formats import recognised
from workload_tools.job import Job
from workload_tools.job import Workload as JobsOfALog
from workload_tools.log import Log, Machine, gather
from workload_tools.missing_walltime import MOST, WithWalltimes
from workload_tools.platform.platform import Platform
from workload_tools.report import Report
from workload_tools.several import SeveralLogs, open_logs


@dataclass(frozen=True, slots=True)
class Walltimes:
    """The number of jobs without a walltime, and the walltime that these jobs get."""

    jobs: int
    """Number of all jobs of the log."""
    missing: int
    """Number of jobs without a walltime."""
    given: float | None
    """The walltime in seconds for jobs without one; ``None`` if such jobs are left out."""

    @property
    def most_missing(self) -> bool:
        """Whether so many jobs lack a walltime that the plan cannot be like the site's plan."""
        return self.missing > MOST * self.jobs


def decided(jobs: Sequence[Job], missing_walltime: str | float | None) -> Walltimes:
    """Decide what happens to the jobs without a walltime.

    If there are few such jobs, they are left out. Otherwise all of them get the longest run time or
    walltime of the log, rounded up to whole days. This value tells the scheduler nothing about
    single jobs and kills no job.

    Parameters
    ----------
    jobs
        All jobs of the log.
    missing_walltime
        ``drop`` or seconds, if the user chose.
    """
    missing = sum(job.walltime is None for job in jobs)
    if isinstance(missing_walltime, int | float):
        given: float | None = float(missing_walltime)
    elif missing_walltime == "drop" or missing <= MOST * len(jobs):
        given = None
    else:
        longest = max(max(job.run_time, job.walltime or 0.0) for job in jobs)
        given = DAY * max(1, math.ceil(longest / DAY))
    return Walltimes(len(jobs), missing, given)


PERSONAL = ("user", "group", "project", "executable", "name", "array", "reservation", "licences")
"""The fields that become numbers unless the user requests names. Queues keep their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLog:
    """The log of a study and its settings."""

    name: str
    log: JobLog
    """The simulated jobs."""
    platform: Platform
    """The machine's hosts."""
    size: Size
    """The machine's size and its source."""
    walltimes: Walltimes
    """What happens to jobs without a walltime."""
    inspection: Inspection
    """The inspection of the log."""
    clean: tuple[str, ...]
    """The recipes that cleaned the log."""
    key: Key | None
    """The numbers that replace names; ``None`` if names are kept."""
    contenders: Contenders
    """The compared policies."""
    site: Site | None = None
    """The site whose rules are simulated. Numbers replace its names, as they do in the jobs."""
    configured: ConfiguredSite | None = None
    """The snapshot from which the site was made, with real names; ``None`` without a snapshot."""
    apart: str = ""
    """The reason why the files seem to be of two machines; empty if they do not."""
    format: str = ""
    """The format of the first file, such as ``slurm``."""

    @property
    def users(self) -> int:
        """The number of users in the log."""
        return len(self.inspection.columns.user_names)

    @property
    def size_classes(self) -> tuple[int, ...]:
        """The maximum processors of each size class except the last: 1, 5, 25 % of the machine."""
        return tuple(sorted(set(size_edges(self.size.processors))))

    def write_key(self, path: Path) -> None:
        """Write the numbers and their names into a file that only its owner can read."""
        if self.key is not None:
            with written_whole(path, private=True) as file:
                self.key.write_to(file)


def read(request: Reading) -> ReadLog:
    """Read, clean and inspect the log.

    Parameters
    ----------
    request
        The requested log and options.

    Raises
    ------
    PredAwareError, InputError
        The log cannot be read or has no job, or an option is invalid.
    """
    compared = contenders(request.site, base=request.base, inferred=bool(request.infer_site))
    wanted = recipe(*request.clean)
    platform = None if request.platform is None else Platform.read(request.platform)
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        log = opened = _opened(request)
        if wanted.removals:
            log = Cleaned(log, wanted.removals)
        if wanted.warm_up is not None:
            log = WarmUp(log, wanted.warm_up, folder=Path(folder))
        jobs = gather(log)
    if not jobs.jobs:
        raise _nothing(request, log.report)
    walltimes = decided(jobs.jobs, request.missing_walltime)
    jobs = _with_walltimes(jobs, log.report, walltimes, path=request.paths[0])
    key = None if request.names else Key()
    if key is not None:
        jobs = gather(Anonymised(_InMemory(jobs, log.report), key, names=PERSONAL))
    if not jobs.jobs:
        raise _nothing(request, log.report)
    inspection = inspect_log(
        _InMemory(jobs, log.report),
        Path(request.name),
        processors=_given_size(request, platform),
    )
    log_format = request.format or next(iter(recognised(request.paths[0])), "")
    size = size_of(request, inspection)
    site = request.site
    if site is not None and key is not None:
        site = with_numbers(site, key)
    jobs = replace(jobs, processors=size.processors, guessed=size.guessed)
    return ReadLog(
        name=request.name,
        log=JobLog(request.name, jobs, log.report),
        platform=platform or Platform.of(size.processors),
        size=size,
        walltimes=walltimes,
        inspection=inspection,
        clean=request.reported_clean,
        key=key,
        contenders=compared,
        site=site,
        configured=request.configured,
        apart=opened.apart if isinstance(opened, SeveralLogs) else "",
        format=log_format,
    )


def _given_size(request: Reading, platform: Platform | None) -> int | None:
    """Return the machine's processors from the options, ``None`` if no option gives the size."""
    sizes = {
        "--site": None if request.site is None else request.site.size,
        "--platform": None if platform is None else platform.processors,
        "--processors": request.processors,
    }
    given = {option: size for option, size in sizes.items() if size is not None}
    if "--site" in given and len(set(given.values())) > 1:
        words = " and ".join(f"{option} ({size:,})" for option, size in given.items())
        raise PredAwareError(f"{words} give different numbers of processors; give only one size")
    return given.get("--site", request.processors if platform is None else platform.processors)


def _opened(request: Reading) -> Log:
    """Open one log, or several logs as one."""
    options = dict(request.options)
    if request.slurm_conf is not None:
        options["slurm_conf"] = str(request.slurm_conf)
    return open_logs(
        request.paths,
        format=request.format,
        options=options,
        processors=request.processors,
        time_zone=request.time_zone,
    )


def _with_walltimes(
    jobs: JobsOfALog, report: Report, walltimes: Walltimes, *, path: Path
) -> JobsOfALog:
    if not walltimes.missing:
        return jobs
    missing = "drop" if walltimes.given is None else walltimes.given
    return gather(
        WithWalltimes(_InMemory(jobs, report), missing_walltime=missing, path=path)  # type: ignore[arg-type] # of these
    )


class _InMemory:
    """A log with its jobs in memory."""

    def __init__(self, jobs: JobsOfALog, report: Report) -> None:
        self.report = report
        self._jobs = jobs
        self.machine = Machine(
            processors=jobs.processors,
            nodes=jobs.nodes,
            guessed=jobs.guessed,
            start_time=jobs.start_time,
            time_zone=jobs.time_zone,
        )

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs in the order of submission."""
        yield from self._jobs.jobs


def _nothing(request: Reading, report: Report) -> PredAwareError:
    """Return the error for a log without jobs that ran, with the reasons."""
    reasons = ", ".join(f"{why}: {count:,}" for why, count in report.dropped.most_common())
    why = f" ({reasons})" if reasons else ""
    return PredAwareError(
        f"{request.paths[0]}: none of its {report.read:,} records is a job that ran{why}. A study "
        "needs jobs that ran. Give other days, or examine the log with `pred-aware inspect`"
    )
