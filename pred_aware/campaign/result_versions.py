"""Versions of pred-aware's own code, increased by hand when equal inputs give other results.

The digest of a run depends on its inputs and on these versions. A digest of the code itself would
change with every comment and repeat all runs. ``tests/golden/test_semantics.py`` fails when results
change but no version was increased.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

WHOLE: Mapping[str, int] = MappingProxyType(
    {"logs": 1, "measures": 2, "policy": 1, "shakes": 1, "simulator": 1}
)
"""Versions of the parts that all runs use: log readers, measures, policy engine, simulator.

The policy engine includes everything that has no entry in `PARTS`.
"""

RESAMPLES = 1
"""Version of resampling, for runs on resamples only."""

SITES = 4
"""Version of a site's nodes and rules, for runs on a site only."""

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
"""Versions of parts, by kind and class (``predictor Knn``), or of limits (``max_wait backlog``).

A part whose results never changed has version 1.
"""

NEUTRAL_OF_PARTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "lxf": {"head_start": 0.0, "exponent": 1.0, "ageing": 0.0},
        "openpbs": {"help_starving_jobs": None, "scheduler_iteration": 0, "strict_ordering": True},
        "safe": {"by": None},
    }
)
"""Options that were added to parts later, by the part's name, with the value of the old behaviour.

An option with this value is left out of a run's digest, so that a new option repeats no run.
`schedulers.options.NEUTRAL` has the same for whole schedulers.
"""


def versions_of(parts: Iterable[str]) -> dict[str, int]:
    """Return the versions of everything that a run with these parts depends on.

    Parameters
    ----------
    parts
        Kind and class of each part.

    Examples
    --------
    >>> versions_of(["predictor LastTwo"])["simulator"]
    1
    """
    return {**WHOLE, **{part: PARTS[part] for part in sorted(parts) if part in PARTS}}
