"""A twin of a log: another log that behaves like it, to be shown where the log can't be."""

from workload_tools.changes.twin.closeness import Closeness, Disclosure, closeness, disclosure
from workload_tools.changes.twin.twin_log import TwinLog, TwinOptions

__all__ = ["Closeness", "Disclosure", "TwinLog", "TwinOptions", "closeness", "disclosure"]
