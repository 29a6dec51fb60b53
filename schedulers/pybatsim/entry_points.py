"""A pybatsim class for each named scheduler; ``pybatsim`` finds them by entry point.

pybatsim has its own ``filler``. Select pred-aware's `filler` with ``policy`` and its option
``backfilling``.
"""

from functools import cache

from schedulers.combinations import COMBINATIONS
from schedulers.pybatsim.adapter import PolicyScheduler


@cache
def __getattr__(name: str) -> type[PolicyScheduler]:
    """Return the class of a scheduler when its entry point is loaded."""
    if name not in COMBINATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return type(name, (PolicyScheduler,), {"name": name, "__module__": __name__})
