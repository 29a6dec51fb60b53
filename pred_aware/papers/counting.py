"""What papers say of logs themselves, counted in a log, and kept in files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.campaign.identity import of_log
from pred_aware.campaign.specification import LogOfCampaign
from pred_aware.papers.kept import keep, kept_file, read_kept

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.inputs.job_log import JobLog

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
    users: "NDArray[np.intp]"

    @property
    def used(self) -> "Floats":
        """The share of its walltime that a job used, of those that have one."""
        known = self.walltimes > 0.0
        used: Floats = self.ran[known] / self.walltimes[known]
        return used


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


def _long_by_walltime(jobs: _Columns) -> float | None:
    """Return how many times as many jobs are long by their walltimes as by their run times."""
    known = ~np.isnan(jobs.walltimes)
    ran = (jobs.ran[known] > _DAY).sum()
    return float((jobs.walltimes[known] > _DAY).sum() / ran) if ran else None


def _late_jobs_run(jobs: _Columns) -> float | None:
    """Return what the last fifth of jobs run for on the mean, by what those before do."""
    first = len(jobs.ran) - round(_FIFTH * len(jobs.ran))
    if not 0 < first < len(jobs.ran):
        return None
    return float(jobs.ran[first:].mean() / jobs.ran[:first].mean())


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


COUNTS: Mapping[str, Callable[[_Columns], float | None]] = MappingProxyType(
    {
        "jobs": lambda jobs: float(len(jobs.ran)),
        "users": lambda jobs: float(len(_counts_of_users(jobs))) or None,
        "months": lambda jobs: float((jobs.submitted.max() - jobs.submitted.min()) / _MONTH),
        "waits under 3 days": lambda jobs: _share(jobs.waits < 3 * _DAY, jobs.waits),
        "waits over 7 days": lambda jobs: _share(jobs.waits > 7 * _DAY, jobs.waits),
        "run under 1 h": lambda jobs: _mean_share(jobs.ran < _HOUR),
        "run up to 2 h": lambda jobs: _mean_share(jobs.ran <= 2 * _HOUR),
        "run up to 1 day": lambda jobs: _mean_share(jobs.ran <= _DAY),
        "walltimes up to 2 h": lambda jobs: _share(jobs.walltimes <= 2 * _HOUR, jobs.walltimes),
        "long by walltime": _long_by_walltime,
        "two commonest walltimes": _two_walltimes,
        "walltime beyond run time": _gap,
        "run beyond walltime": lambda jobs: _mean_share(jobs.used > 1.0),
        "used under 0.2": lambda jobs: _mean_share(jobs.used < _FIFTH),
        "used under 0.5": lambda jobs: _mean_share(jobs.used < _HALF),
        "used 0.9 to 1": lambda jobs: _mean_share((jobs.used >= _NEARLY) & (jobs.used <= 1.0)),
        "used under 0.5 by experienced": _experienced,
        "median by mean run time": lambda jobs: float(np.median(jobs.ran) / jobs.ran.mean()),
        "last fifth runs": _late_jobs_run,
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
        The log can't be read, or the folder can't be written.
    """
    kept = kept_file(folder, _FORMAT, of_log(log).digest, *COUNTS)
    if not kept.is_file():
        from pred_aware.inputs.job_log import read_log

        read = read_log(
            log.file, format=log.format, clean=log.clean, missing_walltime="keep", **log.options
        )
        machine = read.machine
        jobs = _columns(read)
        keep(
            kept,
            {
                **{name: count(jobs) for name, count in COUNTS.items()},
                "records": float(read.report.read),
                "processors": machine.processors,
                "nodes": machine.nodes,
            },
        )
    return read_kept(kept, dict[str, float | None])


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
        users=users if unknown is None else np.where(users == unknown, -1, users),
    )


def _floats(values: list[float | None]) -> "Floats":
    return np.array([np.nan if value is None else value for value in values], float)
