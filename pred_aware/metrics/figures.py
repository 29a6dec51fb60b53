"""Main measures of a run: waiting time, turnaround time, slowdown, bounded slowdown.

All displayed values of these measures come from this module, over the jobs that ran. In Batsim's
``_schedule.csv``, the means also include rejected jobs, with a time of 0 s.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults
    from pred_aware.simulator.job import EndedJobs

TAU = 10.0
FIGURES = (
    "makespan",
    "scheduling_time",
    "mean_waiting_time",
    "mean_turnaround_time",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "max_waiting_time",
    "max_turnaround_time",
    "max_slowdown",
    "max_bounded_slowdown",
    "utilisation",
)
WAITING_BOUNDS: Mapping[str, float] = {
    "under_1_min": 60.0,
    "under_10_min": 600.0,
    "under_1_h": 3600.0,
    "under_6_h": 21600.0,
    "under_24_h": 86400.0,
}
WAITING_OVER = "24_h_and_over"


def bounded_slowdown(
    waiting_time: "NDArray[np.float64]",
    run_time: "NDArray[np.float64]",
    *,
    tau: float = TAU,
) -> "NDArray[np.float64]":
    """Return the bounded slowdown of each job, equation 2 of the COARE paper (000).

    It is max(1, (wait + run) / max(run, tau)). Because of the bound tau, jobs of a second do not
    dominate the mean.

    Parameters
    ----------
    waiting_time, run_time
        Times of each job, in seconds; shape (jobs,).
    tau
        Shorter run times count as this run time, in seconds.

    Examples
    --------
    >>> bounded_slowdown(np.array([0.0, 90.0, 90.0]), np.array([1.0, 1.0, 30.0]))
    array([1. , 9.1, 4. ])
    """
    return np.maximum(1.0, (waiting_time + run_time) / np.maximum(run_time, tau))


def job_figures(
    *,
    waiting: "NDArray[np.float64]",
    turnaround: "NDArray[np.float64]",
    slowdown: "NDArray[np.float64]",
    run_time: "NDArray[np.float64]",
) -> dict[str, float | None]:
    """Return means and maxima over the jobs that ran, by their names in `FIGURES`.

    Parameters
    ----------
    waiting, turnaround, run_time
        Times of each job, in seconds, shape (jobs,).
    slowdown
        Turnaround time divided by run time, shape (jobs,). For a job with a run time of 0 this is
        infinite, so such a job counts only in the other measures.
    """
    found: dict[str, float | None] = {}
    for name, values in (
        ("waiting_time", waiting),
        ("turnaround_time", turnaround),
        ("slowdown", slowdown[np.isfinite(slowdown)]),
        ("bounded_slowdown", bounded_slowdown(waiting, run_time)),
    ):
        found[f"mean_{name}"] = float(values.mean()) if values.size else None
        found[f"max_{name}"] = float(values.max()) if values.size else None
    return found


def figures_of_dates(
    submission: Sequence[float], start: Sequence[float], end: Sequence[float]
) -> dict[str, float | None]:
    """Return the result of `job_figures` for jobs that ran, from their dates in seconds.

    Examples
    --------
    >>> figures_of_dates([0.0, 0.0], [0.0, 20.0], [20.0, 25.0])["mean_slowdown"]
    3.0
    """
    submitted, started, ended = (np.asarray(dates, float) for dates in (submission, start, end))
    turnaround, run_time = ended - submitted, ended - started
    with np.errstate(divide="ignore", invalid="ignore"):
        slowdown = turnaround / run_time
    return job_figures(
        waiting=started - submitted, turnaround=turnaround, slowdown=slowdown, run_time=run_time
    )


def with_figures(schedule: Mapping[str, Any], past: "EndedJobs") -> dict[str, Any]:
    """Return the columns of ``_schedule.csv``, with means over the jobs that ran.

    Parameters
    ----------
    schedule
        The columns, whose means include rejected jobs.
    past
        The jobs that ran.
    """
    return {**schedule, **figures_of_dates(past.submit, past.start, past.end)}


def figures(run: "JobResults") -> dict[str, float | None]:
    """Return the main measures of a run, by the names in `FIGURES`.

    Times are in seconds, and rejected jobs are left out. The slowdown is turnaround time divided by
    run time (Batsim's column ``stretch``); jobs with a run time of 0 have no slowdown. A value is
    ``None`` if it cannot be computed: no job ran, or the scheduling time is unknown. Warm-up jobs
    count only in makespan, utilisation and scheduling time, which are measures of the machine.
    """
    waiting, turnaround, stretch, run_time = (
        run.column(column)
        for column in ("waiting_time", "turnaround_time", "stretch", "execution_time")
    )
    found = figures_of_machine(run) | job_figures(
        waiting=waiting, turnaround=turnaround, slowdown=stretch, run_time=run_time
    )
    return {name: found[name] for name in FIGURES}


def figures_of_machine(run: "JobResults") -> dict[str, float | None]:
    """Return makespan, scheduling time and utilisation; see `figures`."""
    result: dict[str, float | None] = dict.fromkeys(("makespan", "scheduling_time", "utilisation"))
    result["scheduling_time"] = run.scheduling_time
    if not len(run.column("finish_time")):
        return result
    makespan = float(run.column("finish_time", whole=True).max())
    result["makespan"] = makespan
    if makespan > 0 and run.processors:
        sizes = run.column("requested_number_of_resources", whole=True)
        work = float((sizes * run.column("execution_time", whole=True)).sum())
        result["utilisation"] = work / (run.processors * makespan)
    return result


def waiting_counts(run: "JobResults") -> dict[str, int]:
    """Count the jobs that waited less than 1 min, 10 min, 1 h, 6 h, 24 h, and 24 h or more.

    All counts but the last are cumulative, as in paper 001: a wait below 1 min is also below 1 h.
    """
    waiting = np.sort(run.column("waiting_time"))
    counts = {
        name: int(np.searchsorted(waiting, bound, side="left"))
        for name, bound in WAITING_BOUNDS.items()
    }
    counts[WAITING_OVER] = len(waiting) - counts["under_24_h"]
    return counts
