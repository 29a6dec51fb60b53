"""Values as a notebook shows them."""

from typing import TYPE_CHECKING, Any

from pred_aware.report.html import escaped, table_html
from pred_aware.report.table import Cell, Table

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 10


def table_in_html(title: str, frame: "pd.DataFrame", *, note: str = "") -> str:
    """Return a table's first rows as HTML, with a title and a note below.

    Parameters
    ----------
    title, note
        Text, as it is.
    frame
        The table; everything in it is escaped.
    """
    shown = frame if len(frame) <= 2 * _ROWS else frame.head(_ROWS)
    columns = (frame.index.name or "", *map(str, frame.columns))
    rows = tuple(tuple(map(_cell, row)) for row in shown.itertuples(name=None))
    more = "" if len(shown) == len(frame) else f"<p>… {len(frame) - len(shown):,} more</p>"
    below = f"<p>{escaped(note)}</p>" if note else ""
    table = table_html(Table(title, tuple(map(str, columns)), rows))
    return f"<p><b>{escaped(title)}</b></p>{table}{more}{below}"


def _cell(value: Any) -> str:  # noqa: ANN401 - whatever a frame holds
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    return Cell(f"{value:,.6g}", value) if isinstance(value, float) else str(value)
