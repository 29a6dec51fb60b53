"""Measured predictions as one page that needs nothing else."""

import base64
from collections.abc import Iterable
from pathlib import Path

from pred_aware.prediction.pictures import Picture
from pred_aware.prediction.sheets import Sheet
from pred_aware.report.html import escaped
from workload_tools.files import written_whole

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd;
  white-space: pre; }
th { border-bottom: 2px solid #888; } th:first-child, td:first-child { text-align: left; }
tbody tr:hover { background: #f3f3f3; }
figure { margin: 1rem 0; } figcaption, .remark { color: #555; max-width: 60rem; }
img { width: 100%; } .table { overflow-x: auto; }
""".strip()


def write_report(
    path: Path,
    title: str,
    *,
    sheets: Iterable[Sheet],
    remarks: Iterable[str],
    pictures: Iterable[Picture],
) -> None:
    """Write a page with tables and pictures, whole or not at all.

    Parameters
    ----------
    path
        The file.
    title
        What the page is about.
    sheets
        Its tables.
    remarks
        What has to be known of the figures.
    pictures
        Stand between the first table and the others.

    Raises
    ------
    InputError
        It can't be written.
    """
    first, *others = map(_table, sheets)
    body = [
        f"<h1>{escaped(title)}</h1>",
        *(f'<p class="remark">{escaped(remark)}</p>' for remark in remarks),
        first,
        *map(_figure, pictures),
        *others,
    ]
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )
    with written_whole(path) as file:
        file.write(page.encode())


def _figure(picture: Picture) -> str:
    data = base64.b64encode(picture.svg).decode()
    return (
        f'<h2>{escaped(picture.title)}</h2>\n<figure><img alt="{escaped(picture.title)}" '
        f'src="data:image/svg+xml;base64,{data}">\n'
        f"<figcaption>{escaped(picture.caption)}</figcaption></figure>"
    )


def _table(sheet: Sheet) -> str:
    header = "".join(f"<th>{escaped(name)}</th>" for name in sheet.header)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escaped(text)}</td>" for text in row) + "</tr>"
        for row in sheet.rows
    )
    return (
        f'<h2>{escaped(sheet.title)}</h2>\n<div class="table"><table>\n<thead><tr>{header}</tr>'
        f"</thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>"
    )
