"""Groups of jobs by size, length, user, queue and weekday, and measures of groups."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.log.named_jobs import NamedJobs
from pred_aware.log.workload import named_jobs_of
from pred_aware.metrics.figures import TAU
from pred_aware.metrics.of_jobs import OfJobs
from pred_aware.metrics.sample import Samples
from pred_aware.metrics.table import MEASURES, chosen
from pred_aware.report.durations import timespan

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults
    from pred_aware.report.clock import LogClock

BY = ("size", "length", "user", "queue", "weekday")
FROM_WORKLOAD = frozenset({"user", "queue", "weekday"})
"""Groupings that need the workload."""
SIZES = tuple(4**power for power in range(14))
"""Largest number of processors in each size class except the last."""
LENGTHS = (60.0, 600.0, 7200.0, 86400.0)
"""Longest run time in each class except the last, in seconds; 2 h and 24 h are from paper 003."""
LENGTH_NAMES = ("up to 1 min", "1 to 10 min", "10 min to 2 h", "2 to 24 h", "over 24 h")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DEFAULT = ("mean_waiting_time", "p95_waiting_time", "mean_bounded_slowdown")


@dataclass(frozen=True, slots=True)
class Groups:
    """The group of each job."""

    names: tuple[str, ...]
    """Names of the groups that have a job, in the order of the grouping."""
    codes: "NDArray[np.intp]"
    """Index of each job's group, shape (jobs,)."""


def groups_of(run: "JobResults", by: str, *, edges: Sequence[float] | None = None) -> Groups:
    """Group the jobs of a run, without warm-up jobs.

    Parameters
    ----------
    run
        The run whose jobs to group.
    by
        ``size`` (processors, in powers of four), ``length`` (run time), ``user`` and ``queue``
        (largest groups first) or ``weekday`` (of the submission, in the machine's time zone).
    edges
        The largest size (processors) or run time (seconds) of each class except the last,
        ascending; by default `SIZES` or `LENGTHS`.

    Raises
    ------
    PredAwareError
        The grouping does not exist, or needs a workload that is not available.
    """
    if by not in BY:
        raise PredAwareError(f"cannot group jobs by '{by}'; known: {', '.join(BY)}")
    if edges is not None:
        return _by_edges(run, by, list(edges))
    if by == "size":
        sizes = run.column("requested_number_of_resources")
        return _in_use(size_names(), np.searchsorted(SIZES, sizes))
    if by == "length":
        lengths = run.column("execution_time")
        return _in_use(LENGTH_NAMES, np.searchsorted(LENGTHS, lengths))
    if run.workload is None:
        raise PredAwareError(
            f"{run.name}: grouping jobs by {by} needs the simulated workload; give --workload "
            "FILE, or workload=... to read_run"
        )
    return _by_weekday(run) if by == "weekday" else _by_name(run, by)


def can_group(run: "JobResults", by: str) -> bool:
    """Return True if a run's jobs can be grouped in this way."""
    if by not in FROM_WORKLOAD:
        return True
    if by == "weekday":
        return run.workload is not None and _clock(run).knows_dates
    named = named_jobs(run, by)
    return named is not None and bool(named.known.any())


def named_jobs(run: "JobResults", field: str) -> NamedJobs | None:
    """Return the jobs' names in a field, such as `user`, for the jobs in `ran`.

    The result is ``None`` if the workload is not available, or no job has the field.
    """
    places = run.places_in_workload
    if run.workload is None or places is None:
        return None
    if (places < 0).any():
        names = run.detail(field)
        return None if names is None else NamedJobs.of(names)
    named = named_jobs_of(run.workload, field)
    return None if named is None else named.at(places)


@dataclass(frozen=True, slots=True)
class MeasuredGroups:
    """Measures of groups of a run's jobs. Each list has one value per group."""

    names: tuple[str, ...]
    jobs: list[int]
    """Number of jobs of each group."""
    columns: dict[str, list[float | None]]
    """By name: the group's share of the `work` (processor seconds), and the measures."""


def measures_by(
    run: "JobResults",
    by: str,
    names: Iterable[str] = DEFAULT,
    *,
    edges: Sequence[float] | None = None,
    baseline: "JobResults | None" = None,
    tau: float = TAU,
) -> "pd.DataFrame":
    """Measure groups of a run's jobs.

    Parameters
    ----------
    run, by, edges
        As in `groups_of`.
    names
        Names of measures that are computed from jobs.
    baseline, tau
        As in `pred_aware.metrics.measures`.

    Returns
    -------
    pandas.DataFrame
        A row for each group: the number of `jobs`, the jobs' share of the `work` (processor
        seconds), and the measures.

    Raises
    ------
    PredAwareError
        A measure does not exist or belongs to the whole machine, or as in `groups_of`.
    """
    import pandas as pd

    found = measured_groups(by, names, jobs=OfJobs(run, baseline=baseline, tau=tau), edges=edges)
    index = pd.Index(found.names, name=by, dtype="str")
    counts = pd.Series(found.jobs, index, dtype="int64")
    return pd.DataFrame({"jobs": counts, **{
        name: pd.Series(values, index, dtype="float64") for name, values in found.columns.items()
    }})  # fmt: skip


