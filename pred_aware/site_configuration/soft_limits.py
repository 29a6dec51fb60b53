"""Whether a site's Slurm plans with soft time limits, and kills jobs only at the hard ones."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedulers.site.site import Site

FIRST_SAFE = (25, 5, 4)
"""First version with safe soft limits.

Older versions cut jobs short, or plan running jobs with their hard limits.
"""


def slurm_version(site: "Site | None") -> str:
    """Return the version of a site's Slurm; empty if unknown."""
    slurm = None if site is None else site.slurm
    return "" if slurm is None else slurm.version or ""


def has_soft_limits(version: str) -> bool:
    """Return True if a version of Slurm has safe soft limits.

    Examples
    --------
    >>> has_soft_limits("25.05.4"), has_soft_limits("25.05"), has_soft_limits("")
    (True, False, False)
    """
    return tuple(map(int, re.findall(r"\d+", version)[:3])) >= FIRST_SAFE


def no_safe_way(version: str) -> str:
    """Return a message that a version has no safe soft limits."""
    return (
        f"Slurm {version or 'below 25.05.4'} cannot safely plan with predictions. Slurm from "
        "25.05.4 on can (soft time limits)."
    )
