"""Read job logs, and write Batsim workloads and platforms."""

from typing import TYPE_CHECKING, Any

from workload_tools.errors import InputError, LogError, PlatformError, WorkloadError
from workload_tools.job import Job, Workload
from workload_tools.report import Report

if TYPE_CHECKING:
    from workload_tools.archive.fetching import cache_folder
    from workload_tools.batsim.writer import read_workload, write_workload
    from workload_tools.changes.cleaning import Cleaned, recipe
    from workload_tools.files import written_whole
    from workload_tools.formats import open_log
    from workload_tools.log import gather
    from workload_tools.platform.reader import Platform, read_platform, write_platform
    from workload_tools.swf.log import read_swf
    from workload_tools.swf.writer import write_swf

__all__ = [
    "Cleaned",
    "InputError",
    "Job",
    "LogError",
    "Platform",
    "PlatformError",
    "Report",
    "Workload",
    "WorkloadError",
    "cache_folder",
    "gather",
    "open_log",
    "read_platform",
    "read_swf",
    "read_workload",
    "recipe",
    "write_platform",
    "write_swf",
    "write_workload",
    "written_whole",
]

_MODULES = {
    "Cleaned": "changes.cleaning",
    "Platform": "platform.reader",
    "cache_folder": "archive.fetching",
    "gather": "log",
    "open_log": "formats",
    "read_platform": "platform.reader",
    "read_swf": "swf.log",
    "read_workload": "batsim.writer",
    "recipe": "changes.cleaning",
    "write_platform": "platform.reader",
    "write_swf": "swf.writer",
    "write_workload": "batsim.writer",
    "written_whole": "files",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions and classes
    # readers are imported on demand, because some commands only need the errors
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
