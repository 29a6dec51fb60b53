"""On a site's nodes the engine gives what the Python parts give, too."""

import os
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from pred_aware import Workload, simulate
from pred_aware.engine.coverage import arrangement_of
from predictors.compile_cache import VARIABLE
from schedulers import make_policy
from tests.pred_aware.engine.comparing import compared
from tests.pred_aware.engine.random_cases import random_policy
from tests.pred_aware.engine.random_nodes import covered_site, large_site
from tests.pred_aware.engine.random_priorities import with_priority
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
NOT_COVERED = ("recorded",)


def case(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """Return a small site with rules or a large one, jobs, and a policy, some by priority."""
    site, jobs = covered_site(seed) if seed % 2 else large_site(seed)
    policy = policy_of(seed)
    if seed % 5 < 2:
        with_priority(np.random.default_rng(seed), site, jobs, policy)
    return site, jobs, policy


def policy_of(seed: int) -> dict[str, Any]:
    """Return a policy on nodes, of which the order may be another."""
    rng = np.random.default_rng(seed)
    policy = random_policy(rng)
    while any(word in repr(policy) for word in NOT_COVERED):
        policy = random_policy(rng)
    del policy["allocation"]
    return {**policy, "ties": "submission"}


def differences(seed: int) -> list[str]:
    """Name what differs between the runs of both."""
    site, jobs, policy = case(seed)
    size = sum(one["count"] * one["cores"] * one.get("threads", 1) for one in site["nodes"])
    profiles = {one["profile"]: {"type": "delay", "delay": float(one["profile"])} for one in jobs}
    workload = Workload.of({"nb_res": size, "jobs": jobs, "profiles": profiles})
    return compared(workload, "policy", {"site": site, **policy})[0]


def engine_for(asked: dict[str, Any]) -> str:
    """Return which engine simulates a job on nodes with GPUs, where the arrays are asked for."""
    os.environ[VARIABLE] = "arrays"
    job = {"id": 1, "subtime": 0, "res": 2, "walltime": 9, "profile": "D", **asked}
    profiles = {"D": {"type": "delay", "delay": 5}}
    workload = Workload.of({"nb_res": 8, "jobs": [job], "profiles": profiles})
    site = {"nodes": [{"name": "n", "count": 2, "cores": 4, "gpus": {"a": 1}}]}
    return str((simulate(workload, "easy", options={"site": site}).provenance or {})["engine"])


@each_case(
    ("more", "covered"),
    [
        ({}, True),
        ({"backfilling": "filler"}, True),
        ({"reservations": 2}, True),
        ({"max_wait": 60.0}, True),
        ({"reservations": 2, "max_wait": 60.0}, True),
        ({"ties": "id"}, False),
        ({"backfilling": "conservative"}, True),
        ({"outages": [{"nodes": "n1", "begin": 0, "end": 9}]}, True),
        ({"reservations": [{"name": "r", "nodes": "n1", "begin": 0, "end": 9}]}, False),
        ({"limits": [{"of": "nodes", "most": 1, "per": "user"}]}, True),
    ],
)
def test_what_nodes_are_not_covered_with_is_left_to_python(
    more: dict[str, Any], *, covered: bool
) -> None:
    site: dict[str, Any] = {"nodes": [{"name": "n", "count": 2, "cores": 4}]}
    options: dict[str, Any] = {"backfilling": "easy", "site": site}
    for name, value in more.items():
        (site if isinstance(value, list) else options)[name] = value
    assert (arrangement_of(make_policy("policy", options)) is not None) == covered
