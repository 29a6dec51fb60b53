"""The directive ``measures``: a table of measures, from the code that computes them."""

from collections.abc import Iterable, Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pred_aware.metrics.table import MEASURES, QUANTITIES, STATISTICS


class Measures(SphinxDirective):
    """Show one table: ``quantities``, ``statistics`` or ``others``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        return self.parse_text_to_nodes(tables()[self.arguments[0]])


def tables() -> dict[str, str]:
    """Return the Markdown tables of quantities, statistics and other measures."""
    return {
        "quantities": _rows(
            ("name", "equation", "unit", "source", "what it hides"),
            (
                (f"`{one.name}`", one.definition, _unit(one.unit), one.source or "-", one.hides)
                for one in QUANTITIES
            ),
        ),
        "statistics": _rows(
            ("name", "how it is computed", "source", "what it hides"),
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


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("measures", Measures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
