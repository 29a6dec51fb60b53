"""By OpenPBS's calendar beside a site's limits the engine gives what the Python parts give, too."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from pred_aware import Workload
from tests.pred_aware.engine.comparing import compared
from tests.pred_aware.engine.random_cases import random_policy
from tests.pred_aware.engine.random_priorities import with_calendar, with_priority
from tests.schedulers.site.random_runs import site_and_jobs, workload_content

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


def case(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and a policy that plans by a calendar, on a site with limits."""
    rng = np.random.default_rng(seed)
    site, jobs = site_and_jobs(seed, nodes=False)
    policy = random_policy(rng)
    # the jobs of these sites have nothing recorded, and predictors are asked of sites elsewhere
    if any(word in repr(policy) for word in ("recorded", "pbs_v3", "knn", "safe")):
        policy["estimates"] = "walltime"
    with_calendar(rng, site, policy)
    if rng.random() < 0.2:
        with_priority(rng, site, jobs, policy)
    # busier than these jobs are, so that some wait for limits beside others that run
    jobs += [{**job, "id": job["id"] + 100, "res": 1, "user_id": "ann"} for job in jobs]
    return Workload.of(workload_content(site, jobs)), {**policy, "site": site}


def differences(seed: int) -> list[str]:
    """Name what differs between the runs of both."""
    workload, policy = case(seed)
    return compared(workload, "policy", policy)[0]
