"""Measures of predictions, from papers 001, 002 and 003.

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
"""A prediction is exact if its error is at most this many seconds (paper 001)."""
SHORTEST = 1.0
"""In ratios, run times and estimates below this many seconds count as this value."""


@dataclass(frozen=True, slots=True)
class PredictionErrors:
    """Errors of overestimated, or of underestimated, jobs; ``None`` if there are no such jobs."""

    min: float | None
    max: float | None
    mean: float | None
    """Smallest, largest and mean absolute error, in seconds."""
    within_hour: float | None
    """Share of these jobs with an error below one hour."""


@dataclass(frozen=True, slots=True)
class Effectiveness:
    """Effectiveness 1 - abs(e - r) / abs(w - r), for estimate e, run time r and walltime w."""

    general: float | None
    """Mean over all jobs whose walltime differs from the run time; underestimates count as 0."""
    valid: float | None
    """Mean over the jobs of `general` that are not underestimated."""
    jobs: int
    valid_jobs: int
    """Numbers of jobs in the means `general` and `valid`."""


@dataclass(frozen=True, slots=True)
class OfWalltimes:
    """Measures of the walltimes as if they were estimates, over jobs with a walltime."""

    jobs: int
    """Number of jobs with a walltime."""
    mae: float | None
    median_absolute_error: float | None
    """Mean and median of the absolute errors, in seconds."""
    deviation_ratio: float | None
    """Mean of max(w / r, r / w), for walltime w and run time r."""
    overrun: float | None
    """Share of jobs that ran longer than their walltime."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of estimates; times are in seconds, shares between 0 and 1."""

    jobs: int
    """Number of predicted jobs."""
    mae: float
    mse: float
    rmse: float
    r2: float | None
    """Mean absolute error, mean squared error, its root, and the coefficient of determination
    (``None`` if all run times are equal).
    """
    over: float
    under: float
    exact: float
    """Shares of jobs overestimated by more than 0.5 s, underestimated by more than 0.5 s, and with
    an error of at most 0.5 s; the shares sum to 1.
    """
    median_absolute_error: float
    """Median of the absolute errors, in seconds."""
    underestimated: float
    """Share of jobs whose estimate is below the run time by any amount (paper 003)."""
    underestimated_within_walltime: float | None
    """Share of underestimated jobs among the jobs that ended within their walltime."""
    deviation_ratio: float
    median_deviation_ratio: float
    """Mean and median of max(e / r, r / e), for estimate e and run time r (paper 002)."""
    over_errors: PredictionErrors
    under_errors: PredictionErrors
    """Errors of the overestimated and of the underestimated jobs."""
    effectiveness: Effectiveness
    """How much closer to the run times the estimates are than the walltimes, as in paper 001."""
    without_walltime: int
    """Number of jobs without a walltime, which measures that need walltimes leave out."""
    walltime: OfWalltimes
    """Measures of the walltimes, for comparison."""


def measure(
    estimates: "NDArray[np.float64]",
    run_times: "NDArray[np.float64]",
    *,
    walltimes: "NDArray[np.float64]",
) -> Measures:
    """Compute the measures of estimates against run times.

    Parameters
    ----------
    estimates, run_times, walltimes
        In seconds, for the same jobs, shape (n,); a missing walltime is NaN.

    Raises
    ------
    PredAwareError
        There are no jobs.

    Examples
    --------
    >>> found = measure(
    ...     np.array([60.0, 50.0]), np.array([50.0, 70.0]), walltimes=np.array([100.0, 90.0])
    ... )
    >>> found.mae, found.over, found.effectiveness.general, found.effectiveness.valid
    (15.0, 0.5, 0.4, 0.8)
    """
    if not len(estimates):
        raise PredAwareError("no job to evaluate: no job was predicted")
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
    """Return max(e / r, r / e) of each job, for estimate e and run time r of at least 1 s.

    Examples
    --------
    >>> deviation_ratios(np.array([60.0, 0.5]), np.array([30.0, 4.0])).tolist()
    [2.0, 4.0]
    """
    estimated, ran = np.maximum(estimates, SHORTEST), np.maximum(run_times, SHORTEST)
    ratios: NDArray[np.float64] = np.maximum(estimated / ran, ran / estimated)
    return ratios


def mean_or_none(values: "NDArray[Any]") -> float | None:
    """Return the mean; ``None`` for an empty array."""
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
    """Compare the errors `sizes` with the walltimes' errors `slack`, where `slack` is not 0."""
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
