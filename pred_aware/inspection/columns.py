"""A log as arrays, read in one pass."""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from operator import is_not
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import LONGEST_SPAN

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from workload_tools.log import Log, Machine
    from workload_tools.report import Report


MAY_BE_UNKNOWN = (
    *("user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("walltime", "nodes", "gpus", "memory", "tasks", "array", "wait_time", "status", "state"),
    *("used_memory", "allocated_processors", "soft_walltime", "preceding_job"),
)
"""Fields that may be unknown; `Columns.known` has the number of jobs with a value for each."""

LABELS = ("user", "group", "project", "queue", "partition")
"""Fields with names, on which limits of a site may depend."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The jobs of a log in order of submission, as one array for each field."""

    submit_time: "NDArray[np.float64]"
    run_time: "NDArray[np.float64]"
    """Submission and run time of each job in seconds, shape (jobs,); submissions are relative to
    the log's second 0.
    """
    walltime: "NDArray[np.float64]"
    wait_time: "NDArray[np.float64]"
    """Requested walltime and recorded wait of each job in seconds; NaN if unknown."""
    processors: "NDArray[np.int64]"
    """Processors that each job requests in a simulation of the log, shape (jobs,)."""
    allocated: "NDArray[np.int64]"
    """Processors that each job had on the real machine; `processors` if the log lacks them."""
    memory: "NDArray[np.float64]"
    """Requested memory of each job in GiB, shape (jobs,); NaN if unknown."""
    labels: Mapping[str, "NDArray[np.int32]"]
    """For each field of `LABELS`, each job's index in `names` of this field; -1 if unknown."""
    names: Mapping[str, tuple[str, ...]]
    """For each field of `LABELS`, its different values in order of first appearance."""
    known: Mapping[str, int]
    """For each field of `MAY_BE_UNKNOWN`, the number of jobs with a value."""
    states: Mapping[str, int]
    """Number of jobs for each `state`; jobs without a state count by their SWF status."""
    queues: Mapping[str, int]
    """Number of jobs for each queue; jobs without a queue count by their partition."""
    machine: "Machine"
    report: "Report"
    """The log reader's counts of read, kept, dropped and repaired records."""

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.submit_time)

    @property
    def user(self) -> "NDArray[np.int32]":
        """Indices into `user_names`, shape (jobs,); -1 if unknown."""
        return self.labels["user"]

    @property
    def user_names(self) -> tuple[str, ...]:
        """Names of the users in order of first appearance."""
        return self.names["user"]

    @cached_property
    def start_time(self) -> "NDArray[np.float64]":
        """Start of each job in seconds, as recorded; its submission if the wait is unknown."""
        return self.submit_time + np.nan_to_num(self.wait_time)

    @cached_property
    def end_time(self) -> "NDArray[np.float64]":
        """End of each job on the real machine, in seconds."""
        return self.start_time + self.run_time

    @cached_property
    def ratio(self) -> "NDArray[np.float64]":
        """R = run time / walltime (paper 004, equation 2); NaN without a walltime."""
        return self.run_time / self.walltime

    @cached_property
    def work(self) -> "NDArray[np.float64]":
        """Processor seconds that each job used on the real machine."""
        return self.run_time * self.allocated

    @property
    def first(self) -> float:
        """Second of the first submission."""
        return float(self.submit_time[0])

    @property
    def last(self) -> float:
        """Second of the last submission."""
        return float(self.submit_time[-1])


_STATUS = {0: "failed", 1: "completed", 5: "cancelled"}


def read_columns(log: "Log", *, path: "Path") -> Columns:
    """Read all jobs of a log into arrays.

    Parameters
    ----------
    log
        A log that has not been read yet.
    path
        Path of the log, for error messages.

    Raises
    ------
    LogError
        The log cannot be read, the reader keeps none of its jobs, or its submissions span more than
        a century.
    """
    submit_time, run_time, walltime, wait_time, memory = (array("d") for _ in range(5))
    processors, allocated = array("q"), array("q")
    labels = {name: array("i") for name in LABELS}
    names: dict[str, dict[str, int]] = {name: {} for name in LABELS}
    known: Counter[str] = Counter()
    states: Counter[str] = Counter()
    queues: Counter[str] = Counter()
    nan = float("nan")
    fields = Job.__struct_fields__
    named = [(fields.index(name), labels[name], names[name]) for name in LABELS]
    for job in log.jobs():
        submit_time.append(job.submit_time)
        run_time.append(job.run_time)
        walltime.append(nan if job.walltime is None else job.walltime)
        wait_time.append(nan if job.wait_time is None else job.wait_time)
        processors.append(job.processors)
        allocated.append(job.allocated_processors or job.processors)
        memory.append(nan if job.memory is None else job.memory)
        values = msgspec.structs.astuple(job)
        for place, codes, of_kind in named:
            name = values[place]
            codes.append(-1 if name is None else of_kind.setdefault(name, len(of_kind)))
        # compress and map loop in C, which is fast enough for millions of fields
        known.update(compress(fields, map(is_not, values, repeat(None))))
        states[job.state or _STATUS.get(job.status, str(job.status))] += 1  # type: ignore[arg-type] # may be None
        queues[job.queue or job.partition or ""] += 1
    if not submit_time:
        reasons = ", ".join(f"{why}: {count}" for why, count in sorted(log.report.dropped.items()))
        raise LogError(path, f"none of its {log.report.read} jobs can be used ({reasons})")
    dates = np.asarray(submit_time)
    _check_span(path, float(dates.min()), float(dates.max()))
    order = np.argsort(dates, kind="stable")
    return Columns(
        submit_time=dates[order],
        run_time=np.asarray(run_time)[order],
        walltime=np.asarray(walltime)[order],
        wait_time=np.asarray(wait_time)[order],
        processors=np.asarray(processors, dtype=np.int64)[order],
        allocated=np.asarray(allocated, dtype=np.int64)[order],
        memory=np.asarray(memory)[order],
        labels={kind: np.asarray(codes, np.int32)[order] for kind, codes in labels.items()},
        names={kind: tuple(of_kind) for kind, of_kind in names.items()},
        known={name: known[name] for name in MAY_BE_UNKNOWN},
        states={name: count for name, count in states.most_common() if name != "None"},
        queues={name: count for name, count in queues.most_common() if name},
        machine=log.machine,
        report=log.report,
    )


