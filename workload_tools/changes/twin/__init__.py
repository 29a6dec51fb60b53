"""A twin of a log: a log that behaves alike and can be published if the original cannot."""

from workload_tools.changes.twin.closeness import Closeness, Disclosure, closeness, disclosure
from workload_tools.changes.twin.twin_log import TwinLog, TwinOptions

__all__ = ["Closeness", "Disclosure", "TwinLog", "TwinOptions", "closeness", "disclosure"]
