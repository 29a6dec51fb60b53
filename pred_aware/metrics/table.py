"""The table of measures: names, units, equations, and what each does not show.

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
    """What is measured of each job."""

    name: str
    label: str
    """Name in the names of measures, and name for people."""
    unit: str
    """`SECONDS`, `SHARE` (0 to 1) or `TIMES` (no unit)."""
    definition: str
    """The equation."""
    source: str
    """Origin of the definition."""
    hides: str
    """What it does not show."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """The fields are those of `Quantity`; ``{}`` in the label stands for the quantity."""

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
    """Name in ``--json``, and name for people."""
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
    """Quantity and statistic, for measures of jobs, which groups of jobs have too.

    ``None`` for a measure that only a whole run has.
    """
    needs_baseline: bool = False
    """True if it compares a run with a baseline."""


QUANTITIES = (
    Quantity(
        "waiting_time",
        "waiting time",
        SECONDS,
        "w = b - s",
        "papers 000 (section 5.3), 001 and 004",
        "the job's length: an hour before a one-minute job and before a one-day job are equal",
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
        "(w + r) / r; jobs of r = 0 have none",
        "papers 001 and 004; Batsim's column `stretch`",
        "all but the shortest jobs: a job of 1 s that waits an hour counts 3,601",
    ),
    Quantity(
        "bounded_slowdown",
        "bounded slowdown",
        TIMES,
        "max(1, (w + r) / max(r, tau)), tau is 10 s by default",
        "paper 000, equation 2 (tau 10 s); paper 003 has tau 10 min",
        "large jobs: a job on all processors counts as much as a job on one",
    ),
    Quantity(
        "per_processor_bounded_slowdown",
        "bounded slowdown per processor",
        TIMES,
        "max(1, (w + r) / (p max(r, tau))), tau as above",
        "Zotkin and Keleher 1999",
        "waits of large jobs: a job on 100 processors may wait 99 times its length and count 1",
    ),
    Quantity(
        "unitless_wait",
        "unitless wait",
        TIMES,
        "w / W; jobs without a walltime have none",
        "paper 004 (uwait)",
        "the true run times: a job that requests too much seems to wait little",
    ),
)
"""Quantities of each job, in the order of the tables."""

STATISTICS = (
    Statistic("mean", "mean {}", "sum(x) / n", "papers 000, 001 and 004",
              "the distribution: a few very long values weigh as much as many short ones"),
    Statistic("median", "median {}", "the 50th percentile", "",
              "the worse half; it is often 0 s if most jobs start immediately"),
    Statistic("p95", "95th percentile of {}",
              "between the two values next to 0.95 (n - 1), linearly", "",
              "the worst 5 % of the jobs"),
    Statistic("p99", "99th percentile of {}", "the same with 0.99", "",
              "the worst 1 % of the jobs"),
    Statistic("p999", "99.9th percentile of {}", "the same with 0.999", "",
              "the worst 0.1 %; of fewer than 1,000 jobs it is close to the maximum"),
    Statistic("max", "max {}", "the largest", "paper 001",
              "all jobs but one; it changes randomly from run to run"),
    Statistic("mean_below_p99", "mean {} below its 99th percentile",
              "mean of the floor(0.99 n) smallest, at least one", "paper 004, section III",
              "that the 1 % left out pay for the gain of the others"),
    Statistic("area_weighted", "{} weighted by processor time",
              "sum(p r x) / sum(p r): the mean of a processor second",
              "Schwiegelshohn and Yahyapour 2000 (their weight is p r)",
              "small and short jobs, most of the users' jobs, which have hardly any area"),
)  # fmt: skip
"""Statistics of a quantity, in the order of the tables; n values x."""


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
            "all but the last job: with a log's submissions it is mostly the log's length"),
    Measure("scheduling_time", "scheduling time", SECONDS, "smaller",
            "real time spent in the scheduler, from the schedule file", "paper 001",
            "the computer that measured it; it is not simulated time, and differs each time"),
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
            "whether starting that job would have delayed a reservation; it counts all free "
            "processors, even if the jobs that fit request one"),
)  # fmt: skip
SIZE_SHARES = (0.01, 0.05, 0.25)
"""Largest job in each size class except the last, as a share of the machine."""
SIZE_CLASSES = MappingProxyType({
    "waiting_time_up_to_1_percent": ("up to 1 %", "p <= P / 100 or p = 1"),
    "waiting_time_1_to_5_percent": ("1 to 5 %", "p <= P / 20 that are in no smaller class"),
    "waiting_time_5_to_25_percent": ("5 to 25 %", "p <= P / 4 that are in no smaller class"),
    "waiting_time_over_25_percent": ("over 25 %", "all larger p"),
})  # fmt: skip
"""By name of the class's waits in `OfJobs`: the class in words, and its jobs."""


def size_edges(processors: int) -> list[int]:
    """Return the most processors of each size class but the last; some may be the same.

    Examples
    --------
    >>> size_edges(256), size_edges(8)
    ([2, 12, 64], [1, 1, 2])
    """
    return [max(1, int(share * processors)) for share in SIZE_SHARES]


