"""Inspection of a job log: its load, walltimes, users, gaps and other oddities."""

from pred_aware.inspection.findings import findings
from pred_aware.inspection.inspection import Inspection, inspect_log
from pred_aware.inspection.odd_jobs import Oddity

__all__ = ["Inspection", "Oddity", "findings", "inspect_log"]
