"""Measure how similar a twin and its original are, and what the twin could reveal."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from workload_tools.job import Job

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from workload_tools.changes.twin.twin_log import TwinPair


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """The distance between the distributions of one column in the original and in the twin.

    If a log has fewer than two values, all fields except the name are ``None``.
    """

    name: str
    """Name of the column, such as ``run_time``."""
    kolmogorov_smirnov: float | None = None
    """Largest difference between the two cumulative distributions, from 0 to 1."""
    typical_factor: float | None = None
    """The typical factor between the values of both logs, at least 1.

    The sorted values of both logs are compared. The result is 10 to the power of the Wasserstein
    distance between the decimal logarithms of the values. For times, the logarithms are of 1 +
    seconds.
    """
    original_mean: float | None = None
    twin_mean: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Spearman's rank correlation of two columns, in both logs."""

    name: str
    """Names of the two columns."""
    original: float | None
    twin: float | None
    """Correlations from -1 to 1; ``None`` if a column has fewer than two different values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """How similar a twin and its original are."""

    distances: tuple[Distance, ...]
    """Distances of sizes, run times, walltimes, run time / walltime, and interarrival times."""
    correlations: tuple[Correlation, ...]
    """Correlations of the run time with size, walltime, and the user's previous run time."""
    work: float
    """Processor-seconds of the twin divided by the processor-seconds of the original."""
    span: float
    """The twin's time from first to last submission, divided by the original's."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)


def closeness(pairs: "Sequence[TwinPair]") -> Closeness:
    """Compare a twin with its original.

    Parameters
    ----------
    pairs
        The pairs of a `TwinLog`; at least two.
    """
    twins = [pair.twin for pair in pairs]
    originals = sorted((pair.original for pair in pairs), key=lambda job: job.submit_time)
    columns: dict[str, Callable[[Sequence[Job]], NDArray[np.float64]]] = {
        "processors": lambda jobs: _column(jobs, "processors"),
        "run_time": lambda jobs: _column(jobs, "run_time"),
        "walltime": lambda jobs: _column(jobs, "walltime"),
        "ratio": lambda jobs: _column(jobs, "run_time") / _column(jobs, "walltime"),
        "interarrival_time": lambda jobs: np.diff(_column(jobs, "submit_time")),
    }
    related: dict[str, Callable[[Sequence[Job]], tuple[Any, Any]]] = {
        "processors and run_time": lambda jobs: (
            _column(jobs, "processors"),
            _column(jobs, "run_time"),
        ),
        "walltime and run_time": lambda jobs: (
            _column(jobs, "walltime"),
            _column(jobs, "run_time"),
        ),
        "run_time and the user's one before": _with_one_before,
    }
    return Closeness(
        distances=tuple(
            _distance(name, column(originals), column(twins)) for name, column in columns.items()
        ),
        correlations=tuple(
            Correlation(name=name, original=_spearman(*of(originals)), twin=_spearman(*of(twins)))
            for name, of in related.items()
        ),
        work=_work(twins) / _work(originals),
        span=_span(twins) / max(_span(originals), 1.0),
    )


def _column(jobs: Sequence[Job], field: str) -> "NDArray[np.float64]":
    values = (getattr(job, field) for job in jobs)
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _distance(name: str, original: "NDArray[np.float64]", twin: "NDArray[np.float64]") -> Distance:
    from scipy.stats import ks_2samp, wasserstein_distance

    original, twin = original[np.isfinite(original)], twin[np.isfinite(twin)]
    if min(len(original), len(twin)) < 2:  # noqa: PLR2004 - one number is no distribution
        return Distance(name=name)
    # times can be 0, which has no logarithm; ratios and sizes are above 0
    offset = 1.0 if name.endswith("_time") else 0.0
    logarithms = np.log10(original + offset), np.log10(twin + offset)
    return Distance(
        name=name,
        kolmogorov_smirnov=float(ks_2samp(original, twin, method="asymp").statistic),
        typical_factor=float(10 ** wasserstein_distance(*logarithms)),
        original_mean=float(original.mean()),
        twin_mean=float(twin.mean()),
    )


def _with_one_before(
    jobs: Sequence[Job],
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    """Return run times, and the run times of the same users' previous jobs."""
    last: dict[str | None, float] = {}
    rows = []
    for job in jobs:
        if job.user in last:
            rows.append((last[job.user], job.run_time))
        last[job.user] = job.run_time
    before, after = np.array(rows, dtype=float).reshape(-1, 2).T
    return before, after


def _spearman(first: "NDArray[np.float64]", second: "NDArray[np.float64]") -> float | None:
    from scipy.stats import spearmanr

    known = np.isfinite(first) & np.isfinite(second)
    first, second = first[known], second[known]
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:  # noqa: PLR2004 - all the same
        return None
    return float(spearmanr(first, second).statistic)


def _work(jobs: Sequence[Job]) -> float:
    return sum(job.run_time * job.processors for job in jobs)


