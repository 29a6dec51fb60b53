"""The terminal. All output passes through this module."""

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Printed
from rich.text import Text

from pred_aware.report.table import Table
from workload_tools.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pred_aware.report.sentence import Block

IN_A_FILE = 120
"""The width of tables in characters, if the output is not a terminal."""


class Terminal(Console):
    r"""A console that escapes control characters in all texts.

    Table cells, titles and lines all pass through `render_str`.

    Examples
    --------
    >>> Terminal(width=40).print("\x1b[2Jann")
    \x1b[2Jann
    """

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - as `Console` has them
        """Turn a string into text. Invisible characters are escaped as in Python."""
        return super().render_str(printable(text), **options)


def console() -> Terminal:
    """Return the console for results: as wide as the terminal, or 120 columns in a file."""
    return Terminal(width=None if sys.stdout.isatty() else IN_A_FILE, highlight=False)


def for_lines() -> Terminal:
    """Return the console for lines, which are never wrapped."""
    return Terminal(highlight=False, soft_wrap=True, markup=False)


def show(blocks: "Iterable[Block]", to: Console) -> None:
    """Print tables and remarks, without pictures.

    Parameters
    ----------
    blocks
        The tables, pictures and remarks, from top to bottom.
    to
        The terminal. A table that is wider than the terminal is split, so that no number is cut.
    """
    for block in blocks:
        if isinstance(block, Table):
            for table in block.abreast(to.width):
                _print(table, to)
        elif isinstance(block, tuple):
            for one in block:
                mark, style = ("! ", "yellow") if one.odd else ("", "bold" if one.strong else "")
                to.print(f"{mark}{one.text} {one.more}".rstrip(), style=style, markup=False)


def _print(table: Table, to: Console) -> None:
    names = sum(max(len(name), table.width(place)) + 3 for place, name in enumerate(table.columns))
    tight = not table.words and names >= to.width
    printed = Printed(title=escape(table.title), title_justify="left", title_style="bold")
    for place, name in enumerate(table.columns):
        printed.add_column(
            escape(name),
            justify="left" if table.words or place == 0 else "right",
            overflow="fold",
            # rich would shrink the widest column, even a column of numbers
            width=table.width(place) if tight else None,
        )
    for row in table.rows:
        printed.add_row(*map(escape, row))
    to.print(printed)
    if table.note:
        to.print(table.note, markup=False, style="dim")
