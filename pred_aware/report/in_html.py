"""Values as a notebook shows them."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 10


def table_in_html(title: str, table: "pd.DataFrame", *, note: str = "") -> str:
    """Return a table's first rows as HTML, with a title and a note below.

    Parameters
    ----------
    title, note
        Text, as it is.
    table
        The table; everything in it is escaped.
    """
    shown = table if len(table) <= 2 * _ROWS else table.head(_ROWS)
    more = "" if len(shown) == len(table) else f"<p>… {len(table) - len(shown):,} more</p>"
    content = shown.to_html(
        border=0, float_format="{:,.6g}".format, na_rep="", show_dimensions=False
    )
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<p><b>{escape(title)}</b></p>{content}{more}{below}"
