"""The recipe of a run: how it is made again, on another workload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workload_tools.platform.platform import Platform


@dataclass(frozen=True, slots=True)
class RunRecipe:
    """All that a run was made of but its workload, as `pred_aware.simulate` takes it."""

    policy: Any
    options: Mapping[str, Any]
    """The scheduler: a name, a class or a policy, and its options."""
    platform: Platform
    """The machine."""
    delays: Any
    """``none`` or ``batsim``."""
    jobs_sha256: str = ""
    """Of the jobs file that the run's own workload must give again; empty where that is certain,
    since nothing was read from files."""
