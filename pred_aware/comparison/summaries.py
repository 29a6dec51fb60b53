"""Summarise each run, alone and against the baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.metrics.figures import waiting_counts
from pred_aware.metrics.job_results import rows_in_both
from pred_aware.metrics.of_jobs import LATE
from pred_aware.metrics.table import OF_SIZES
from pred_aware.report.plural import counted
from pred_aware.runs.run_columns import counts_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.runs.run import Run


def differences(baseline: "Run", new: "Run") -> list[str]:
    """Describe how the jobs of two runs differ: the number of such jobs, and the first job.

    Warm-up jobs are included, because they use the machine. Jobs that both runs rejected are
    left out.

    Returns
    -------
    list of str
        A phrase for each kind of difference. Empty if the jobs are equal.
    """
    ran_baseline, ran_new = baseline.whole, new.whole
    here, there = ran_baseline.index, ran_new.index
    in_both = here[_among(here, there)]
    other = np.any(
        [ran_baseline.loc[in_both, one].to_numpy() != ran_new.loc[in_both, one].to_numpy()
         for one in ALIKE],
        axis=0,
    )  # fmt: skip
    had_baseline, had_new = here.append(baseline.never_ran), there.append(new.never_ran)
    kinds = (
        (here[_among(here, new.never_ran)], f"ran in {baseline.name}, rejected in {new.name}"),
        (
            there[_among(there, baseline.never_ran)],
            f"ran in {new.name}, rejected in {baseline.name}",
        ),
        (
            had_baseline[~_among(had_baseline, had_new)],
            f"of {baseline.name} missing in the file of {new.name}",
        ),
        (
            had_new[~_among(had_new, had_baseline)],
            f"of {new.name} missing in the file of {baseline.name}",
        ),
        (
            in_both[other],
            f"with another submission time or size in {new.name} than in {baseline.name}",
        ),
    )
    return [
        f"{counted(len(jobs), 'job')} {how} ({'' if len(jobs) == 1 else 'first '}{jobs[0]})"
        for jobs, how in kinds
        if len(jobs)
    ]


def _among(names: "pd.Index[str]", others: "pd.Index[str]") -> "NDArray[np.bool_]":
    """Return which names are among unique other names, ten times faster than `isin`."""
    return others.get_indexer(names) >= 0


ALIKE = ("submission_time", "requested_number_of_resources")
"""Jobs with the same id are equal if these columns are equal."""
DIGITS = 6
TEN_MINUTES = 600.0
HOUR = 3600.0

SHOWN = (
    *("makespan", "scheduling_time", "utilisation", "lost_capacity"),
    *("mean_waiting_time", *OF_SIZES, "area_weighted_waiting_time"),
    *("median_waiting_time", "p95_waiting_time", "p99_waiting_time", "max_waiting_time"),
    *("mean_turnaround_time", "mean_bounded_slowdown", "p99_bounded_slowdown"),
)
"""The measures that a comparison shows by default."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The measures of a run."""

    name: str
    """The name of the run."""
    file: str
    """The path of the jobs file."""
    jobs: int
    rejected: int
    killed: int
    """Three numbers of jobs: that ran, that never ran, and that ran but were killed."""
    processors: int
    """The size of the machine."""
    figures: Mapping[str, float | None]
    """The measures by their names in `pred_aware.metrics.MEASURES`, always including
    `runs.figures.FIGURES`. A missing measure is ``None``."""
    waiting: Mapping[str, int]
    """The number of jobs that wait less than certain times; see `runs.figures.waiting_counts`."""
    warm_up: int = 0
    """The number of warm-up jobs, which are not among `jobs`."""
    provenance: Mapping[str, Any] | None = None
    """The provenance from ``PREFIX_run.json``, or ``None`` if it is unknown."""
    remark: str | None = None
    """Why the provenance is unknown although ``PREFIX_run.json`` exists; ``None`` if known."""

    def to_dict(self) -> dict[str, object]:
        """Return the summary as JSON data."""
        return {
            "file": self.file,
            "jobs": self.jobs,
            "rejected": self.rejected,
            "killed": self.killed,
            "processors": self.processors,
            "warm_up": self.warm_up,
            **self.figures,
            "waiting": {
                name: {"jobs": count, "share": count / self.jobs if self.jobs else None}
                for name, count in self.waiting.items()
            },
            "made": self.provenance,
            **({"remark": self.remark} if self.remark else {}),
        }


