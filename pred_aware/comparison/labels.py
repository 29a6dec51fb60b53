"""Labels of the counts of a comparison."""

from pred_aware.metrics.figures import WAITING_OVER

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

GROUP_LABELS = {"size": "{} processors", "length": "ran {}", "queue": "queue {}"}
"""Of groups of jobs, as they are called among those of other kinds."""
