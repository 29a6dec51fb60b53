from pathlib import Path

from schedulers import COMBINATIONS
from schedulers.backfilling import BACKFILLINGS
from schedulers.core.estimates import OWN_SOURCES
from schedulers.corrections import CORRECTIONS
from schedulers.machine.registry import ALLOCATIONS
from schedulers.orders import ORDERS

DOCS = Path(__file__).parents[2] / "docs" / "reference"
PAGES = [DOCS / "schedulers.md", DOCS / "named-schedulers.md"]
NAMES = sorted(
    {*COMBINATIONS, *OWN_SOURCES}
    | {n for registry in (ALLOCATIONS, BACKFILLINGS, CORRECTIONS, ORDERS) for n in registry.names()}
)


def test_every_scheduler_name_is_on_the_pages() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in NAMES if f"`{name}`" not in text] == []
