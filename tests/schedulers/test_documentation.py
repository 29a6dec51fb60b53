from pathlib import Path

import pytest

from schedulers import COMBINATIONS
from schedulers.backfilling import BACKFILLINGS
from schedulers.corrections import CORRECTIONS
from schedulers.machine.registry import ALLOCATIONS
from schedulers.orders import ORDERS
from schedulers.policy.estimates import OWN_SOURCES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "schedulers.md"
NAMES = sorted(
    {*COMBINATIONS, *OWN_SOURCES}
    | {n for registry in (ALLOCATIONS, BACKFILLINGS, CORRECTIONS, ORDERS) for n in registry.names()}
)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE.read_text(encoding="utf-8")
