"""Errors of groups of jobs, as in paper 003: by length, by queue, by user."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.prediction.measures import mean_or_none
from pred_aware.report.durations import DAY, HOUR

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTHS = (
    ("short", 0.0, 2 * HOUR),
    ("medium", 2 * HOUR, DAY),
    ("long", DAY, float("inf")),
)
"""Classes of run times, as in paper 003, section 3.2: name, lower limit (exclusive) and upper limit
(inclusive) in seconds.
"""

QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class Group:
    """The errors of a group of jobs; a value is ``None`` if no job of the group has it."""

    name: str
    """Name of the group."""
    jobs: int
    share: float
    """Number of jobs, and their share of all jobs."""
    underestimated: float | None
    """Share of jobs whose estimate is below the run time."""
    mae: float | None
    walltime_mae: float | None
    """Mean absolute errors of estimates and of walltimes, in seconds."""
    gain: float | None
    """Mean absolute error of the walltimes minus that of the estimates, over jobs with a walltime,
    in seconds.
    """
    quartiles: tuple[float, float, float] | None
    walltime_quartiles: tuple[float, float, float] | None
    """Quartiles of the errors (estimate or walltime - run time), in seconds: 25, 50 and 75 %."""


@dataclass(frozen=True, slots=True)
class Users:
    """Errors of estimates compared with those of walltimes, by user, over jobs with a walltime."""

    users: int
    """Number of users who have jobs with a walltime."""
    better: float | None
    worse: float | None
    """Shares of users whose estimates have a smaller, or a larger, mean absolute error than their
    walltimes.
    """
    better_by_a_day: float | None
    """Share of users whose estimates' mean absolute error is more than 24 h below the
    walltimes'."""
    largest_deterioration: float | None
    """Largest excess of a user's mean absolute error over that of the walltimes, in seconds; 0 if
    no user has an excess."""
    jobs_without_user: int
    """Number of jobs without a user, which the values above leave out."""


def by_length(
    estimates: "NDArray[np.float64]",
    run_times: "NDArray[np.float64]",
    *,
    walltimes: "NDArray[np.float64]",
) -> list[Group]:
    """Group jobs by run time: up to 2 h, up to 24 h, longer.

    Parameters
    ----------
    estimates, run_times, walltimes
        In seconds, shape (n,); a missing walltime is NaN.
    """
    return [
        _group(name, belongs, estimates, run_times, walltimes)
        for name, belongs in lengths(run_times)
    ]


def lengths(run_times: "NDArray[np.float64]") -> list[tuple[str, "NDArray[np.bool_]"]]:
    """Return the name and the mask of jobs for each class of `LENGTHS`.

    Examples
    --------
    >>> [belongs.tolist() for _, belongs in lengths(np.array([0.0, 7200.0, 7201.0]))]
    [[True, True, False], [False, False, True], [False, False, False]]
    """
    ran = np.maximum(run_times, np.nextafter(0.0, 1.0))
    return [(name, (ran > above) & (ran <= at_most)) for name, above, at_most in LENGTHS]


def by_name(
    names: Sequence[str | None],
    estimates: "NDArray[np.float64]",
    run_times: "NDArray[np.float64]",
    *,
    walltimes: "NDArray[np.float64]",
) -> list[Group]:
    """Group jobs by a name such as their user or queue; the largest group is first.

    Parameters
    ----------
    names
        The name for each job; jobs with ``None`` are left out.
    estimates, run_times, walltimes
        In seconds, shape (n,); a missing walltime is NaN.
    """
    number_of = {name: number for number, name in enumerate(dict.fromkeys(filter(None, names)))}
    codes = np.array([number_of.get(name or "", -1) for name in names], np.intp)
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(len(number_of) + 1))
    found = [
        _group(name, order[edges[number] : edges[number + 1]], estimates, run_times, walltimes)
        for name, number in number_of.items()
    ]
    return sorted(found, key=lambda group: (-group.jobs, group.name))


def of_users(groups: Sequence[Group], *, jobs: int) -> Users:
    """Count the users whose estimates have smaller or larger errors than their walltimes.

    Parameters
    ----------
    groups
        One group for each user.
    jobs
        Number of all jobs.
    """
    gains = np.array([group.gain for group in groups if group.gain is not None], float)
    return Users(
        users=len(gains),
        better=mean_or_none(gains > 0.0),
        worse=mean_or_none(gains < 0.0),
        better_by_a_day=mean_or_none(gains > DAY),
        largest_deterioration=max(0.0, -float(gains.min())) if len(gains) else None,
        jobs_without_user=jobs - sum(group.jobs for group in groups),
    )


def _group(
    name: str,
    chosen: "NDArray[np.bool_] | NDArray[np.intp]",
    estimates: "NDArray[np.float64]",
    run_times: "NDArray[np.float64]",
    walltimes: "NDArray[np.float64]",
) -> Group:
    ran = run_times[chosen]
    errors = estimates[chosen] - ran
    slack = walltimes[chosen] - ran
    known = ~np.isnan(slack)
    slack = slack[known]
    walltime_mae = mean_or_none(np.abs(slack))
    mae_of_known = mean_or_none(np.abs(errors[known]))
    return Group(
        name=name,
        jobs=len(errors),
        share=len(errors) / len(estimates) if len(estimates) else 0.0,
        underestimated=mean_or_none(errors < 0.0),
        mae=mean_or_none(np.abs(errors)),
        walltime_mae=walltime_mae,
        gain=None if walltime_mae is None or mae_of_known is None else walltime_mae - mae_of_known,
        quartiles=_quartiles(errors),
        walltime_quartiles=_quartiles(slack),
    )


def _quartiles(values: "NDArray[np.float64]") -> tuple[float, float, float] | None:
    if not len(values):
        return None
    if len(values) == 1:
        # in some logs most users have one job; np.quantile would take long for so many users
        return (float(values[0]),) * 3
    low, middle, high = np.quantile(values, QUARTILES).tolist()
    return low, middle, high
