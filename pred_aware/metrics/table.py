"""The table of measures: names, units, equations, and what each measure does not show.

docs/reference/metrics.md shows the table. In the equations a job is submitted at s, starts at b and
ends at e, occupies p processors and has the walltime W. w = b - s is its wait and r = e - b its run
time. The machine has P processors and the run ends at the makespan M.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from pred_aware.errors import PredAwareError

Better = Literal["smaller", "larger"]
SECONDS, SHARE, TIMES = "s", "share", "times"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that each job has."""

    name: str
    label: str
    """`name` is a part of the names of measures; `label` is the name in tables."""
    unit: str
    """`SECONDS`, `SHARE` (0 to 1) or `TIMES` (no unit)."""
    definition: str
    """The equation; the module's docstring explains the symbols."""
    source: str
    """Origin of the definition; empty for common definitions."""
    hides: str
    """What the quantity does not show."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of a quantity, with the fields of `Quantity`.

    ``{}`` in the label stands for the quantity.
    """

    name: str
    label: str
    definition: str
    source: str
    hides: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number by which runs are judged."""

    name: str
    label: str
    """`name` is used in ``--json``; `label` is the name in tables."""
    unit: str
    """``s``, ``share`` (0 to 1) or ``times`` (no unit)."""
    better: Better
    """Whether smaller or larger values are better."""
    definition: str
    source: str
    hides: str
    """The equation, its origin, and what the measure does not show."""
    quantity: str | None = None
    statistic: str | None = None
    """The quantity and the statistic of a measure that can be computed for groups of jobs.

    ``None`` for a measure that is only defined for a whole run.
    """
    needs_baseline: bool = False
    """True if the measure compares a run with a baseline."""


QUANTITIES = (
    Quantity(
        "waiting_time",
        "waiting time",
        SECONDS,
        "w = b - s",
        "papers 000 (section 5.3), 001 and 004",
        "the job's length: an hour of waiting counts the same for a one-minute and a one-day job",
    ),
    Quantity(
        "turnaround_time",
        "turnaround time",
        SECONDS,
        "w + r = e - s",
        "paper 001",
        "the scheduler's influence: long jobs dominate, and no scheduler can shorten them",
    ),
    Quantity(
        "slowdown",
        "slowdown",
        TIMES,
        "(w + r) / r; undefined for jobs of r = 0",
        "papers 001 and 004; Batsim calls this quantity `stretch`",
        "the waits of all but the shortest jobs: a 1 s job that waits an hour has slowdown 3,601",
    ),
    Quantity(
        "bounded_slowdown",
        "bounded slowdown",
        TIMES,
        "max(1, (w + r) / max(r, tau)), where tau is 10 s by default",
        "paper 000, equation 2 (tau 10 s); paper 003 uses tau 10 min",
        "the size of jobs: a job on all processors counts as much as a job on one processor",
    ),
    Quantity(
        "per_processor_bounded_slowdown",
        "bounded slowdown per processor",
        TIMES,
        "max(1, (w + r) / (p max(r, tau))), where tau is 10 s by default",
        "Zotkin and Keleher 1999",
        "waits of large jobs: a job on 100 processors has 1 even if it waits 99 times its run time",
    ),
    Quantity(
        "unitless_wait",
        "unitless wait",
        TIMES,
        "w / W; undefined for jobs without a walltime",
        "paper 004 (uwait)",
        "the true run times: a job that requests too much seems to wait little",
    ),
)
"""Quantities of each job, in the order of the tables."""

STATISTICS = (
    Statistic("mean", "mean {}", "sum(x) / n", "papers 000, 001 and 004",
              "the spread of the values: a few very long ones weigh as much as many short ones"),
    Statistic("median", "median {}", "the 50th percentile", "",
              "the worse half of the jobs; a median wait is 0 s if most jobs start immediately"),
    Statistic("p95", "95th percentile of {}",
              "linear interpolation between the two values next to rank 0.95 (n - 1)", "",
              "the worst 5 % of the jobs"),
    Statistic("p99", "99th percentile of {}",
              "linear interpolation between the two values next to rank 0.99 (n - 1)", "",
              "the worst 1 % of the jobs"),
    Statistic("p999", "99.9th percentile of {}",
              "linear interpolation between the two values next to rank 0.999 (n - 1)", "",
              "the worst 0.1 % of the jobs; with fewer than 1,000 jobs the percentile is close to "
              "the maximum"),
    Statistic("max", "max {}", "the largest value", "paper 001",
              "all jobs but one; the maximum changes randomly from run to run"),
    Statistic("mean_below_p99", "mean {} below its 99th percentile",
              "mean of the max(1, floor(0.99 n)) smallest values", "paper 004, section III",
              "the 1 % of the jobs left out, which may wait longer so that others wait less"),
    Statistic("area_weighted", "{} weighted by processor time",
              "sum(p r x) / sum(p r): the mean over processor seconds",
              "Schwiegelshohn and Yahyapour 2000 (their weight is p r)",
              "small and short jobs: most jobs are small and short, and have little weight"),
)  # fmt: skip
"""Statistics of the n values x of a quantity, in the order of the tables."""


def _statistics() -> Iterable[Measure]:
    for quantity in QUANTITIES:
        for statistic in STATISTICS:
            yield Measure(
                name=f"{statistic.name}_{quantity.name}",
                label=statistic.label.format(quantity.label),
                unit=quantity.unit,
                better="smaller",
                definition=f"{statistic.definition}; x = {quantity.definition}",
                source=quantity.source,
                hides=quantity.hides,
                quantity=quantity.name,
                statistic=statistic.name,
            )


_OF_MACHINE = (
    Measure("makespan", "makespan", SECONDS, "smaller",
            "M = max(e), from date 0", "paper 001",
            "all jobs but the last: with a log's submissions, the makespan is mostly the log's "
            "length"),
    Measure("scheduling_time", "scheduling time", SECONDS, "smaller",
            "real time spent in the scheduler, from the schedule file", "paper 001",
            "the computer's speed: scheduling time is real time, so it differs in each run"),
    Measure("utilisation", "utilisation", SHARE, "larger",
            "sum(p r) / (P M)", "",
            "the users: with a log's submissions the work is fixed, so all schedulers have "
            "nearly the same utilisation"),
    Measure("utilisation_deviation", "deviation of the utilisation", SHARE, "smaller",
            "sqrt(integral over 0 to M of (u(t) - U)^2 / M), the standard deviation over time of "
            "u(t) = sum(p of the jobs that run at t) / P, where U is the utilisation",
            "after Boëzennec, Dufossé and Pallez 2023",
            "nights, weekends, and the start and end of the log, which no scheduler changes"),
    Measure("lost_capacity", "lost capacity", SHARE, "smaller",
            "integral over 0 to M of f(t) [min of p over the jobs waiting at t <= f(t)] / (P M), "
            "where f(t) processors are free at t: the share of the machine that was free although "
            "a waiting job would fit. A job waits from s up to b",
            "after Tang et al. 2011 (loss of capacity)",
            "whether starting that job would have delayed a reservation. The measure counts all "
            "free processors, even if the jobs that fit request only one"),
)  # fmt: skip
SIZE_SHARES = (0.01, 0.05, 0.25)
"""Size of the largest job in each size class except the last, as a share of the machine."""
SIZE_CLASSES = MappingProxyType({
    "waiting_time_up_to_1_percent": ("up to 1 %", "p <= P / 100 or p = 1"),
    "waiting_time_1_to_5_percent": ("1 to 5 %", "p <= P / 20 that are in no smaller class"),
    "waiting_time_5_to_25_percent": ("5 to 25 %", "p <= P / 4 that are in no smaller class"),
    "waiting_time_over_25_percent": ("over 25 %", "p > P / 4 that are in no smaller class"),
})  # fmt: skip
"""By quantity in `OfJobs`: the size class in words, and the condition for its jobs."""


def size_edges(processors: int) -> list[int]:
    """Return the maximum processors of each size class but the last. Some numbers may be equal.

    Examples
    --------
    >>> size_edges(256), size_edges(8)
    ([2, 12, 64], [1, 1, 2])
    """
    return [max(1, int(share * processors)) for share in SIZE_SHARES]


_BY_SIZE = tuple(
    Measure(f"mean_{name}", f"mean wait, {share} of the machine", SECONDS, "smaller",
            f"mean of w over the jobs with {jobs}", "",
            "the number of jobs in the class: the mean of a few jobs may be chance", name, "mean")
    for name, (share, jobs) in SIZE_CLASSES.items()
)  # fmt: skip
OF_SIZES = tuple(one.name for one in _BY_SIZE)
"""The mean waits by size class, from small to large."""
_OF_FAIRNESS = (
    Measure("overtaken_jobs", "jobs overtaken", SHARE, "smaller",
            "share of jobs for which another job has s' > s and b' < b", "",
            "whether the other job made the job wait: a backfilled job that delays no job also "
            "counts",
            "overtaken", "mean"),
    Measure("mean_work_that_overtook", "mean work that overtook a job", SECONDS, "smaller",
            "mean of sum(p' r') / P over the jobs with s' > s and b' < b: how long the whole "
            "machine works on jobs that came later and started earlier", "",
            "whether that work made the jobs wait; only first come, first served has 0",
            "work_that_overtook", "mean"),
    Measure("max_work_that_overtook", "max work that overtook a job", SECONDS, "smaller",
            "largest sum(p' r') / P over the jobs with s' > s and b' < b", "", "all jobs but one",
            "work_that_overtook", "max"),
    Measure("later_than_baseline", "jobs later than under the baseline", SHARE, "smaller",
            "share of jobs with b - b(baseline) > 0.01 s, of the jobs that ran in both runs",
            "after paper 001",
            "how much later the jobs start. Any other order delays some job",
            "later_than_baseline", "share", needs_baseline=True),
    Measure("mean_later_than_baseline", "mean delay of the later jobs", SECONDS, "smaller",
            "mean of b - b(baseline) over the later jobs", "", "how many jobs are later",
            "later_than_baseline", "mean_of_positive", needs_baseline=True),
    Measure("max_later_than_baseline", "max delay against the baseline", SECONDS, "smaller",
            "largest b - b(baseline), or 0 if no job is later", "", "all jobs but one",
            "later_than_baseline", "max", needs_baseline=True),
    Measure("earlier_than_baseline", "jobs earlier than under the baseline", SHARE, "larger",
            "share of jobs that start over 0.01 s earlier, of the jobs that ran in both runs", "",
            "how much earlier the jobs start, and which jobs start later instead",
            "earlier_than_baseline", "share", needs_baseline=True),
    Measure("mean_earlier_than_baseline", "mean gain of the earlier jobs", SECONDS, "larger",
            "mean of b(baseline) - b over the earlier jobs", "", "how many jobs are earlier",
            "earlier_than_baseline", "mean_of_positive", needs_baseline=True),
    Measure("gini_of_users", "Gini of users' bounded slowdown", TIMES, "smaller",
            "sum((2 i - n - 1) x_i) / (n sum(x_i)), where x_1 <= ... <= x_n are the n users' mean "
            "bounded slowdowns: 0 if all x_i are equal, near 1 if one x_i is most of the sum",
            "Gini 1912", "how bad the service is: equally bad service for all users gives 0. A "
            "user with one job counts as much as a user with thousands of jobs"),
    Measure("started_as_head", "jobs started from the queue's head", SHARE, "larger",
            "share of jobs that were first in the queue when they started", "paper 004, figure 5c",
            "how long the jobs waited before they were first",
            "started_as_head", "mean"),
    Measure("started_as_queue", "jobs started past the queue's head", SHARE, "smaller",
            "share of jobs that overtook other jobs on processors that a reservation did not need",
            "paper 004, figure 5c",
            "whether the job delayed the jobs that it overtook",
            "started_as_queue", "mean"),
    Measure("started_as_backfilled", "jobs backfilled", SHARE, "smaller",
            "share of jobs that overtook other jobs because their estimated end was not after the "
            "start of a reservation",
            "paper 004, table III",
            "whether fewer backfilled jobs are better: backfilled jobs fill gaps of the schedule, "
            "but a better schedule may have fewer gaps",
            "started_as_backfilled", "mean"),
    Measure("promises_kept", "planned starts kept", SHARE, "larger",
            "share of jobs with b - planned <= 0.01 s, of the jobs with a reservation; planned is "
            "the first planned start of a job", "",
            "how many jobs had a reservation. Compare only schedulers with similar numbers of "
            "reservations: EASY reserves only for the first job in the queue. A job that starts "
            "before its planned start counts as kept",
            "later_than_promised", "kept"),
    Measure("mean_later_than_promised", "mean delay of planned starts not kept", SECONDS, "smaller",
            "mean of b - planned over the jobs with b - planned > 0.01 s", "",
            "how many planned starts were not kept",
            "later_than_promised", "mean_of_positive"),
    Measure("max_later_than_promised", "max delay against the planned start", SECONDS, "smaller",
            "largest b - planned, or 0 if all planned starts were kept", "", "all jobs but one",
            "later_than_promised", "max"),
    Measure("started_without_trust", "jobs started while estimates were ignored", SHARE, "smaller",
            "share of jobs that started while the scheduler ignored estimates, because the "
            "estimates did not separate short from long jobs (`-O min_concordance`)", "",
            "whether the ignored estimates would have done harm"),
)  # fmt: skip

MEASURES: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for measure in (*_OF_MACHINE, *_statistics(), *_BY_SIZE, *_OF_FAIRNESS)}
)
"""Every measure by name, in the order of the tables."""


RENAMED: Mapping[str, str] = MappingProxyType(
    {name.removesuffix("line"): name for name in MEASURES if name.endswith("_baseline")}
)
"""New names of measures, by the old names."""


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of measures without duplicates, in the given order.

    Raises
    ------
    PredAwareError
        A measure does not exist. The message lists similar names.

    Examples
    --------
    >>> chosen(["p99_waiting_time", "lost_capacity", "p99_waiting_time"])
    ('p99_waiting_time', 'lost_capacity')
    >>> chosen(["lost_capacties"])
    Traceback (most recent call last):
        ...
    pred_aware.errors.PredAwareError: there is no measure 'lost_capacties'; did you mean \
lost_capacity? docs/reference/metrics.md lists all measures
    """
    found = tuple(dict.fromkeys(names))
    for name in found:
        if name in RENAMED:
            raise PredAwareError(f"there is no measure '{name}'; it is now {RENAMED[name]}")
        if name not in MEASURES:
            close = difflib.get_close_matches(name, MEASURES, n=3)
            meant = " or ".join(", ".join(close).rsplit(", ", 1))
            hint = f"; did you mean {meant}?" if close else ";"
            raise PredAwareError(
                f"there is no measure '{name}'{hint} docs/reference/metrics.md lists all measures"
            )
    return found
