"""Measures of predictions: paper 001's table, and what papers 002 and 003 look at.

`docs/how-to/predict.md` has the formula of each.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.report.durations import HOUR

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT = 0.5
"""A prediction is exact, for paper 001, if it is this close, in seconds."""
SHORTEST = 1.0
"""No run time counts as less in a ratio, in seconds, as no estimate is less."""


@dataclass(frozen=True, slots=True)
class PredictionErrors:
    """How large the errors on one side are; ``None`` where there is none."""

    min: float | None
    max: float | None
    mean: float | None
    """Absolute errors in seconds."""
    within_hour: float | None
    """Share of these errors that are under an hour."""


@dataclass(frozen=True, slots=True)
class Effectiveness:
    """How much nearer to the run time than the walltime is: 1 - abs(e - r) / abs(w - r)."""

    general: float | None
    """Mean over all jobs that have a walltime other than the run time; underestimates count 0."""
    valid: float | None
    """Mean over those of them that are not underestimated."""
    jobs: int
    valid_jobs: int
    """How many jobs these are."""


@dataclass(frozen=True, slots=True)
class OfWalltimes:
    """The same measures of the walltimes themselves, over the jobs that have one."""

    jobs: int
    """How many jobs have a walltime."""
    mae: float | None
    median_absolute_error: float | None
    """In seconds."""
    deviation_ratio: float | None
    """Mean of max(w / r, r / w)."""
    overrun: float | None
    """Share of jobs that ran beyond their walltime."""


@dataclass(frozen=True, slots=True)
class Measures:
    """How good estimates are; times in seconds, shares between 0 and 1."""

    jobs: int
    """How many jobs were predicted."""
    mae: float
    mse: float
    rmse: float
    r2: float | None
    """Mean absolute and mean squared error, its root, and the coefficient of determination
    (``None`` where all run times are the same)."""
    over: float
    under: float
    exact: float
    """Shares of jobs predicted too long, too short, and to half a second; they sum to 1."""
    median_absolute_error: float
    """The error that half of the jobs are within."""
    underestimated: float
    """Share of jobs whose estimate is below the run time, by however little (paper 003)."""
    underestimated_within_walltime: float | None
    """The same among the jobs that ended within their walltime."""
    deviation_ratio: float
    median_deviation_ratio: float
    """Mean and median of max(e / r, r / e) (paper 002)."""
    over_errors: PredictionErrors
    under_errors: PredictionErrors
    """How large the errors of `over` and `under` are."""
    effectiveness: Effectiveness
    """Of paper 001."""
    without_walltime: int
    """Jobs that are left out of what needs a walltime."""
    walltime: OfWalltimes
    """The walltimes measured in the same way."""


def measure(
    estimates: "NDArray[np.float64]",
    run_times: "NDArray[np.float64]",
    *,
    walltimes: "NDArray[np.float64]",
) -> Measures:
    """Measure estimates against run times.

    Parameters
    ----------
    estimates, run_times, walltimes
        In seconds, of the same jobs, shape (n,); a walltime of NaN is none.

    Raises
    ------
    PredAwareError
        There is no job.

    Examples
    --------
    >>> found = measure(
    ...     np.array([60.0, 50.0]), np.array([50.0, 70.0]), walltimes=np.array([100.0, 90.0])
    ... )
    >>> found.mae, found.over, found.effectiveness.general, found.effectiveness.valid
    (15.0, 0.5, 0.4, 0.8)
    """
    if not len(estimates):
        raise PredAwareError("no job to measure: none was left to predict")
    errors = estimates - run_times
    sizes = np.abs(errors)
    over, under = errors > EXACT, errors < -EXACT
    squared = float(np.mean(errors * errors))
    spread = float(np.mean((run_times - run_times.mean()) ** 2))
    ratios = deviation_ratios(estimates, run_times)
    known = ~np.isnan(walltimes)
    within = run_times <= walltimes
    return Measures(
        jobs=len(estimates),
        mae=float(sizes.mean()),
        mse=squared,
        rmse=squared**0.5,
        r2=1.0 - squared / spread if spread > 0.0 else None,
        over=float(over.mean()),
        under=float(under.mean()),
        exact=float((~over & ~under).mean()),
        median_absolute_error=float(np.median(sizes)),
        underestimated=float((errors < 0.0).mean()),
        underestimated_within_walltime=mean_or_none(errors[within] < 0.0),
        deviation_ratio=float(ratios.mean()),
        median_deviation_ratio=float(np.median(ratios)),
        over_errors=_errors(sizes[over]),
        under_errors=_errors(sizes[under]),
        effectiveness=_effectiveness(sizes[known], (walltimes - run_times)[known], under[known]),
        without_walltime=int((~known).sum()),
        walltime=_of_walltimes(walltimes[known], run_times[known]),
    )


def deviation_ratios(
    estimates: "NDArray[np.float64]", run_times: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return max(e / r, r / e) of each job, where neither counts as less than 1 s.

    Examples
    --------
    >>> deviation_ratios(np.array([60.0, 0.5]), np.array([30.0, 4.0])).tolist()
    [2.0, 4.0]
    """
    estimated, ran = np.maximum(estimates, SHORTEST), np.maximum(run_times, SHORTEST)
    ratios: NDArray[np.float64] = np.maximum(estimated / ran, ran / estimated)
    return ratios


def mean_or_none(values: "NDArray[Any]") -> float | None:
    """Return the mean, ``None`` of nothing."""
    return float(values.mean()) if len(values) else None


def _errors(sizes: "NDArray[np.float64]") -> PredictionErrors:
    if not len(sizes):
        return PredictionErrors(None, None, None, None)
    return PredictionErrors(
        min=float(sizes.min()),
        max=float(sizes.max()),
        mean=float(sizes.mean()),
        within_hour=float((sizes < HOUR).mean()),
    )


def _effectiveness(
    sizes: "NDArray[np.float64]", slack: "NDArray[np.float64]", under: "NDArray[np.bool_]"
) -> Effectiveness:
    """Compare errors with those of the walltimes, `slack`, where these are not 0."""
    wrong = slack != 0.0
    gains = 1.0 - sizes[wrong] / np.abs(slack[wrong])
    valid = ~under[wrong]
    return Effectiveness(
        general=mean_or_none(np.where(valid, gains, 0.0)),
        valid=mean_or_none(gains[valid]),
        jobs=len(gains),
        valid_jobs=int(valid.sum()),
    )


def _of_walltimes(
    walltimes: "NDArray[np.float64]", run_times: "NDArray[np.float64]"
) -> OfWalltimes:
    sizes = np.abs(walltimes - run_times)
    return OfWalltimes(
        jobs=len(walltimes),
        mae=mean_or_none(sizes),
        median_absolute_error=float(np.median(sizes)) if len(sizes) else None,
        deviation_ratio=mean_or_none(deviation_ratios(walltimes, run_times)),
        overrun=mean_or_none(run_times > walltimes),
    )
