"""What is counted in a comparison, as it is called, and how the value of a measure is written."""

from pred_aware.metrics.figures import WAITING_OVER
from pred_aware.metrics.table import MEASURES, SECONDS, SHARE
from pred_aware.report.interval_format import duration_within, figure_within, share_within
from pred_aware.report.table import Cell, duration, figure, percent
from pred_aware.statistics import Interval

WAITING_LABELS = {
    "under_1_min": "under 1 min",
    "under_10_min": "under 10 min",
    "under_1_h": "under 1 h",
    "under_6_h": "under 6 h",
    "under_24_h": "under 24 h",
    WAITING_OVER: "24 h and over",
}
COUNT_LABELS = {
    "at_most_the_same": "at most the same (to 0.01 s)",
    "shorter_by_10_min": "shorter by at least 10 min",
    "shorter_by_1_h": "shorter by at least 1 h",
    "longer_by_10_min": "longer by at least 10 min",
    "longer_by_1_h": "longer by at least 1 h",
}


def measure_cell(name: str, value: float | None) -> Cell:
    """Write the value of a measure in its unit."""
    unit = MEASURES[name].unit
    if unit == SHARE:
        return percent(value, 2)
    return duration(value) if unit == SECONDS else figure(value)


def mean_cell(name: str, mean: Interval) -> Cell:
    """Write the mean of a measure over shakes, with as many digits as its interval allows."""
    unit = MEASURES[name].unit
    if unit == SHARE:
        return share_within(mean)
    return duration_within(mean) if unit == SECONDS else figure_within(mean)