def _check_span(path: "Path", first: float, last: float) -> None:
    """Raise an error if a date is so wrong that counting weeks would take too much memory."""
    if last - first > LONGEST_SPAN:
        raise LogError(
            path,
            f"its submissions span more than a century, from {first:.0f} to {last:.0f} s, so a "
            "date is wrong; leave jobs with wrong dates out, for example with "
            f"--clean 'submit>{first + LONGEST_SPAN:.0f}'",
        )


QUANTILES = {
    "min": 0.0,
    "10 %": 0.1,
    "25 %": 0.25,
    "median": 0.5,
    "75 %": 0.75,
    "90 %": 0.9,
    "99 %": 0.99,
    "max": 1.0,
}

RATIO_STEPS = tuple(step / 20 for step in range(25))
"""Values of R at which `WalltimeAccuracy.below` has a share: 0, 0.05, ... 1.2."""

AT_WALLTIME = (0.99, 1.01)
"""Range of R for jobs that probably ended at their walltime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalltimeAccuracy:
    """Run times compared with walltimes, for all jobs with a walltime; R is run time / walltime."""

    jobs: int
    """Number of jobs with a walltime."""
    below: tuple[float, ...]
    """Share of jobs whose R is at most the step, for each of `RATIO_STEPS`."""
    median: float
    """Median of R."""
    at_walltime: float
    """Share of the jobs with a walltime that have R from 0.99 to 1.01."""
    beyond: float
    """Share of the jobs with a walltime that have R above 1.01."""
    work_beyond: float
    """Share of all processor seconds that jobs used after their walltimes; a simulator that kills
    jobs at their walltimes omits this work.
    """
    walltimes: tuple[tuple[float, float], ...]
    """The most frequent walltimes in seconds with their shares of jobs, most frequent first."""
    distinct_walltimes: int
    """Number of different walltimes."""


def distribution(values: "NDArray[np.float64] | NDArray[np.int64]") -> Mapping[str, float] | None:
    """Return quantiles and mean of the known values of an array; ``None`` if none is known.

    Examples
    --------
    >>> figures = distribution(np.array([1.0, 3.0, np.nan]))
    >>> figures["min"], figures["mean"], figures["max"]
    (1.0, 2.0, 3.0)
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    figures = np.quantile(known, list(QUANTILES.values()), method="inverted_cdf")
    return {
        **dict(zip(QUANTILES, map(float, figures), strict=True)),
        "mean": float(known.mean()),
    }


def accuracy_of(columns: "Columns") -> WalltimeAccuracy | None:
    """Compare run times with walltimes; return ``None`` if no job has a walltime."""
    has_one = np.isfinite(columns.walltime)
    count = int(has_one.sum())
    if not count:
        return None
    ratio = np.sort(columns.ratio[has_one])
    excess = np.maximum(columns.run_time - np.nan_to_num(columns.walltime, nan=np.inf), 0.0)
    work = columns.run_time * columns.processors
    walltimes, numbers = np.unique(columns.walltime[has_one], return_counts=True)
    most = np.argsort(-numbers, kind="stable")[:5]
    low, high = np.searchsorted(ratio, AT_WALLTIME)
    return WalltimeAccuracy(
        jobs=count,
        below=tuple(float(n) / count for n in np.searchsorted(ratio, RATIO_STEPS, side="right")),
        median=float(ratio[(count - 1) // 2]),
        at_walltime=float(high - low) / count,
        beyond=float(count - high) / count,
        work_beyond=float((excess * columns.processors).sum() / (work.sum() or 1.0)),
        walltimes=tuple((float(walltimes[i]), float(numbers[i]) / count) for i in most),
        distinct_walltimes=len(walltimes),
    )
