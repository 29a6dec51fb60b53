"""Versions of what our own code does, raised by hand when the same inputs give other results.

A run in a store is known by what determines it, and these stand for the code. The code's digest
would not do: each comment that changes would make all runs anew. ``tests/golden/test_semantics.py``
fails when results change and none of these was raised.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

WHOLE: Mapping[str, int] = MappingProxyType(
    {"logs": 1, "measures": 2, "policy": 1, "shakes": 1, "simulator": 1}
)
"""Of what every run depends on: the readers of logs and their changes, what is measured, the policy
engine with all that has no entry in `PARTS`, shaking, and the simulator."""

RESAMPLES = 1
"""Of resampling, which runs on resamples alone depend on."""

SITES = 4
"""Of nodes and rules of a site, which runs on one alone depend on."""

PARTS: Mapping[str, int] = MappingProxyType(
    {
        "backfilling SlurmBackfilling": 4,
        "max_wait ahead": 2,
        "max_wait backlog": 4,
        "max_wait overtaken": 2,
        "max_wait wait": 2,
        "machine Blocks": 2,
        "predictor PbsReleased": 2,
    }
)
"""Of a part, by kind and class (``predictor Knn``), or of a limit of bounds (``max_wait backlog``),
once its results have changed; 1 before."""

NEUTRAL_OF_PARTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "lxf": {"head_start": 0.0, "exponent": 1.0, "ageing": 0.0},
        "openpbs": {"help_starving_jobs": None, "scheduler_iteration": 0, "strict_ordering": True},
        "safe": {"by": None},
    }
)
"""Options of parts that came later, by the part's name, each with the value that does what was done
before (as `schedulers.options.NEUTRAL` has those of whole schedulers): with that they are left out
of what determines a run, so that a new option makes no run anew."""


def versions_of(parts: Iterable[str]) -> dict[str, int]:
    """Return the versions of all that a run with these parts depends on.

    Parameters
    ----------
    parts
        Kind and class of each.

    Examples
    --------
    >>> versions_of(["predictor LastTwo"])["simulator"]
    1
    """
    return {**WHOLE, **{part: PARTS[part] for part in sorted(parts) if part in PARTS}}
