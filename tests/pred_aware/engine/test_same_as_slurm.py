"""Scheduling as Slurm does the engine gives what the Python parts give, too."""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from pred_aware import Run, Workload, read_log, simulate
from pred_aware.engine.coverage import arrangement_of
from pred_aware.simulator.errors import DeadlockError
from predictors.compile_cache import VARIABLE
from schedulers import make_policy
from schedulers.slurm.backfilling import SlurmBackfilling
from tests.pred_aware.engine.comparing import unlike
from tests.pred_aware.engine.random_cases import random_case
from tests.pred_aware.engine.random_priorities import with_priority
from tests.pred_aware.engine.random_slurm import (
    make_longer,
    on_a_larger_machine,
    on_nodes,
    with_slurm,
)
from tests.pred_aware.engine.test_same_on_nodes import policy_of
from tests.schedulers.site.random_runs import site_and_jobs, workload_content
from tests.schedulers.slurm.free_run import shaken
from tests.schedulers.slurm.recorded_state import SECONDS, site_of_recording
from tests.shared_slurm import read_recording
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
LEFT = "left to Python"


class LeftToPythonError(Exception):
    """The engine does not cover what was asked."""


def case(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and a policy; every other one is under a site's rules."""
    workload, _, policy = random_case(seed)
    rng = np.random.default_rng(seed)
    site: dict[str, Any] = {}
    content = msgspec.json.decode(workload.raw.content)
    if seed % 2:
        site, jobs = site_and_jobs(seed, nodes=False)
        content = workload_content(site, jobs)
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


def case_on_nodes(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and a policy on a site's nodes."""
    site, jobs = on_nodes(seed)
    policy, rng = policy_of(seed), np.random.default_rng(seed)
    with_priority(rng, site, jobs, policy)
    with_slurm(rng, site, policy)
    if rng.random() < 0.7:
        # else the jobs of several partitions are left to Python
        site["slurm"].update(priority_weight_partition=0.0, priority_weight_tres={})
    size = sum(one["count"] * one["cores"] * one.get("threads", 1) for one in site["nodes"])
    profiles = {one["profile"]: {"type": "delay", "delay": float(one["profile"])} for one in jobs}
    workload = Workload.of({"nb_res": size, "jobs": jobs, "profiles": profiles})
    return workload, {**policy, "site": site}


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
    in_python = not seed % 2 and (runs[1].provenance or {})["engine"] != "arrays"
    return ["engine"] if in_python else unlike(runs)


def differences_on_nodes(seed: int) -> list[str]:
    """Likewise, on a site's nodes; or that it is left to Python."""
    workload, policy = case_on_nodes(seed)
    os.environ[VARIABLE] = "arrays"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("pred_aware.execution.simulate"), "_in_python", leave)
        try:
            run = simulate(workload, "policy", options=policy)
        except LeftToPythonError:
            return [LEFT]
    os.environ[VARIABLE] = "python"
    return unlike([simulate(workload, "policy", options=policy), run])


def leave(*_: object, **__: object) -> None:
    """Simulate nothing."""
    raise LeftToPythonError


@pytest.mark.slow
def test_a_recorded_slurm_agrees(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the other recordings have something else compiled, for minutes
    folder = shared / "slurm" / "fairshare"
    content = shaken(read_recording(folder), 1, SECONDS["fairshare"])
    site = replace(site_of_recording(folder), start=0.0)
    runs = []
    for engine in ("python", "arrays"):
        monkeypatch.setenv(VARIABLE, engine)
        runs.append(simulate(Workload.of(content), "slurm", site=site))
    assert (runs[1].provenance or {})["engine"] == "arrays"
    assert unlike(runs) == []


@pytest.mark.slow
def test_kth_agrees(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = read_log(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")
    monkeypatch.setattr(SlurmBackfilling, "bf_interval", 600)
    runs = []
    for engine in ("python", "arrays"):
        monkeypatch.setenv(VARIABLE, engine)
        runs.append(simulate(log.workload, "slurm", options={"estimates": "last_two"}))
    assert (runs[1].provenance or {})["engine"] == "arrays"
    assert unlike(runs) == []


@each_case(
    ("options", "covered"),
    [
        ({}, True),
        ({"site": {"slurm": {"defer": True}, "limits": [{"of": "jobs", "most": 1}]}}, True),
        ({"site": {"limits": [{"of": "processor_minutes", "most": 9}], "slurm": {}}}, True),
        ({"allocation": "best_fit"}, False),
        ({"site": {"slurm": {"bf_max_job_user": 3}}}, True),
        ({"site": {"limits": [{"of": "licences", "licence": "mesh", "most": 2}]}}, False),
        ({"site": {"nodes": [{"name": "a", "count": 2, "cores": 2}]}}, True),
    ],
)
def test_what_it_plans_by_otherwise_is_left_to_python(
    options: dict[str, Any], *, covered: bool
) -> None:
    policy = make_policy("policy", {"backfilling": "slurm", **options})
    assert (arrangement_of(policy) is not None) == covered
