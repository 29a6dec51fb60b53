"""What the engine simulates is to the last byte what the Python parts give, in every family."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from predictors.compile_cache import VARIABLE
from tests.uncompiled import uncompiled

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
UNCOMPILED = """
from tests.pred_aware.engine import test_same_on_nodes as nodes
from tests.pred_aware.engine.families import unlike
print(unlike({kind!r}), nodes.engine_for({{}}), nodes.engine_for({{"gpu": 1}}))
"""
A_FAULT = """
from schedulers.site.stopped import LimitsOverTime
from tests.pred_aware.engine.calendar_cases import differences
begun = LimitsOverTime.__init__

def with_a_fault(limits, gate, plan, now):
    begun(limits, gate, plan, now)
    limits._ends = {number: end + 1e-6 for number, end in limits._ends.items()}

LimitsOverTime.__init__ = with_a_fault
print([seed for seed in (5, 14) if differences(seed)])
"""


@pytest.mark.parametrize("kind", ["few", pytest.param("more", marks=pytest.mark.slow)])
def test_every_family_agrees_uncompiled(tmp_path: Path, kind: str) -> None:
    # Python finds what lies outside of an array, which compiled loops don't
    assert uncompiled(UNCOMPILED.format(kind=kind), tmp_path) == "{} arrays arrays\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["own, compiled", "batsched", "openpbs, compiled", "slurm", "sites", "priorities, compiled"],
)
def test_families_agree_compiled(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    from tests.pred_aware.engine.families import FAMILIES

    monkeypatch.setenv(VARIABLE, "arrays")
    family = FAMILIES[name]
    assert family.compiled is not None
    found = {seed: family.differences(seed) for seed in family.compiled()}
    assert {seed: what for seed, what in found.items() if what} == {}


@pytest.mark.slow
def test_a_microsecond_more_in_the_plan_of_limits_is_found(tmp_path: Path) -> None:
    assert uncompiled(A_FAULT, tmp_path) == "[5, 14]\n"
