"""What a person wants to know about a job log before they trust it."""

from pred_aware.inspection.findings import Finding, findings
from pred_aware.inspection.inspection import Inspection, inspect_log

__all__ = ["Finding", "Inspection", "findings", "inspect_log"]
