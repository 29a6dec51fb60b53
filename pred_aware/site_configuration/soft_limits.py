"""Whether a site's Slurm plans with soft time limits, and kills by the hard ones alone."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedulers.site.site import Site

FIRST_SAFE = (25, 5, 4)
"""The first version. Versions below it cut jobs, or plan running jobs by their hard limits."""


def slurm_version(site: "Site | None") -> str:
    """Return the version of a site's Slurm; empty where it is unknown."""
    slurm = None if site is None else site.slurm
    return "" if slurm is None else slurm.version or ""


def has_soft_limits(version: str) -> bool:
    """Return whether a version of Slurm has them.

    Examples
    --------
    >>> has_soft_limits("25.05.4"), has_soft_limits("25.05"), has_soft_limits("")
    (True, False, False)
    """
    return tuple(map(int, re.findall(r"\d+", version)[:3])) >= FIRST_SAFE


def no_safe_way(version: str) -> str:
    """Say that a version has none."""
    return (
        f"Slurm {version or 'below 25.05.4'} has no safe way to plan with predictions. Slurm from "
        "25.05.4 on has one (soft time limits)."
    )