def _span(jobs: Sequence[Job]) -> float:
    return jobs[-1].submit_time - jobs[0].submit_time


LINK_TIME = 3600.0
"""An attacker is assumed to know dates with an error of at most this many seconds."""
LINK_RUN_TIME = 0.1
"""An attacker is assumed to know run times with at most this relative error."""

SHORTEST = 1e-3
"""Run times below this number of seconds are treated as equal."""

Kind = tuple[int, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What an attacker who knows a part of the original could find in the twin.

    All shares are between 0 and 1.
    """

    jobs: int
    users: int
    """Numbers of jobs and users in the original."""
    copied: float
    """Share of the twin's jobs with the size, walltime and run time of exactly one original job."""
    same_second: float
    """Share of the twin's jobs whose user also submitted in the same second of the original."""
    in_place: float
    """Share of the twin's jobs that stayed in their session of the original."""
    found: float
    """Share of the original's jobs for which an attacker finds a match in the twin.

    A match has the same size and walltime, a run time within 10 %, and a submission within an hour.
    """
    found_right: float
    """Share of the original's jobs with exactly one match, which comes from that same job."""
    known_by_count: int
    """Number of users whose number of jobs is unique, and the same in both logs.

    An attacker who knows the number of jobs of such a user can identify this user.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)


def disclosure(pairs: "Sequence[TwinPair]") -> Disclosure:
    """Measure what a twin could still reveal.

    Dates are compared as if the attacker knew the shift between the dates of both logs, because the
    twin's daily cycle may reveal this shift.

    Parameters
    ----------
    pairs
        The pairs of a `TwinLog`; at least one.
    """
    count = len(pairs)
    combinations = Counter(_combination(pair.original) for pair in pairs)
    seconds = {(pair.original.user, pair.original.submit_time) for pair in pairs}
    same_second = sum((pair.submitter, pair.twin.submit_time) in seconds for pair in pairs)
    found, right = _links(pairs)
    return Disclosure(
        jobs=count,
        users=len({pair.original.user for pair in pairs}),
        copied=sum(combinations[_combination(pair.twin)] == 1 for pair in pairs) / count,
        same_second=same_second / count,
        in_place=sum(not pair.moved for pair in pairs) / count,
        found=found / count,
        found_right=right / count,
        known_by_count=_known_by_count(pairs),
    )


def _combination(job: "Job") -> tuple[int, float | None, float]:
    return job.processors, job.walltime, job.run_time


def _links(pairs: "Sequence[TwinPair]") -> tuple[int, int]:
    """Count the original's jobs that have a match, and those whose only match is the right one."""
    # pairs are sorted by the twin's submission times, so these lists are sorted too
    shelves: dict[tuple[Kind, int], list[TwinPair]] = {}
    for pair in pairs:
        shelves.setdefault((_kind(pair.twin), _shelf(pair.twin.run_time)), []).append(pair)
    dates = {key: [pair.twin.submit_time for pair in alike] for key, alike in shelves.items()}
    found = right = 0
    for pair in pairs:
        # two candidates are enough to decide, so many similar jobs do not slow this down
        candidates = list(islice(_candidates(pair.original, shelves, dates), 2))
        found += bool(candidates)
        right += len(candidates) == 1 and candidates[0] is pair
    return found, right


def _candidates(
    job: "Job",
    shelves: "Mapping[tuple[Kind, int], Sequence[TwinPair]]",
    dates: "Mapping[tuple[Kind, int], Sequence[float]]",
) -> "Iterator[TwinPair]":
    """Yield the pairs whose twin job matches a job of the original."""
    same = _shelf(job.run_time)
    margin = LINK_RUN_TIME * job.run_time
    for shelf in (same, same - 1, same + 1, same - 2):
        key = _kind(job), shelf
        if key not in shelves:
            continue
        begin = bisect_left(dates[key], job.submit_time - LINK_TIME)
        end = bisect_right(dates[key], job.submit_time + LINK_TIME)
        for place in range(begin, end):
            other = shelves[key][place]
            if abs(other.twin.run_time - job.run_time) <= margin:
                yield other


def _kind(job: "Job") -> Kind:
    return job.processors, job.walltime


def _shelf(run_time: float) -> int:
    """Return the logarithm of a run time to the base 1.1, rounded down.

    If a second run time differs by at most 10 %, its result is at most 2 lower or 1 higher.
    """
    return math.floor(math.log(max(run_time, SHORTEST), 1.0 + LINK_RUN_TIME))


def _known_by_count(pairs: "Sequence[TwinPair]") -> int:
    """Count the users whose number of jobs is unique, and the same in both logs."""
    before = Counter(pair.original.user for pair in pairs)
    after = Counter(pair.submitter for pair in pairs)
    holders = Counter(before.values())
    return sum(holders[count] == 1 and after[user] == count for user, count in before.items())