def measured_groups(
    by: str,
    names: Iterable[str] = DEFAULT,
    *,
    jobs: OfJobs,
    edges: Sequence[float] | None = None,
) -> MeasuredGroups:
    """Return the result of `measures_by` as lists; several groupings can share `jobs`."""
    wanted = chosen(names)
    for name in wanted:
        if MEASURES[name].quantity is None:
            raise PredAwareError(f"{name} measures the whole run, so it has no value by {by}")
    groups = groups_of(jobs.run, by, edges=edges)
    samples = Samples(groups.codes, len(groups.names))
    areas = jobs.values("area")
    total = float(areas.sum()) or 1.0
    columns: dict[str, list[float | None]] = {
        "work": [area / total for area in samples.sums(areas)]
    }
    for name in wanted:
        quantity, statistic = MEASURES[name].quantity, MEASURES[name].statistic
        assert quantity is not None
        assert statistic is not None
        columns[name] = samples.statistics(statistic, jobs.values(quantity), areas)
    return MeasuredGroups(groups.names, samples.sizes.tolist(), columns)


def size_names() -> list[str]:
    """Return the names of the size classes. Each class ends at a power of four.

    Examples
    --------
    >>> size_names()[:4]
    ['1', '2-4', '5-16', '17-64']
    """
    lower = [1, *(most + 1 for most in SIZES)]
    ranges = [f"{least}-{most}" for least, most in zip(lower[1:], SIZES[1:], strict=False)]
    return ["1", *ranges, f"over {SIZES[-1]}"]


def class_names(by: str, edges: Sequence[float]) -> list[str]:
    """Return the names of classes of size or length, from the largest value of each class.

    Examples
    --------
    >>> class_names("size", [1, 64]), class_names("length", [600.0])
    (['1', '2-64', 'over 64'], ['up to 10 min', 'over 10 min'])
    """
    if by == "size":
        lower = (1, *(int(edge) + 1 for edge in edges))
        names = [
            f"{least}-{int(most)}" if least < most else f"{least}"
            for least, most in zip(lower, edges, strict=False)
        ]
        return [*names, f"over {int(edges[-1])}"]
    texts = [timespan(edge) for edge in edges]
    between = (f"{least} to {most}" for least, most in pairwise(texts))
    return [f"up to {texts[0]}", *between, f"over {texts[-1]}"]


def names_in_order(by: str, edges: Sequence[float] | None = None) -> list[str]:
    """Return all names of groups in their natural order; an empty list without such an order.

    Examples
    --------
    >>> names_in_order("weekday")[:2], names_in_order("length", [60.0]), names_in_order("user")
    (['Monday', 'Tuesday'], ['up to 1 min', 'over 1 min'], [])
    """
    if edges is not None:
        return class_names(by, edges)
    return {"size": size_names(), "length": [*LENGTH_NAMES], "weekday": [*WEEKDAYS]}.get(by, [])


def _by_edges(run: "JobResults", by: str, edges: list[float]) -> Groups:
    """Group jobs by size or length in user-defined classes."""
    columns = {"size": "requested_number_of_resources", "length": "execution_time"}
    if by not in columns:
        raise PredAwareError(f"edges can be given only for size and length, not for {by}")
    if not edges or edges[0] < 1 or any(b <= a for a, b in pairwise(edges)):
        raise PredAwareError(f"edges are {edges!r}; they must be positive and ascending")
    return _in_use(class_names(by, edges), np.searchsorted(edges, run.column(columns[by])))


def _in_use(names: "Iterable[str]", codes: "NDArray[np.intp]") -> Groups:
    """Remove groups without jobs."""
    used, packed = np.unique(codes, return_inverse=True)
    every = list(names)
    return Groups(tuple(every[code] for code in used.tolist()), packed)


def _by_name(run: "JobResults", field: str) -> Groups:
    named = named_jobs(run, field)
    if named is None or not named.known.any():
        assert run.workload is not None
        raise PredAwareError(f"no job of {run.workload.name} has a {field}")
    counts = np.bincount(named.codes, minlength=len(named.names)).tolist()
    used = [code for code, count in enumerate(counts) if count]
    order = sorted(used, key=lambda code: (-counts[code], named.names[code]))
    rank = np.zeros(len(counts), np.intp)
    rank[order] = np.arange(len(order))
    return Groups(tuple(named.names[code] for code in order), rank[named.codes])


def _by_weekday(run: "JobResults") -> Groups:
    clock = _clock(run)
    if not clock.knows_dates:
        assert run.workload is not None
        raise PredAwareError(
            f"{run.workload.name} does not state the date of its time 0 (start_time), "
            "so the weekdays of submissions are unknown"
        )
    hours = clock.hours_of_week(run.column("submission_time"))
    return _in_use(WEEKDAYS, hours // 24)


def _clock(run: "JobResults") -> "LogClock":
    from pred_aware.report.clock import make_clock, plausible_start

    assert run.workload is not None
    submissions = run.column("submission_time")
    first, last = (submissions.min(), submissions.max()) if len(submissions) else (0.0, 0.0)
    start, zone = run.workload.dates
    return make_clock(plausible_start(start, first, last), zone)
