"""Campaigns, comparisons, the papers' experiments and reports."""

from pred_aware.experiments.comparison import AgainstBase, Comparison, RunSummary, compare
from pred_aware.experiments.runs import Run, read_run

__all__ = [
    "AgainstBase",
    "Comparison",
    "Run",
    "RunSummary",
    "compare",
    "read_run",
]
