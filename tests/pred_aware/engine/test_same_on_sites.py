"""Under a site's rules the engine gives what the Python parts give, too."""

import os
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from pred_aware import Run, Workload
from predictors.compile_cache import VARIABLE
from tests.pred_aware.engine.comparing import both, unlike
from tests.pred_aware.engine.random_cases import random_policy
from tests.schedulers.site.random_runs import POLICIES, run_of, site_and_jobs

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
BOUNDED = frozenset({"max_wait", "min_concordance"})
ASKED = ("pbs_v3", "knn", "safe", "recommended")
NOT_COVERED = ("slurm",)
_TIMES = 20


def policy_of(seed: int) -> dict[str, Any]:
    drawn = {"policy": "policy", **random_policy(np.random.default_rng(seed))}
    # the jobs of these sites have nothing recorded
    if seed % 2 or "recorded" in repr(drawn):
        return POLICIES[seed // 2 % len(POLICIES)]
    return drawn


def differences(
    seed: int, policy: dict[str, Any] | None = None, *, as_slurm: bool = False
) -> list[str]:
    """Name what differs between the runs of both on a random site; minutes may be Slurm's."""
    site, jobs = site_and_jobs(seed, nodes=False)
    if as_slurm:
        for job in jobs:
            job.update(
                {name: _TIMES * job[name] for name in ("subtime", "walltime") if name in job}
            )
            job["profile"] = str(_TIMES * int(job["profile"]))
        site["slurm"] = {"priority_calc_period": 60.0 + 10.0 * seed}
        minutes = {"of": "processor_minutes", "most": 2 + seed % 7, "above": "alone"}
        site.setdefault("limits", []).append({**minutes, "per": "user"})
    policy = policy or policy_of(seed)
    runs: list[Run] = []
    for engine in ("python", "arrays"):
        os.environ[VARIABLE] = engine
        runs.append(run_of(site, jobs, policy))
    in_python = (runs[1].provenance or {})["engine"] != "arrays" and not _in_python(policy)
    return ["engine"] if in_python else unlike(runs)


def takes_another_minute(seed: int) -> bool:
    """Say whether a case has bounds, trust or a calendar, which are compiled by themselves."""
    policy = policy_of(seed)
    bounded = bool(BOUNDED & policy.keys()) or policy["policy"] == "recommended"
    return bounded or "openpbs" in repr(policy)


def _in_python(policy: dict[str, Any]) -> bool:
    """Say whether the engine leaves a policy to Python, on some sites at least."""
    return any(word in repr(policy) for word in (*ASKED, *NOT_COVERED))


@pytest.mark.slow
def test_windows_go_on_beyond_the_hours_that_are_known_at_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    day = 86400.0
    jobs = [
        {"id": n, "subtime": 0, "res": 4, "walltime": 20 * day, "profile": "D", "user_id": n}
        for n in range(9)
    ]
    profiles = {"D": {"type": "delay", "delay": 15.3 * day}}
    workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    site = {"start": 0.0, "windows": [{"days": "Mon-Thu", "closed": "08:00-20:00"}]}
    assert unlike(both(monkeypatch, workload, "easy", {"site": site})) == []
