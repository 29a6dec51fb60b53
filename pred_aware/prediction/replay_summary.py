"""The summary of a predictor's replay on a log: figures, sums by week, quartiles of errors."""

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
"""The shares of the users at which gains are kept."""


@dataclass(frozen=True, slots=True)
class Weekly:
    """Sums by week of submission, over the weeks with jobs."""

    sums: tuple[float, ...]
    counts: tuple[float, ...]
    """How many jobs each sum is over."""

    @property
    def mean(self) -> float:
        """The mean over all jobs."""
        return sum(self.sums) / sum(self.counts)


@dataclass(frozen=True, slots=True)
class ReplaySummary:
    """A predictor's replay on a log, in some kB."""

    figures: dict[str, float | None]
    """Over all jobs: the measures of `pred-aware predict`, and what changes for users.

    Of jobs that are short, medium and long (paper 003) by how long they ran: ``underestimated
    long``, ``mae long``, ``walltime_mae long``, and ``too short long``, what three quarters of
    their estimates are too short by at most (below 0 if they are too long); by their walltimes:
    ``underestimated by walltime long``.
    """
    weekly: dict[str, Weekly]
    """``underestimated``, ``deviation_ratio``, ``absolute_error`` of the estimates, and the last
    two of the walltimes, over the jobs that have one."""
    cost: dict[str, float | None]
    """Median microseconds of a prediction and of learning a job, which differ each time."""
    spreads: dict[str, tuple[float, ...]]
    """The quartiles of estimate - run time in seconds, by length.

    ``long``, ``walltime long`` for walltimes in place of estimates, ``by walltime long`` of the
    jobs that are long by theirs. ``users``: at every twentieth of the users, ascending, by how much
    their mean absolute error is smaller than that of their walltimes.
    """


def summarised(measured: "Measured", place: int) -> ReplaySummary:
    """Summarise the replay of one of the predictors that were measured, by its place."""
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
