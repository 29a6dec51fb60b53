"""Scheduling as Slurm does the engine gives what the Python parts give, too."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from pred_aware import Run, Workload, simulate
from pred_aware.engine.coverage import arrangement_of
from predictors.compile_cache import VARIABLE
from schedulers import make_policy
from tests.pred_aware.command import python
from tests.pred_aware.engine.random_cases import random_case
from tests.pred_aware.engine.random_priorities import with_priority
from tests.pred_aware.engine.random_slurm import on_a_larger_machine, with_slurm
from tests.pred_aware.engine.test_same_results import unlike
from tests.schedulers.site.random_runs import made, processors_of

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
UNCOMPILED = """
import sys
from types import ModuleType
tests = sys.modules["tests"] = ModuleType("tests")
tests.__path__ = [sys.argv[1]]
from tests.pred_aware.engine.test_same_as_slurm import differences
print({seed: found for seed in range(12) if (found := differences(seed))})
"""


def case(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and a policy; every other one is under a site's rules."""
    workload, _, policy = random_case(seed)
    rng = np.random.default_rng(seed)
    site: dict[str, Any] = {}
    content = msgspec.json.decode(workload.raw.content)
    if seed % 2:
        site, jobs = made(seed, nodes=False)
        profiles = {one["profile"]: {"type": "delay", "delay": one["profile"]} for one in jobs}
        for profile in profiles.values():
            profile["delay"] = float(profile["delay"])
        content = {"nb_res": processors_of(site), "jobs": jobs, "profiles": profiles}
    elif rng.random() < 0.5:
        on_a_larger_machine(rng, content)
    with_priority(rng, site, content["jobs"], policy)
    with_slurm(rng, site, policy)
    return Workload.of(content), {**policy, "site": site}


def differences(seed: int) -> list[str]:
    """Name what differs between the runs of both."""
    workload, policy = case(seed)
    # the jobs of these sites have nothing recorded
    if seed % 2 and "recorded" in repr(policy):
        return []
    runs: list[Run] = []
    for engine in ("python", "arrays"):
        os.environ[VARIABLE] = engine
        runs.append(simulate(workload, "policy", options=policy))
    one, other = runs
    if not seed % 2 and (other.made or {})["engine"] != "arrays":
        return ["engine"]
    stops = ["stops"] if one.content("stops") != other.content("stops") else []
    return unlike(runs) + stops
