"""Statistics of measures over several runs of an experiment: intervals, tests, rankings."""

from pred_aware.statistics.best import BestSet, best_set
from pred_aware.statistics.intervals import (
    LEAST,
    Difference,
    Interval,
    mean_interval,
    paired_difference,
    shakes_wanted,
)
from pred_aware.statistics.resamples import OtherYears, OverLogs, other_years, over_logs
from pred_aware.statistics.significance import (
    SURE,
    holm,
    in_view,
    significant_alone,
    significant_sign,
)
from pred_aware.statistics.weeks import ByWeeks, by_weeks

__all__ = [
    "LEAST",
    "SURE",
    "BestSet",
    "ByWeeks",
    "Difference",
    "Interval",
    "OtherYears",
    "OverLogs",
    "best_set",
    "by_weeks",
    "holm",
    "in_view",
    "mean_interval",
    "other_years",
    "over_logs",
    "paired_difference",
    "shakes_wanted",
    "significant_alone",
    "significant_sign",
]
