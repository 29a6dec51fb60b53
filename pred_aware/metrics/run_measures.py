"""Compute the measures of a run."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.figures import TAU, figures_of_machine
from pred_aware.metrics.groups import named_jobs
from pred_aware.metrics.of_jobs import OfJobs
from pred_aware.metrics.table import MEASURES, chosen
from pred_aware.metrics.timelines import lost_area

if TYPE_CHECKING:
    from pred_aware.metrics.job_results import JobResults


def measures(
    run: "JobResults",
    names: Iterable[str] | None = None,
    *,
    baseline: "JobResults | None" = None,
    tau: float = TAU,
) -> dict[str, float | None]:
    """Measure a run.

    Parameters
    ----------
    run
        The run to measure.
    names
        Names in `MEASURES`, which also has units and definitions; by default all names.
    baseline
        The run to compare with, for measures that need one.
    tau
        In bounded slowdowns, shorter run times count as this time in seconds.

    Returns
    -------
    dict
        The measures by name, in the given order. ``None`` if a measure cannot be computed: no job
        ran, or there are no baseline, no users or no planned starts.

    Raises
    ------
    PredAwareError
        A measure does not exist.
    """
    wanted = chosen(MEASURES if names is None else names)
    jobs = OfJobs(run, baseline=baseline, tau=tau)
    quantities = dict.fromkeys(MEASURES[name].quantity for name in wanted)
    samples = {name: jobs.sample(name) for name in quantities if name is not None}
    machine = figures_of_machine(run)
    found: dict[str, float | None] = {}
    for name in wanted:
        measure = MEASURES[name]
        if measure.quantity is not None and measure.statistic is not None:
            found[name] = samples[measure.quantity].statistic(measure.statistic)
        elif name in machine:
            found[name] = machine[name]
        else:
            found[name] = _OTHERS[name](run, jobs)
    return found


def _lost_capacity(run: "JobResults", _: OfJobs) -> float | None:
    submission, start, finish, sizes = (
        run.column(name, whole=True)
        for name in (
            *("submission_time", "starting_time", "finish_time"),
            "requested_number_of_resources",
        )
    )
    if not len(finish) or not run.processors:
        return None
    area = run.processors * float(finish.max())
    lost = lost_area(submission, start, finish, sizes=sizes, processors=run.processors)
    return lost / area if area > 0.0 else None


def _utilisation_deviation(run: "JobResults", _: OfJobs) -> float | None:
    mean = figures_of_machine(run)["utilisation"]
    if mean is None:
        return None
    sizes, starts, ends = (
        run.column(name, whole=True)
        for name in ("requested_number_of_resources", "starting_time", "finish_time")
    )
    dates = np.concatenate([[0.0], starts, ends])
    in_order = np.argsort(dates, kind="stable")
    in_use = np.concatenate([[0.0], sizes, -sizes])[in_order].cumsum()[:-1]
    lasting = np.diff(dates[in_order])
    squares = (in_use / run.processors - mean) ** 2
    return float(np.sqrt((squares * lasting).sum() / lasting.sum()))


def _gini_of_users(run: "JobResults", jobs: OfJobs) -> float | None:
    """Return the Gini coefficient of the users' mean bounded slowdowns.

    For the means x_1 <= ... <= x_n it is sum((2 i - n - 1) x_i) / (n sum(x_i)).
    """
    users = named_jobs(run, "user")
    if users is None or not users.known.any():
        return None
    values, codes = jobs.values("bounded_slowdown")[users.known], users.codes[users.known]
    counts = np.bincount(codes)
    means = np.sort(np.bincount(codes, values)[counts > 0] / counts[counts > 0])
    ranks = np.arange(1, len(means) + 1)
    return float(((2 * ranks - len(means) - 1) * means).sum() / (len(means) * means.sum()))


def _started_without_trust(run: "JobResults", jobs: OfJobs) -> float | None:
    content = run.content("trust")
    starts = jobs.column("starting_time")
    if content is None or not len(starts):
        return None
    # estimates are ignored at first; each line of the file switches between ignoring and using them
    dates = [float(line.partition(b",")[0]) for line in content.splitlines()[1:]]
    return float((np.searchsorted(dates, starts, side="right") % 2 == 0).mean())


_OTHERS = {
    "lost_capacity": _lost_capacity,
    "utilisation_deviation": _utilisation_deviation,
    "gini_of_users": _gini_of_users,
    "started_without_trust": _started_without_trust,
}
