"""Write the tables of docs/reference/metrics.md from the measures that there are.

Usage: python docs/make_metrics.py
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pred_aware.metrics.table import MEASURES, QUANTITIES, STATISTICS

PAGE = Path(__file__).parent / "reference" / "metrics.md"
_MADE = re.compile(r"(<!-- (\w+): made by docs/make_metrics.py -->\n).*?(<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """Return the page with its tables made anew."""
    tables = {
        "quantities": _rows(
            ("name", "equation", "unit", "source", "what it hides"),
            (
                (f"`{one.name}`", one.definition, _unit(one.unit), one.source or "-", one.hides)
                for one in QUANTITIES
            ),
        ),
        "statistics": _rows(
            ("name", "how it is made", "source", "what it hides"),
            (
                (f"`{one.name}_...`", one.definition, one.source or "-", one.hides)
                for one in STATISTICS
            ),
        ),
        "others": _rows(
            ("name", "equation", "unit", "better", "source", "what it hides"),
            (
                (f"`{one.name}`", one.definition, _unit(one.unit), one.better, one.source or "-",
                 one.hides)
                for one in MEASURES.values()
                if one.quantity not in {quantity.name for quantity in QUANTITIES}
            ),
        ),
    }  # fmt: skip
    return _MADE.sub(lambda found: found[1] + tables[found[2]] + found[3], text)


def _rows(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    return "".join(_lines(tuple(columns), rows))


def _lines(columns: tuple[str, ...], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |\n"
    yield "|---" * len(columns) + "|\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"


def _unit(unit: str) -> str:
    return {"s": "s", "share": "0 to 1", "times": ""}[unit]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
