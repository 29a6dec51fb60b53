"""The description of a part lists its options, which make an equal part."""

from typing import Any

import pytest

from predictors import OptionError
from predictors.registry import Registry
from schedulers.backfilling import BACKFILLINGS
from schedulers.corrections import CORRECTIONS
from schedulers.orders import ORDERS
from schedulers.slurm.backfilling import SlurmBackfilling
from tests.suites import each_case

SLURM_OPTIONS = list(SlurmBackfilling.OPTIONS)
GIVEN: dict[str, dict[str, Any]] = {
    "lxf": {"head_start": 3600.0, "exponent": 0.6, "ageing": 4.0},
    "multifactor": {"slurm": {"priority_weight_age": 1000}},
    "pbs": {"openpbs": {"job_sort_formula": "ncpus"}},
    "weighted": {"weights": {"sjf": 1.0, "wfp": 600.0}},
    "easy": {"candidates": "shortest", "reservations": 5},
    "conservative": {"candidates": "shortest"},
    "filler": {"candidates": "shortest"},
    "openpbs": {
        "strict_ordering": None, "backfill_depth": 5, "opt_backfill_fuzzy": "high",
        "scheduler_iteration": 600, "help_starving_jobs": True,
    },
    "slurm": dict.fromkeys(SLURM_OPTIONS) | {"bf_interval": 60},
    "next_longer": {"walltimes": [600, 3600]},
}  # fmt: skip
PARTS = [
    (registry, name)
    for registry in (ORDERS, BACKFILLINGS, CORRECTIONS)
    for name in registry.names()
]


@each_case(("registry", "name"), PARTS)
def test_a_part_has_its_options(registry: Registry, name: str) -> None:
    options = {} if (registry, name) == (CORRECTIONS, "openpbs") else GIVEN.get(name, {})
    described = registry.describe(registry.make({"name": name, **options}))
    assert {"name": name, **options}.items() <= described.items()
    assert registry.describe(registry.make(described)) == described


def test_defaults_are_described() -> None:
    easy = {"name": "easy", "candidates": "queue", "reservations": 1}
    assert BACKFILLINGS.describe(BACKFILLINGS.make("easy")) == easy
    assert CORRECTIONS.describe(CORRECTIONS.make("next_longer"))["walltimes"][0] == 900.0


class Slow:
    """A user's order that does not store its option."""

    def __init__(self, factor: float = 2.0) -> None:
        self._factor = factor


def test_a_part_that_does_not_store_its_options_is_named() -> None:
    with pytest.raises(OptionError, match="Slow' does not store factor: its class must store"):
        ORDERS.describe(Slow())
