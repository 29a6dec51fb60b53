"""Measures of runs: of the jobs, of the machine, fairness; by group; who gains and who loses."""

from pred_aware.metrics.groups import class_names
from pred_aware.metrics.run_measures import measures
from pred_aware.metrics.table import MEASURES, Measure, chosen

__all__ = ["MEASURES", "Measure", "chosen", "class_names", "measures"]
