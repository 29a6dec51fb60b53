"""Write the tables of the pages that are made of something: of kept results, claims, measures.

Usage: python -m docs.make_tables [FOLDER/claims.json ...]

With files of `pred-aware reproduce` these are kept first, in benchmarks/results. A table stands
between two comments of its page, of which the first has its name.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.made import measured, metrics, papers, what_holds

DOCS = Path(__file__).parent
PAGES: Mapping[str, Callable[[], dict[str, str]]] = {
    "evidence/fidelity.md": measured.fidelity,
    "evidence/intervals-measured.md": measured.intervals,
    "evidence/paper004.md": measured.paper004,
    "evidence/papers.md": papers.tables,
    "evidence/what-holds.md": lambda: what_holds.tables(what_holds.kept()),
    "reference/metrics.md": metrics.tables,
}
"""What gives the tables of each page, by their names."""
_MADE = re.compile(
    r"(<!-- ([\w-]+): made by docs/make_tables.py -->\n).*?(<!-- end -->)", re.DOTALL
)


def with_tables(text: str, tables: Mapping[str, str]) -> str:
    """Return a page with its tables made anew."""
    return _MADE.sub(lambda found: f"{found[1]}{tables[found[2]]}\n{found[3]}", text)


if __name__ == "__main__":
    if files := sys.argv[1:]:
        what_holds.keep(map(Path, files))
    for name, tables in PAGES.items():
        page = DOCS / name
        page.write_text(with_tables(page.read_text("utf-8"), tables()), encoding="utf-8")
