"""Inspection of a job log, before anybody trusts it."""

from pred_aware.inspection.findings import Finding, findings
from pred_aware.inspection.inspection import Inspection, inspect_log

__all__ = ["Finding", "Inspection", "findings", "inspect_log"]
