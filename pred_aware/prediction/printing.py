"""Sheets on a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pred_aware.prediction.sheets import Sheet


def print_sheets(sheets: Iterable[Sheet], remarks: Iterable[str], to: Console) -> None:
    """Print sheets as tables, and what has to be known of them.

    Parameters
    ----------
    sheets
        Tables of text.
    remarks
        Lines below them.
    to
        The terminal.
    """
    for sheet in sheets:
        table = Table(
            escape(sheet.header[0]),
            title=escape(sheet.title),
            title_justify="left",
            title_style="bold",
        )
        for name in sheet.header[1:]:
            table.add_column(escape(name), justify="right", overflow="fold")
        for row in sheet.rows:
            table.add_row(*map(escape, row))
        to.print(table)
    for remark in remarks:
        to.print(remark, markup=False)
