"""By Slurm's priority and OpenPBS's calendar the engine gives what the Python parts give, too."""

from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
import pytest

from pred_aware import Workload
from pred_aware.engine.coverage import arrangement_of
from schedulers import make_policy
from tests.pred_aware.engine.comparing import compared
from tests.pred_aware.engine.random_cases import random_case
from tests.pred_aware.engine.random_priorities import with_calendar, with_priority
from tests.schedulers.site.random_runs import site_and_jobs, workload_content
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


def case(seed: int, *, bounded: bool) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and a policy; every other one is under a site's rules."""
    workload, _, policy = random_case(seed)
    site: dict[str, Any] = {}
    content = msgspec.json.decode(workload.raw.content)
    if seed % 2:
        site, jobs = site_and_jobs(seed, nodes=False)
        content = workload_content(site, jobs)
    if not bounded:
        policy = {key: policy[key] for key in policy.keys() - {"max_wait", "min_concordance"}}
    rng = np.random.default_rng(seed)
    with_priority(rng, site, content["jobs"], policy)
    if seed % 3 == 2:
        with_calendar(rng, site, policy)
    return Workload.of(content), {**policy, "site": site}


def _past(folder: Path, seed: int) -> str:
    """Return the name of a log of past jobs."""
    rng = np.random.default_rng(seed)
    path = folder / "past.swf"
    rows = [
        f"{job} {100 * job} {rng.integers(99)} {rng.integers(900)} 2 -1 -1 2 900 -1 1 "
        f"{rng.integers(1, 4)} 1 -1 1 -1 -1 -1"
        for job in range(1, 30)
    ]
    path.write_text("\n".join([*rows, ""]))
    return str(path)


def differences(seed: int, *, bounded: bool = True) -> list[str]:
    """Name what differs between the runs of both."""
    workload, policy = case(seed, bounded=bounded)
    # the jobs of these sites have nothing recorded
    if seed % 2 and "recorded" in repr(policy):
        return []
    with TemporaryDirectory() as folder:
        if not seed % 4 and policy["order"] == "multifactor":
            policy["history"] = _past(Path(folder), seed)
        found, engine = compared(workload, "policy", policy)
    return ["engine"] if not seed % 2 and engine != "arrays" else found


@each_case(
    ("slurm", "covered"),
    [
        ({}, True),
        ({"priority_type": "basic"}, True),
        ({"priority_usage_reset_period": "monthly"}, False),
        ({"priority_flags": ["no_fair_tree"]}, False),
        ({"priority_flags": ["no_fair_tree"], "priority_weight_fairshare": 0}, True),
    ],
)
def test_fair_shares_of_other_kinds_are_left_to_python(
    slurm: dict[str, Any], *, covered: bool
) -> None:
    order = {"name": "multifactor", "slurm": {"priority_weight_fairshare": 1000, **slurm}}
    assert (arrangement_of(make_policy("easy", {"order": order})) is not None) == covered


@each_case(
    ("options", "covered"),
    [
        ({}, True),
        ({"max_wait": 600}, False),
        ({"site": {"cycle": 60}}, True),
        ({"site": {"limits": [{"of": "jobs", "per": "user", "most": 1}]}}, True),
        ({"site": {"limits": [{"of": "processor_minutes", "most": 9}], "slurm": {}}}, False),
    ],
)
def test_a_calendar_within_a_bound_is_left_to_python(
    options: dict[str, Any], *, covered: bool
) -> None:
    policy = make_policy("policy", {"backfilling": "openpbs", **options})
    assert (arrangement_of(policy) is not None) == covered
