"""Compare runs: measures, differences of single jobs, tables and pictures."""

from pred_aware.comparison.comparing import compare
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.summaries import AgainstBaseline, RunSummary
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run

__all__ = [
    "AgainstBaseline",
    "Comparison",
    "Run",
    "RunSummary",
    "compare",
    "read_run",
]
