"""Inspection of a job log, before anybody trusts it."""

from pred_aware.inspection.findings import Oddity, findings
from pred_aware.inspection.inspection import Inspection, inspect_log

__all__ = ["Inspection", "Oddity", "findings", "inspect_log"]
