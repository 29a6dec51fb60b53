from docs.make_tables import DOCS
from pred_aware.metrics import MEASURES
from pred_aware.metrics.table import QUANTITIES, STATISTICS


def test_every_measure_is_on_the_page_by_its_name_or_its_two_parts() -> None:
    text = (DOCS / "reference" / "metrics.md").read_text(encoding="utf-8")
    parts = {f"{one.name}_{of.name}" for one in STATISTICS for of in QUANTITIES}
    assert parts <= set(MEASURES)
    for one in (*STATISTICS, *QUANTITIES):
        assert f"| `{one.name}" in text
    for name in set(MEASURES) - parts:
        assert f"| `{name}` |" in text
