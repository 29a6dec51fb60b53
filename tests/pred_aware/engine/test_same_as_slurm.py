"""Scheduling as Slurm does the engine gives what the Python parts give, too."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from pred_aware import Run, Workload, read_log, simulate
from pred_aware.engine.coverage import arrangement_of
from pred_aware.simulator.errors import DeadlockError
from predictors.compile_cache import VARIABLE
from schedulers import make_policy
from schedulers.slurm.backfilling import SlurmBackfilling
from tests.pred_aware.command import python
from tests.pred_aware.engine.random_cases import random_case
from tests.pred_aware.engine.random_priorities import with_priority
from tests.pred_aware.engine.random_slurm import make_longer, on_a_larger_machine, with_slurm
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
seeds = (*range(4, 12), 13, *range(15, 18), *range(19, 26))
print({seed: found for seed in seeds if (found := differences(seed))})
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
    if rng.random() < 0.5 and "recorded" not in repr(policy):
        make_longer(rng, content)
    with_priority(rng, site, content["jobs"], policy)
    with_slurm(rng, site, policy)
    if seed % 4:
        policy["site"] = site
    elif policy["order"] == "multifactor":
        policy["order"] = "wfp"
    return Workload.of(content), policy


def differences(seed: int) -> list[str]:
    """Name what differs between the runs of both."""
    workload, policy = case(seed)
    # the jobs of these sites have nothing recorded
    if seed % 2 and "recorded" in repr(policy):
        return []
    runs: list[Run] = []
    errors: list[str] = []
    for engine in ("python", "arrays"):
        os.environ[VARIABLE] = engine
        try:
            runs.append(simulate(workload, "policy", options=policy))
        except DeadlockError as error:
            errors.append(str(error))
    if errors:
        return [] if len(set(errors)) == 1 and not runs else errors
    one, other = runs
    if not seed % 2 and (other.made or {})["engine"] != "arrays":
        return ["engine"]
    stops = ["stops"] if one.content("stops") != other.content("stops") else []
    return unlike(runs) + stops


def test_schedules_that_are_not_compiled_are_the_same(tmp_path: Path) -> None:
    settings = {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path)}
    tests = str(Path(__file__).parents[2])
    code, out, _ = python("-c", UNCOMPILED, tests, env={**os.environ, **settings})
    assert (code, out) == (0, "{}\n")


@pytest.mark.slow
def test_random_schedules_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    found = {seed: differences(seed) for seed in range(100, 500, 2)}
    assert {seed: what for seed, what in found.items() if what} == {}


@pytest.mark.large
@pytest.mark.parametrize("thousand", range(1, 5))
def test_many_random_schedules_agree(monkeypatch: pytest.MonkeyPatch, thousand: int) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    seeds = range(1000 * thousand, 1000 * thousand + 1000)
    assert {seed: what for seed in seeds if (what := differences(seed))} == {}


@pytest.mark.slow
def test_kth_agrees(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = read_log(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")
    monkeypatch.setattr(SlurmBackfilling, "bf_interval", 600)
    runs = []
    for engine in ("python", "arrays"):
        monkeypatch.setenv(VARIABLE, engine)
        runs.append(simulate(log.workload, "slurm", options={"estimates": "last_two"}))
    assert (runs[1].made or {})["engine"] == "arrays"
    assert unlike(runs) == []


@pytest.mark.parametrize(
    ("options", "covered"),
    [
        ({}, True),
        ({"site": {"slurm": {"defer": True}, "limits": [{"of": "jobs", "most": 1}]}}, True),
        ({"allocation": "best_fit"}, False),
        ({"site": {"slurm": {"bf_max_job_user": 3}}}, True),
        ({"site": {"limits": [{"of": "licences", "licence": "mesh", "most": 2}]}}, False),
        ({"site": {"nodes": [{"name": "a", "count": 2, "cores": 2}]}}, False),
    ],
)
def test_what_it_plans_by_otherwise_is_left_to_python(
    options: dict[str, Any], *, covered: bool
) -> None:
    policy = make_policy("policy", {"backfilling": "slurm", **options})
    assert (arrangement_of(policy) is not None) == covered
