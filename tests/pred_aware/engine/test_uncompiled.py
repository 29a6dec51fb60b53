"""Simulations of every family give uncompiled what the Python parts give.

Python finds what lies outside of an array, which compiled loops don't.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.uncompiled import uncompiled

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
FAMILIES = """
from functools import partial
import pytest
from tests.pred_aware.engine import (
    test_predicting as predicting, test_same_as_batsched as batsched,
    test_same_as_openpbs as openpbs, test_same_as_slurm as slurm,
    test_same_by_calendar as calendar, test_same_on_nodes as nodes, test_same_on_sites as sites,
    test_same_priorities as priorities, test_same_results as results,
)
from tests.pred_aware.engine.nodes_alone import differences_alone
from tests.pred_aware.engine.random_cases import random_case

def own(seed):
    workload, _, policy = random_case(seed)
    with pytest.MonkeyPatch.context() as patch:
        return results.unlike(results.both(patch, workload, policy))

def predicted(seed):
    return predicting.on_sites(range(seed, seed + 1))

families = {
    "own": own, "batsched": batsched.differences, "openpbs": openpbs.differences,
    "slurm": slurm.differences, "slurm on nodes": slurm.differences_on_nodes,
    "calendar": calendar.differences, "nodes alone": differences_alone,
    "nodes": nodes.differences, "sites": sites.differences,
    "sites as slurm": partial(sites.differences, as_slurm=True),
    "priorities": priorities.differences, "predicted": predicted,
}
for name, seeds in SEEDS.items():
    for seed in seeds:
        if found := families[name](seed):
            print(name, seed, found)
print(nodes.engine_for({}), nodes.engine_for({"gpu": 1}), len(SEEDS))
"""
FEW = {
    "own": (2, 3, 4, 6), "batsched": range(5), "openpbs": range(8),
    "slurm": (5, 6, 7, 9, 10, 11), "slurm on nodes": range(1, 6), "calendar": (5, 14),
    "nodes alone": range(10), "nodes": (1, 2, 3, 4, 5, 7), "sites": range(10),
    "sites as slurm": range(4), "priorities": (1, 2, 5, 7), "predicted": (1, 2, 4, 6),
}  # fmt: skip
MORE = {
    "own": range(20), "batsched": range(10), "openpbs": range(16),
    "slurm": (*range(4, 8), *range(9, 12), 13, *range(15, 18), *range(19, 22)),
    "slurm on nodes": (*range(13), *range(14, 26), 135), "calendar": (5, 14, 32),
    "nodes alone": range(20), "nodes": (*range(6), 7, *range(9, 32)), "sites": range(22),
    "sites as slurm": (*range(4), *range(8, 12)),
    # others have thousands of passes, or refuse jobs after their submission
    "priorities": (0, 1, 2, *range(4, 8), *range(9, 13), *range(14, 18)),
    "predicted": (1, 2, 4, *range(6, 12)),
}  # fmt: skip
A_FAULT = """
from schedulers.site.stopped import LimitsOverTime
from tests.pred_aware.engine.test_same_by_calendar import differences
begun = LimitsOverTime.__init__

def with_a_fault(limits, gate, plan, now):
    begun(limits, gate, plan, now)
    limits._ends = {number: end + 1e-6 for number, end in limits._ends.items()}

LimitsOverTime.__init__ = with_a_fault
print([seed for seed in (5, 14) if differences(seed)])
"""


@pytest.mark.parametrize(
    "seeds", [FEW, pytest.param(MORE, marks=pytest.mark.slow)], ids=["few", "more"]
)
def test_every_family_agrees(tmp_path: Path, seeds: dict[str, object]) -> None:
    assert uncompiled(f"SEEDS = {seeds}\n{FAMILIES}", tmp_path) == "arrays arrays 12\n"


@pytest.mark.slow
def test_a_microsecond_more_in_the_plan_of_limits_is_found(tmp_path: Path) -> None:
    assert uncompiled(A_FAULT, tmp_path) == "[5, 14]\n"
