"""The terminal, and the one way in which text gets to it."""

import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from workload_tools.printable import printable

IN_A_FILE = 120
"""How many columns tables have that are not written to a terminal."""


class Terminal(Console):
    r"""A console that passes on no control characters, whoever's text they are in.

    Cells of tables, their titles and plain lines all become `Text` by `render_str`.

    Examples
    --------
    >>> Terminal(width=40).print("\x1b[2Jann")
    \x1b[2Jann
    """

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - as `Console` has them
        """Make text of a string; what is no sign to be seen is written as Python does."""
        return super().render_str(printable(text), **options)


def console() -> Terminal:
    """Return the console for results: as wide as the terminal, or 120 columns in a file."""
    return Terminal(width=None if sys.stdout.isatty() else IN_A_FILE, highlight=False)


def for_lines() -> Terminal:
    """Return the console for lines that stand as they are, however long."""
    return Terminal(highlight=False, soft_wrap=True, markup=False)
