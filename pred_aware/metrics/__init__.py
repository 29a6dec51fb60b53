"""Measures of runs: of jobs, machine and fairness, also by group, and gains and losses of jobs."""

from typing import TYPE_CHECKING

from predictors.on_demand import on_demand

if TYPE_CHECKING:
    from pred_aware.metrics.block_use import block_use
    from pred_aware.metrics.groups import class_names
    from pred_aware.metrics.run_measures import measures
    from pred_aware.metrics.table import MEASURES, Measure, chosen

__all__ = ["MEASURES", "Measure", "block_use", "chosen", "class_names", "measures"]

__getattr__ = on_demand(__name__)
