"""Under a site's rules the engine gives what the Python parts give, too."""

import os
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from pred_aware import Run, Workload, simulate
from predictors.compile_cache import VARIABLE
from tests.pred_aware.engine.random_cases import random_policy
from tests.pred_aware.engine.test_same_results import unlike
from tests.schedulers.site.random_runs import POLICIES, made, run_of

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
    site, jobs = made(seed, nodes=False)
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
    one, other = runs
    if (other.made or {})["engine"] != "arrays" and not _in_python(policy):
        return ["engine"]
    stops = ["stops"] if one.content("stops") != other.content("stops") else []
    return unlike(runs) + stops


def is_bounded(policy: dict[str, Any]) -> bool:
    return bool(BOUNDED & policy.keys()) or policy["policy"] == "recommended"


def _in_python(policy: dict[str, Any]) -> bool:
    """Say whether the engine leaves a policy to Python, on some sites at least."""
    return any(word in repr(policy) for word in (*ASKED, *NOT_COVERED))


@pytest.mark.slow
def test_random_sites_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    # those that take another minute to compile, bounds, trust and calendars, are among the large
    others = [seed for seed in range(600, 800) if not is_bounded(policy_of(seed))]
    seeds = [seed for seed in others if "openpbs" not in repr(policy_of(seed))]
    assert {seed: found for seed in seeds if (found := differences(seed))} == {}


@pytest.mark.large
@pytest.mark.parametrize("thousand", range(10, 14))
def test_many_random_sites_agree(monkeypatch: pytest.MonkeyPatch, thousand: int) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    seeds = range(1000 * thousand, 1000 * thousand + 1000)
    assert {seed: found for seed in seeds if (found := differences(seed))} == {}


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
    runs = []
    for engine in ("python", "arrays"):
        monkeypatch.setenv(VARIABLE, engine)
        runs.append(simulate(workload, "easy", site=site))
        assert (runs[-1].made or {})["engine"] == engine
    assert unlike(runs) == []
    assert runs[0].content("stops") == runs[1].content("stops")
