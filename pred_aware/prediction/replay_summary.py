"""Summaries of replays, which campaigns store in a few kB each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.prediction.groups import lengths
from pred_aware.prediction.measures import deviation_ratios

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.prediction.predict import Measured

_WEEK = 7 * 86400.0
_QUARTILES = (0.25, 0.5, 0.75)
TWENTIETHS = tuple(place / 20 for place in range(21))
"""The shares of users at which quantiles of the reduction of errors are stored."""


@dataclass(frozen=True, slots=True)
class Weekly:
    """Sums of a value over the jobs submitted in each week, for weeks with jobs."""

    sums: tuple[float, ...]
    counts: tuple[float, ...]
    """Number of jobs in each sum."""

    @property
    def mean(self) -> float:
        """Mean over all jobs: the total of the sums divided by the number of jobs."""
        return sum(self.sums) / sum(self.counts)


@dataclass(frozen=True, slots=True)
class ReplaySummary:
    """The results of a predictor's replay on a log, in a few kB."""

    figures: dict[str, float | None]
    """Measures of `pred-aware predict` over all jobs, over classes of jobs, and for users.

    Jobs with short, medium and long run times (as in paper 003) have, for example, ``underestimated
    long``, ``mae long``, ``walltime_mae long`` and ``too short long``. Three quarters of the
    estimates are too short by at most ``too short long`` seconds (negative if too long). Jobs with
    long walltimes have ``underestimated by walltime long``.
    """
    weekly: dict[str, Weekly]
    """``underestimated``, ``deviation_ratio`` and ``absolute_error`` of the estimates by week; also
    ``walltime_deviation_ratio`` and ``walltime_absolute_error``, over jobs with a walltime.
    """
    cost: dict[str, float | None]
    """Median time of a prediction, and of learning a job, in microseconds; differs in each run."""
    spreads: dict[str, tuple[float, ...]]
    """Quartiles of the errors in seconds, by class of jobs; and quantiles over users.

    ``long`` has estimate - run time for jobs with long run times, ``walltime long`` has walltime -
    run time for these jobs, and ``by walltime long`` has estimate - run time for jobs with long
    walltimes. ``users`` has, at each of `TWENTIETHS`, by how many seconds the mean absolute error
    of a user's estimates is smaller than that of the user's walltimes.
    """


def summarised(measured: "Measured", place: int) -> ReplaySummary:
    """Summarize the replay of the predictor with this index."""
    evaluation = measured.evaluations[place]
    jobs, columns = measured.jobs, evaluation.jobs
    predictions = measured.predictions[place]
    submitted = np.array([jobs.submissions[one].submit_time for one in predictions.places])
    _, weeks = np.unique(np.floor(submitted / _WEEK), return_inverse=True)
    estimates, run_times = predictions.estimates, columns.run_times
    known = ~np.isnan(columns.walltimes)
    measures, users = evaluation.measures, evaluation.users
    figures = {
        "mae": measures.mae,
        "r2": measures.r2,
        "median_absolute_error": measures.median_absolute_error,
        "underestimated": measures.underestimated,
        "underestimated_within_walltime": measures.underestimated_within_walltime,
        "deviation_ratio": measures.deviation_ratio,
        "walltime_mae": measures.walltime.mae,
        "walltime_deviation_ratio": measures.walltime.deviation_ratio,
        "users_better": users.better,
        "users_better_by_a_day": users.better_by_a_day,
        "largest_deterioration": users.largest_deterioration,
    }
    for group in evaluation.by_length:
        figures |= {
            f"underestimated {group.name}": group.underestimated,
            f"mae {group.name}": group.mae,
            f"share {group.name}": group.share,
            f"walltime_mae {group.name}": group.walltime_mae,
            f"too short {group.name}": None if group.quartiles is None else -group.quartiles[0],
        }
    spreads: dict[str, tuple[float, ...]] = {
        f"{kind}{group.name}": quartiles
        for group in evaluation.by_length
        for kind, quartiles in (("", group.quartiles), ("walltime ", group.walltime_quartiles))
        if quartiles is not None
    }
    for name, belongs in lengths(np.where(known, columns.walltimes, -1.0)):
        errors = (estimates - run_times)[belongs & known]
        if len(errors):
            spreads[f"by walltime {name}"] = tuple(np.quantile(errors, _QUARTILES).tolist())
        short = estimates[belongs & known] < run_times[belongs & known]
        figures[f"underestimated by walltime {name}"] = float(short.mean()) if len(short) else None
    weekly = {
        "underestimated": _by_week(weeks, estimates < run_times),
        "absolute_error": _by_week(weeks, np.abs(estimates - run_times)),
        "deviation_ratio": _by_week(weeks, deviation_ratios(estimates, run_times)),
    }
    if known.any():
        walltimes, ran, known_weeks = columns.walltimes[known], run_times[known], weeks[known]
        _, known_weeks = np.unique(known_weeks, return_inverse=True)
        weekly["walltime_absolute_error"] = _by_week(known_weeks, np.abs(walltimes - ran))
        weekly["walltime_deviation_ratio"] = _by_week(known_weeks, deviation_ratios(walltimes, ran))
    gains = [one.gain for one in evaluation.by_user if one.gain is not None]
    if gains:
        spreads["users"] = tuple(np.quantile(gains, TWENTIETHS).tolist())
    timing = predictions.timing
    cost = {"predict_median": timing.predict_median, "learn_median": timing.learn_median}
    return ReplaySummary(figures, weekly, cost, spreads)


def _by_week(weeks: "NDArray[np.intp]", values: Any) -> Weekly:  # noqa: ANN401 - an array
    sums = np.bincount(weeks, weights=values.astype(float))
    return Weekly(tuple(sums.tolist()), tuple(np.bincount(weeks).astype(float).tolist()))
