"""An inspection as one page of HTML that needs nothing else."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware import __version__
from pred_aware.inspection.findings import findings
from pred_aware.inspection.pictures import Picture, pictures
from pred_aware.inspection.tables import Table, tables, verdict
from pred_aware.report.html import escaped
from workload_tools.files import written_whole

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff;
  max-width: 68rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
p, ul { max-width: 52rem; }
.note, footer { color: #555; font-size: .9rem; }
ul.findings { list-style: none; padding: 0; }
ul.findings li { padding: .45rem .8rem; margin: .4rem 0; border-left: .3rem solid #bbb; }
ul.findings li.odd { border-color: #d55e00; background: #fdf3ec; }
ul.findings span { color: #555; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #ddd; text-align: right; }
th { color: #555; font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
table.words td { text-align: left; }
img { width: 100%; height: auto; }
figure { margin: .5rem 0 0; break-inside: avoid; }
@media print { body { padding: 0; font-size: 11px; } .wide { overflow: visible; }
  section { break-inside: avoid; } }
"""


def write_page(inspection: "Inspection", path: Path) -> None:
    """Write the page: whole, or not at all; the same log gives the same bytes.

    Parameters
    ----------
    inspection
        What was found out about a log.
    path
        The file.

    Raises
    ------
    InputError
        The file can't be written.
    """
    with written_whole(path) as file:
        file.write("\n".join(_lines(inspection)).encode())


def _lines(inspection: "Inspection") -> Iterator[str]:
    name = escaped(inspection.path.name)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>"
    yield f"<h1>{name}</h1>"
    overview, *others = tables(inspection)
    yield from _findings(inspection)
    yield from _table(overview, title="Overview", kind="words")
    for picture in pictures(inspection):
        yield from _picture(picture)
    for table in others:
        yield from _table(table, title=table.title)
    yield f"<footer><p>Made by pred-aware {escaped(__version__)}: "
    yield f"<code>pred-aware inspect {name} --html FILE</code></p></footer>\n</body>\n</html>\n"


def _findings(inspection: "Inspection") -> Iterator[str]:
    yield f"<p><strong>{escaped(verdict(inspection))}</strong></p>"
    yield '<ul class="findings">'
    for finding in findings(inspection):
        mark = "! " if finding.kind == "odd" else ""
        advice = f" <span>{escaped(finding.advice)}</span>" if finding.advice else ""
        yield f'<li class="{finding.kind}">{mark}{escaped(finding.text)}{advice}</li>'
    yield "</ul>"


def _table(table: Table, *, title: str, kind: str = "") -> Iterator[str]:
    yield f'<section>\n<h2>{escaped(title)}</h2>\n<div class="wide"><table class="{kind}">'
    if any(table.columns):
        yield f"<tr>{''.join(f'<th>{escaped(column)}</th>' for column in table.columns)}</tr>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{escaped(cell)}</td>' for cell in row)}</tr>"
    yield "</table></div>"
    if table.note:
        yield f'<p class="note">{escaped(table.note)}</p>'
    yield "</section>"


def _picture(picture: Picture) -> Iterator[str]:
    content = base64.b64encode(picture.svg).decode()
    yield f"<section>\n<h2>{escaped(picture.title)}</h2>\n<figure>"
    yield f'<img alt="{escaped(picture.title)}" src="data:image/svg+xml;base64,{content}">'
    yield f'<figcaption class="note">{escaped(picture.caption)}</figcaption>\n</figure>\n</section>'
