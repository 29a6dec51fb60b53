"""Logs to workloads: job logs in, Batsim workloads and platforms out."""

from workload_tools.errors import InputError, LogError, PlatformError, WorkloadError
from workload_tools.job import Job, Workload
from workload_tools.report import Report

__all__ = [
    "InputError",
    "Job",
    "LogError",
    "PlatformError",
    "Report",
    "Workload",
    "WorkloadError",
]
