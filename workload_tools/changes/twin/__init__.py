"""The twin of a log: a synthetic log that resembles a log that cannot be published."""

from workload_tools.changes.twin.closeness import Closeness, Disclosure, closeness, disclosure
from workload_tools.changes.twin.twin_log import TwinLog, TwinOptions

__all__ = ["Closeness", "Disclosure", "TwinLog", "TwinOptions", "closeness", "disclosure"]
