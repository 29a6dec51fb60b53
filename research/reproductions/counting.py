"""Counts of papers about logs themselves, made on a log, and kept in files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pred_aware.campaign import LogOfCampaign, kept

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware import JobLog

    Floats = NDArray[np.float64]

_HOUR, _DAY = 3600.0, 86400.0
_MONTH = 365.25 / 12 * _DAY
_EXPERIENCED = 100
"""Jobs that a user has submitted before, to whom run times are nothing new (paper 002)."""
_EXPERT = 0.1
"""Of the mean number of jobs of a user, to be an expert for paper 001."""
_FIFTH, _HALF, _NEARLY = 0.2, 0.5, 0.9
"""Of a walltime (paper 004)."""
_SMALL = 32
"""Processors (paper 003)."""
_FORTY = 40
"""Below so many processors the conclusion of its comparison draws the line."""
_LIMITS = (*(hours * _HOUR for hours in (2, 4, 24)), *(days * _DAY for days in (2, 4, 7, 14, 28)))
"""Walltimes of CERIT-SC's queues (paper 003)."""
_FORMAT = 1
"""Raised when what is kept is another."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """Jobs that ran: a value for each; NaN where the log does not tell."""

    submitted: "Floats"
    waits: "Floats"
    ran: "Floats"
    walltimes: "Floats"
    processors: "Floats"
    soft_walltimes: "Floats"
    users: "NDArray[np.intp]"

    @property
    def used(self) -> "Floats":
        """The share of its walltime that a job used, of those that have one."""
        known = self.walltimes > 0.0
        used: Floats = self.ran[known] / self.walltimes[known]
        return used


_Count: TypeAlias = Callable[[_Columns], float | None]


def _share(chosen: "NDArray[np.bool_]", values: "Floats") -> float | None:
    """Return the share of the jobs of which a value is known."""
    known = ~np.isnan(values)
    return float(chosen[known].mean()) if known.any() else None


def _mean_share(chosen: "NDArray[np.bool_]") -> float | None:
    return float(chosen.mean()) if len(chosen) else None


def _two_walltimes(jobs: _Columns) -> float | None:
    known = jobs.walltimes[~np.isnan(jobs.walltimes)]
    if not len(known):
        return None
    _, counts = np.unique(known, return_counts=True)
    return float(np.sort(counts)[-2:].sum() / len(known))


def _gap(jobs: _Columns) -> float | None:
    gaps = jobs.walltimes - jobs.ran
    known = ~np.isnan(gaps)
    return float(gaps[known].mean()) if known.any() else None


def _experienced(jobs: _Columns) -> float | None:
    """Return the share of jobs of experienced users that used less than half of their walltime."""
    order = np.argsort(jobs.users, kind="stable")
    of_user = jobs.users[order]
    before = np.empty(len(order), np.intp)
    before[order] = np.arange(len(order)) - np.searchsorted(of_user, of_user)
    chosen = (before >= _EXPERIENCED) & (jobs.users >= 0) & (jobs.walltimes > 0.0)
    return _mean_share(jobs.ran[chosen] < _HALF * jobs.walltimes[chosen])


def _by_walltime(chosen: Callable[["Floats"], "NDArray[np.bool_]"]) -> _Count:
    """Count how many times as many jobs are so by their walltimes as by their run times."""

    def count(jobs: _Columns) -> float | None:
        known = ~np.isnan(jobs.walltimes)
        ran = chosen(jobs.ran[known]).sum()
        return float(chosen(jobs.walltimes[known]).sum() / ran) if ran else None

    return count


def _long(seconds: "Floats") -> "NDArray[np.bool_]":
    return seconds > _DAY


def _short(seconds: "Floats") -> "NDArray[np.bool_]":
    return seconds <= 2 * _HOUR


def _long_by_medium(jobs: _Columns) -> float | None:
    """Return how many long jobs there are for each medium one."""
    long, short = _long(jobs.ran).sum(), _short(jobs.ran).sum()
    medium = len(jobs.ran) - long - short
    return float(long / medium) if medium else None


def _gap_of_long(jobs: _Columns) -> float | None:
    """Return by how much walltimes are too long where they are long, by that of long jobs."""
    gaps = np.abs(jobs.walltimes - jobs.ran)
    known = ~np.isnan(gaps)
    queued, ran = known & _long(jobs.walltimes), known & _long(jobs.ran)
    if not (queued.any() and gaps[ran].any()):
        return None
    return float(gaps[queued].mean() / gaps[ran].mean())


def _late_jobs_run(jobs: _Columns) -> float | None:
    """Return what the last fifth of jobs run for on the mean, by what those before do."""
    first = len(jobs.ran) - round(_FIFTH * len(jobs.ran))
    if not 0 < first < len(jobs.ran):
        return None
    return float(jobs.ran[first:].mean() / jobs.ran[:first].mean())


def _late_jobs_vary(jobs: _Columns) -> float | None:
    """Return how far the run times of the last fifth of jobs vary, by how far those before do."""
    first = len(jobs.ran) - round(_FIFTH * len(jobs.ran))
    before = jobs.ran[:first].std() if first else 0.0
    return float(jobs.ran[first:].std() / before) if before and first < len(jobs.ran) else None


def _at_limits(jobs: _Columns) -> float | None:
    return _share(np.isin(jobs.walltimes, _LIMITS), jobs.walltimes)


def _work_of_long(jobs: _Columns) -> float | None:
    work = jobs.processors * jobs.ran
    return float(work[jobs.ran > _DAY].sum() / work.sum()) if work.any() else None


def _counts_of_users(jobs: _Columns) -> "NDArray[np.intp]":
    return np.unique(jobs.users[jobs.users >= 0], return_counts=True)[1]


def _expert_users(jobs: _Columns) -> float | None:
    counts = _counts_of_users(jobs)
    return _mean_share(counts >= _EXPERT * counts.mean()) if len(counts) else None


def _jobs_of_experts(jobs: _Columns) -> float | None:
    counts = _counts_of_users(jobs)
    if not len(counts):
        return None
    return float(counts[counts >= _EXPERT * counts.mean()].sum() / counts.sum())


COUNTS: Mapping[str, _Count] = MappingProxyType(
    {
        "jobs": lambda jobs: float(len(jobs.ran)),
        "users": lambda jobs: float(len(_counts_of_users(jobs))) or None,
        "soft walltimes": lambda jobs: float((jobs.soft_walltimes > 0.0).sum()) or None,
        "months": lambda jobs: float((jobs.submitted.max() - jobs.submitted.min()) / _MONTH),
        "waits under 3 days": lambda jobs: _share(jobs.waits < 3 * _DAY, jobs.waits),
        "waits over 7 days": lambda jobs: _share(jobs.waits > 7 * _DAY, jobs.waits),
        "run under 1 h": lambda jobs: _mean_share(jobs.ran < _HOUR),
        "run up to 2 h": lambda jobs: _mean_share(_short(jobs.ran)),
        "run up to 1 day": lambda jobs: _mean_share(jobs.ran <= _DAY),
        "run 2 h to 1 day": lambda jobs: _mean_share(~_short(jobs.ran) & ~_long(jobs.ran)),
        "long by medium": _long_by_medium,
        "walltimes up to 2 h": lambda jobs: _share(_short(jobs.walltimes), jobs.walltimes),
        "short by walltime": _by_walltime(_short),
        "long by walltime": _by_walltime(_long),
        "walltimes' errors of long": _gap_of_long,
        "two commonest walltimes": _two_walltimes,
        "walltimes at queues' limits": _at_limits,
        "walltime beyond run time": _gap,
        "run beyond walltime": lambda jobs: _mean_share(jobs.used > 1.0),
        "used under 0.2": lambda jobs: _mean_share(jobs.used < _FIFTH),
        "used under 0.5": lambda jobs: _mean_share(jobs.used < _HALF),
        "used 0.9 to 1": lambda jobs: _mean_share((jobs.used >= _NEARLY) & (jobs.used <= 1.0)),
        "used under 0.5 by experienced": _experienced,
        "median by mean run time": lambda jobs: float(np.median(jobs.ran) / jobs.ran.mean()),
        "median by mean processors": lambda jobs: float(
            np.median(jobs.processors) / jobs.processors.mean()
        ),
        "walltimes of 7 or 14 days": lambda jobs: _share(
            np.isin(jobs.walltimes, (7 * _DAY, 14 * _DAY)), jobs.walltimes
        ),
        "jobs that wait over 7 days": lambda jobs: float((jobs.waits > 7 * _DAY).sum()),
        "up to 39 processors": lambda jobs: _mean_share(jobs.processors < _FORTY),
        "last fifth runs": _late_jobs_run,
        "last fifth varies": _late_jobs_vary,
        "up to 32 processors": lambda jobs: _mean_share(jobs.processors <= _SMALL),
        "work of jobs over 1 day": _work_of_long,
        "experts": _expert_users,
        "jobs of experts": _jobs_of_experts,
    }
)
"""By name: shares of the jobs (of those that have a walltime, where it is about walltimes),
seconds, or ratios."""

OF_THE_LOG = ("records", "processors", "nodes")
"""What is told of the log beside."""


def counted_on(log: LogOfCampaign, *, folder: Path) -> dict[str, float | None]:
    """Return what is counted in a log, by name, from the folder where it is there.

    Parameters
    ----------
    log
        The log, and what is done to it. Jobs without a walltime count, too.
    folder
        Where it is kept.

    Raises
    ------
    LogError, PredAwareError
        The log cannot be read, or the folder cannot be written.
    """

    def count() -> dict[str, float | None]:
        from pred_aware import read_log

        read = read_log(
            log.file, format=log.format, clean=log.clean, missing_walltime="keep", **log.options
        )
        machine, jobs = read.machine, _columns(read)
        return {
            **{name: count(jobs) for name, count in COUNTS.items()},
            "records": float(read.report.read),
            "processors": machine.processors,
            "nodes": machine.nodes,
        }

    return kept(folder, dict[str, float | None], count, _FORMAT, log, *COUNTS)


def _columns(log: "JobLog") -> _Columns:
    jobs = log.machine.jobs
    names = {name: place for place, name in enumerate(dict.fromkeys(job.user for job in jobs))}
    unknown = names.get(None)
    users = np.array([names[job.user] for job in jobs], np.intp)
    return _Columns(
        submitted=np.array([job.submit_time for job in jobs]),
        waits=_floats([job.wait_time for job in jobs]),
        ran=np.array([job.run_time for job in jobs]),
        walltimes=_floats([job.walltime for job in jobs]),
        processors=np.array([job.processors for job in jobs], float),
        soft_walltimes=_floats([job.soft_walltime for job in jobs]),
        users=users if unknown is None else np.where(users == unknown, -1, users),
    )


def _floats(values: list[float | None]) -> "Floats":
    return np.array([np.nan if value is None else value for value in values], float)