_BY_SIZE = tuple(
    Measure(f"mean_{name}", f"mean wait, {share} of the machine", SECONDS, "smaller",
            f"mean of w over the jobs with {jobs}", "",
            "how few jobs that may be: their mean may be chance", name, "mean")
    for name, (share, jobs) in SIZE_CLASSES.items()
)  # fmt: skip
OF_SIZES = tuple(one.name for one in _BY_SIZE)
"""The mean waits by size class, from small to large."""
_OF_FAIRNESS = (
    Measure("overtaken_jobs", "jobs overtaken", SHARE, "smaller",
            "share of jobs for which there is one with s' > s and b' < b", "",
            "whether it made them wait: a backfilled job that delays no other counts too",
            "overtaken", "mean"),
    Measure("mean_work_that_overtook", "mean work that overtook a job", SECONDS, "smaller",
            "mean of sum(p' r') / P over the jobs with s' > s and b' < b: how long the whole "
            "machine works on jobs that came later and started earlier", "",
            "whether it made them wait, as above; only first come, first served has 0",
            "work_that_overtook", "mean"),
    Measure("max_work_that_overtook", "max work that overtook a job", SECONDS, "smaller",
            "the largest of the same", "", "all jobs but one", "work_that_overtook", "max"),
    Measure("later_than_baseline", "jobs later than under the baseline", SHARE, "smaller",
            "share of jobs with b - b(baseline) > 0.01 s, of those that ran in both",
            "after paper 001",
            "by how much, and that some job is later under any other order",
            "later_than_baseline", "share", needs_baseline=True),
    Measure("mean_later_than_baseline", "mean delay of the later ones", SECONDS, "smaller",
            "mean of b - b(baseline) over these", "", "how many jobs these are",
            "later_than_baseline", "mean_of_positive", needs_baseline=True),
    Measure("max_later_than_baseline", "max delay against the baseline", SECONDS, "smaller",
            "the largest of the same, 0 if no job is later", "", "all jobs but one",
            "later_than_baseline", "max", needs_baseline=True),
    Measure("earlier_than_baseline", "jobs earlier than under the baseline", SHARE, "larger",
            "share of jobs with b(baseline) - b > 0.01 s, of those that ran in both", "",
            "by how much, and which jobs pay for it",
            "earlier_than_baseline", "share", needs_baseline=True),
    Measure("mean_earlier_than_baseline", "mean gain of the earlier ones", SECONDS, "larger",
            "mean of b(baseline) - b over these", "", "how many jobs these are",
            "earlier_than_baseline", "mean_of_positive", needs_baseline=True),
    Measure("gini_of_users", "Gini of users' bounded slowdown", TIMES, "smaller",
            "sum((2 i - n - 1) x_i) / (n sum(x_i)), x_1 <= ... <= x_n the mean bounded slowdown of "
            "each of n users: 0 if all are equal, near 1 if one user has it all",
            "Gini 1912", "the level: all users served equally badly have 0; a user of one job "
            "counts as much as one of thousands"),
    Measure("started_as_head", "jobs started from the head", SHARE, "larger",
            "share of jobs that were first in the queue when they started", "paper 004, figure 5c",
            "how long they were not first",
            "started_as_head", "mean"),
    Measure("started_as_queue", "jobs started past the head", SHARE, "smaller",
            "share of jobs that passed others and took no more than what a reservation left over",
            "paper 004, figure 5c",
            "whether it delayed the jobs that were passed",
            "started_as_queue", "mean"),
    Measure("started_as_backfilled", "jobs backfilled", SHARE, "smaller",
            "share of jobs that passed others because they were estimated to end by a reservation",
            "paper 004, table III",
            "whether fewer are better: more backfilled jobs fill more holes, but there may be "
            "fewer holes to fill",
            "started_as_backfilled", "mean"),
    Measure("promises_kept", "planned starts kept", SHARE, "larger",
            "share of jobs with b - planned <= 0.01 s, of those for which a reservation planned a "
            "start; the first planned start counts", "",
            "how many had a planned start: EASY plans only its head, and early starts count "
            "as kept",
            "later_than_promised", "kept"),
    Measure("mean_later_than_promised", "mean delay of planned starts not kept", SECONDS, "smaller",
            "mean of b - planned over those not kept", "", "how many jobs these are",
            "later_than_promised", "mean_of_positive"),
    Measure("max_later_than_promised", "max delay against the planned start", SECONDS, "smaller",
            "the largest of the same, 0 if all were kept", "", "all jobs but one",
            "later_than_promised", "max"),
    Measure("started_without_trust", "jobs started as by EASY", SHARE, "smaller",
            "share of jobs that started while the scheduler did not trust estimates; it trusts "
            "them only while they separate short from long jobs (`-O min_concordance`)", "",
            "whether estimates would have done harm then"),
)  # fmt: skip

MEASURES: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for measure in (*_OF_MACHINE, *_statistics(), *_BY_SIZE, *_OF_FAIRNESS)}
)
"""Every measure by name, in the order of the tables."""


RENAMED: Mapping[str, str] = MappingProxyType(
    {name.removesuffix("line"): name for name in MEASURES if name.endswith("_baseline")}
)
"""Measures by their old names."""


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of measures without duplicates, in the given order.

    Raises
    ------
    PredAwareError
        A measure does not exist; the message has similar names.

    Examples
    --------
    >>> chosen(["p99_waiting_time", "lost_capacity", "p99_waiting_time"])
    ('p99_waiting_time', 'lost_capacity')
    >>> chosen(["lost_capacties"])
    Traceback (most recent call last):
        ...
    pred_aware.errors.PredAwareError: there is no measure 'lost_capacties'; did you mean \
lost_capacity? docs/reference/metrics.md has them all
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
                f"there is no measure '{name}'{hint} docs/reference/metrics.md has them all"
            )
    return found
