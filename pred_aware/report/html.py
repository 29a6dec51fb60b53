"""Text and tables of logs as HTML."""

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pred_aware.report.table import Cell, Table
from workload_tools.printable import printable

if TYPE_CHECKING:
    import pandas as pd


_ROWS = 10


def table_in_html(title: str, frame: "pd.DataFrame", *, note: str = "") -> str:
    """Return the first rows of a data frame as an HTML table, with a title and a note below.

    Parameters
    ----------
    title, note
        Plain text; it is escaped.
    frame
        The data frame; all texts in it are escaped.
    """
    shown = frame if len(frame) <= 2 * _ROWS else frame.head(_ROWS)
    columns = (frame.index.name or "", *map(str, frame.columns))
    rows = tuple(tuple(map(_cell, row)) for row in shown.itertuples(name=None))
    more = "" if len(shown) == len(frame) else f"<p>… {len(frame) - len(shown):,} more</p>"
    below = f"<p>{escaped(note)}</p>" if note else ""
    table = table_html(Table(title, tuple(map(str, columns)), rows))
    return f"<p><b>{escaped(title)}</b></p>{table}{more}{below}"


def _cell(value: Any) -> str:  # noqa: ANN401 - any cell of a frame
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    return Cell(f"{value:,.6g}", value) if isinstance(value, float) else str(value)


_NO_LINKS: Mapping[str, str] = MappingProxyType({})


def escaped(text: str) -> str:
    r"""Escape text for a page.

    Marks that change the reading direction are also escaped, because they would reorder nearby
    text.

    Examples
    --------
    >>> print(escaped("<b>a\u202eb"))
    &lt;b&gt;a\u202eb
    """
    return escape(printable(text))


def table_html(
    table: "Table", *, links: Mapping[str, str] = _NO_LINKS, rows: Sequence[str] = ()
) -> str:
    """Return a table's columns and rows as HTML; all texts are escaped.

    Parameters
    ----------
    table
        The table; its first column names the rows.
    links
        The anchors of definitions on the page, by the name of a column or row.
    rows
        HTML attributes of each row.
    """

    def named(text: str) -> str:
        link = links.get(text)
        return f'<a href="#{link}">{escaped(text)}</a>' if link else escaped(text)

    lines = ['<table class="words">' if table.words else "<table>"]
    if any(table.columns):
        # an empty cell is not a header
        cells = "".join(
            f'<th scope="col">{named(column)}</th>' if column else "<td></td>"
            for column in table.columns
        )
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    lines.append("<tbody>")
    for place, (first, *others) in enumerate(table.rows):
        more = f" {rows[place]}" if rows else ""
        cells = "".join(f"<td>{escaped(cell)}</td>" for cell in others)
        lines.append(f'<tr{more}><th scope="row">{named(first)}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table>"])
