"""Write the tables of docs/reference/metrics.md: the measures that there are.

Usage: python -m docs.make_tables

A table stands between two comments of the page, of which the first has its name.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pred_aware.metrics.table import MEASURES, QUANTITIES, STATISTICS

DOCS = Path(__file__).parent
PAGE = DOCS / "reference" / "metrics.md"
_MADE = re.compile(
    r"(<!-- ([\w-]+): made by docs/make_tables.py -->\n).*?(<!-- end -->)", re.DOTALL
)


def with_tables(text: str) -> str:
    """Return the page with its tables made anew."""
    made = tables()
    return _MADE.sub(lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}", text)


def tables() -> dict[str, str]:
    """Return the tables of quantities, statistics and other measures."""
    return {
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


def _rows(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    return "\n".join(_lines(tuple(columns), rows))


def _lines(columns: tuple[str, ...], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _unit(unit: str) -> str:
    return {"s": "s", "share": "0 to 1", "times": ""}[unit]


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), encoding="utf-8")