@dataclass(frozen=True, slots=True)
class AgainstBaseline:
    """A comparison of a run with the baseline, job by job."""

    name: str
    """The name of the run."""
    jobs: int
    """The number of jobs that ran in both runs. The counts below refer to these jobs."""
    at_most_the_same: int
    """Number of jobs that wait at most 0.01 s longer than in the baseline."""
    shorter_by_10_min: int
    shorter_by_1_h: int
    longer_by_10_min: int
    longer_by_1_h: int
    """Numbers of jobs whose wait is shorter or longer by at least this time."""
    only_in_baseline: int
    only_here: int
    """Numbers of jobs that only one of the two files contains."""
    ran_only_in_baseline: int
    ran_only_here: int
    """Numbers of jobs that are in both files, but that one of the two runs rejected."""
    not_alike: int
    """Number of jobs that differ in submission time or size."""
    improvement: Mapping[str, float | None]
    """(new - baseline) / baseline for each measure. ``None`` if a value is missing or the
    baseline's value is 0."""

    def to_dict(self) -> dict[str, object]:
        """Return the comparison as JSON data."""
        return {field: getattr(self, field) for field in self.__slots__ if field != "name"}


def improvement(baseline: float | None, new: float | None) -> float | None:
    """Return (new - baseline) / baseline, or ``None`` if it is undefined.

    Examples
    --------
    >>> improvement(200.0, 150.0)
    -0.25
    >>> improvement(0.0, 150.0) is None
    True
    """
    if baseline is None or new is None or baseline == 0:
        return None
    return (new - baseline) / baseline


def summary(
    run: "Run", figures: Mapping[str, float | None], *, with_provenance: bool = True
) -> RunSummary:
    """Summarise a run whose measures are known.

    Parameters
    ----------
    run, figures
        The run and its measures.
    with_provenance
        Whether to add the run's provenance. This takes longer than a simulation, because the
        workload must be hashed.
    """
    return RunSummary(
        name=run.name,
        file=str(run.path or ""),
        **counts_of(run),
        processors=run.processors,
        figures=figures,
        waiting=waiting_counts(run),
        warm_up=0 if run.warm_up is None else len(run.warm_up),
        provenance=run.provenance if with_provenance else None,
        remark=run.remark if with_provenance else None,
    )


def against(
    baseline: "Run",
    new: "Run",
    *,
    baseline_figures: Mapping[str, float | None],
    figures: Mapping[str, float | None],
) -> AgainstBaseline:
    """Compare a run with the baseline, job by job.

    Parameters
    ----------
    baseline, new
        The two runs.
    baseline_figures, figures
        The measures of the runs, with the same names.

    Raises
    ------
    PredAwareError
        The runs have no job in common.
    """
    in_baseline, in_new = rows_in_both(baseline, new)
    had, has = counts_of(baseline), counts_of(new)
    ran_only_in_baseline = ran_only_here = rejected_in_both = 0
    if has["rejected"]:
        ran_only_in_baseline = int(baseline.ran.index.isin(new.never_ran).sum())
        rejected_in_both = int(new.never_ran.isin(baseline.never_ran).sum())
    if had["rejected"]:
        ran_only_here = int(new.ran.index.isin(baseline.never_ran).sum())
    in_both = len(in_baseline) + ran_only_in_baseline + ran_only_here + rejected_in_both
    if not in_both:
        raise PredAwareError(
            f"{new.path or new.name} has no job in common with {baseline.path or baseline.name}; "
            "compare runs of the same workload"
        )
    # the files have six decimals, but the difference of two such numbers has more
    waits = new.column("waiting_time")[in_new], baseline.column("waiting_time")[in_baseline]
    longer = np.round(waits[0] - waits[1], DIGITS)
    not_alike = np.any(
        [baseline.column(one)[in_baseline] != new.column(one)[in_new] for one in ALIKE], axis=0
    )
    return AgainstBaseline(
        name=new.name,
        jobs=len(in_baseline),
        at_most_the_same=int((longer <= LATE).sum()),
        shorter_by_10_min=int((longer <= -TEN_MINUTES).sum()),
        shorter_by_1_h=int((longer <= -HOUR).sum()),
        longer_by_10_min=int((longer >= TEN_MINUTES).sum()),
        longer_by_1_h=int((longer >= HOUR).sum()),
        only_in_baseline=had["jobs"] + had["rejected"] - in_both,
        only_here=has["jobs"] + has["rejected"] - in_both,
        ran_only_in_baseline=ran_only_in_baseline,
        ran_only_here=ran_only_here,
        not_alike=int(not_alike.sum()),
        improvement={
            name: improvement(baseline_figures[name], figures[name]) for name in baseline_figures
        },
    )
