"""Write the tables of the pages that are made of kept results and of claims.

Usage: python research/make_tables.py [FOLDER/claims.json ...]

With files of `pred-aware reproduce` these are kept first, in research/results. A table stands
between two comments of its page, of which the first has its name.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from made import measured, papers, what_holds

DOCS = Path(__file__).parent / "docs"
PAGES: Mapping[str, Callable[[], dict[str, str]]] = {
    "fidelity.md": measured.fidelity,
    "intervals-measured.md": measured.intervals,
    "paper004.md": measured.paper004,
    "papers.md": papers.tables,
    "what-holds.md": lambda: what_holds.tables(what_holds.kept()),
}
"""What gives the tables of each page, by their names."""
_MADE = re.compile(
    r"(<!-- ([\w-]+): made by research/make_tables.py -->\n).*?(<!-- end -->)", re.DOTALL
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
