"""One page of HTML that needs nothing else: no network, no scripts."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pred_aware.report.html import escaped
from pred_aware.report.picture import Picture
from pred_aware.report.table import Table
from pred_aware.version import __version__
from workload_tools.files import written_whole

NARROW = 5.0
"""Up to how many inches a panel is still read on a telephone; a wider one scrolls there."""
WIDEST = 140
"""How many signs abreast a page and an A4 sheet have room for in a table."""
STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #222; --soft: #595959; --line: #ddd;
  --mark: #b34700; --marked: #fdf3ec; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #16181a; --ink: #e4e4e4; --soft: #a8a8a8; --line: #3b3e41;
    --mark: #f0965a; --marked: #2c221b; }
  img { filter: invert(.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 2rem 0 .4rem; }
p, ul { max-width: 52rem; overflow-wrap: anywhere; }
.under { margin: .2rem 0 1rem; color: var(--soft); }
.note, figcaption, footer { color: var(--soft); font-size: .9rem; max-width: 52rem; }
ul { list-style: none; padding: 0; }
li { padding: .45rem .8rem; margin: .4rem 0; border-left: .3rem solid var(--line); }
li.odd { border-color: var(--mark); background: var(--marked); }
li span { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem 0 .2rem 1.2rem; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
td { white-space: pre; }
th:first-child, td:first-child { text-align: left; padding-left: 0; position: sticky; left: 0;
  background: var(--paper); }
table.words td { text-align: left; white-space: normal; }
figure { margin: .5rem 0 0; display: flex; flex-wrap: wrap; gap: .5rem; }
img { min-width: 0; max-width: 100%; height: auto; align-self: flex-start; }
figcaption { flex-basis: 100%; max-width: none; padding-right: max(0px, 100% - 52rem); }
@media screen and (max-width: 40rem) { body { padding: 1rem; } figure { overflow-x: auto; }
  img.scrolls { min-width: var(--width); } figcaption { position: sticky; left: 0; }
  th:first-child, td:first-child { min-width: 7.5rem; max-width: 9rem;
    white-space: pre-wrap; }
  th, td { padding-left: .9rem; } }
@page { size: A4; margin: 15mm; }
@media print { html { font-size: 11px; } body { padding: 0; font-size: 11px; max-width: none; }
  table { font-size: 9.5px; } .wide { overflow: visible; } th, td { padding-left: .8rem; }
  img { flex-basis: 0 !important; } h2 { break-after: avoid; }
  tr, figure, li { break-inside: avoid; } }
""".strip()


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence or two of a report.

    Parameters
    ----------
    text
        What is to be said.
    more
        What can be done about it, or what it means.
    odd
        Whether results may be wrong because of it.
    strong
        Whether it sums up what follows.
    """

    text: str
    more: str = ""
    odd: bool = False
    strong: bool = False


Block = Table | Picture | tuple[Remark, ...]
"""What reports are made of: a tuple of remarks is a list."""


def remarks(texts: Iterable[str]) -> tuple[Remark, ...]:
    """Return sentences as a block of a report."""
    return tuple(map(Remark, texts))


def write_page(path: Path, title: str, *, under: str, blocks: Iterable[Block], made: str) -> None:
    """Write a page: whole, or not at all; the same report gives the same bytes.

    Parameters
    ----------
    path
        The file.
    title, under
        What the page is about, and a line below that: dates and sizes.
    blocks
        From top to bottom.
    made
        The command.

    Raises
    ------
    InputError
        The file can't be written.
    """
    content = "\n".join(_lines(title, under, blocks, made))
    with written_whole(path) as file:
        file.write(f"{content}\n".encode())


def _lines(title: str, under: str, blocks: Iterable[Block], made: str) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escaped(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"
    yield f'<h1>{escaped(title)}</h1>\n<p class="under">{escaped(under)}</p>'
    for block in blocks:
        if isinstance(block, Table):
            for table in block.abreast(WIDEST):
                yield from _table(table)
        elif isinstance(block, Picture):
            yield from _picture(block)
        else:
            yield from _remarks(block)
    yield f"<footer><p>Made by pred-aware {escaped(__version__)}: <code>{escaped(made)}</code>"
    yield "</p></footer>\n</body>\n</html>"


def _remarks(some: tuple[Remark, ...]) -> Iterator[str]:
    if some:
        yield "<ul>"
    for one in some:
        text = f"{'! ' if one.odd else ''}{escaped(one.text)}"
        text = f"<strong>{text}</strong>" if one.strong else text
        more = f" <span>{escaped(one.more)}</span>" if one.more else ""
        kind = ' class="odd"' if one.odd else ""
        yield f"<li{kind}>{text}{more}</li>"
    if some:
        yield "</ul>"


def table_html(table: Table) -> str:
    """Return a table's columns and rows as HTML; everything in it is escaped."""
    lines = ['<table class="words">' if table.words else "<table>"]
    if any(table.columns):
        cells = "".join(f"<th>{escaped(column)}</th>" for column in table.columns)
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    rows = ("".join(f"<td>{escaped(cell)}</td>" for cell in row) for row in table.rows)
    return "\n".join([*lines, *(f"<tr>{row}</tr>" for row in rows), "</table>"])


def _table(table: Table) -> Iterator[str]:
    yield f'<section>\n<h2>{escaped(table.title)}</h2>\n<div class="wide">{table_html(table)}</div>'
    if table.note:
        yield f'<p class="note">{escaped(table.note)}</p>'
    yield "</section>"


def _picture(picture: Picture) -> Iterator[str]:
    title = escaped(picture.title)
    yield f"<section>\n<h2>{title}</h2>\n<figure>"
    for panel in picture.panels:
        wide = ' class="scrolls"' if panel.width > NARROW else ""
        # as many pixels as on paper, less a quarter: smaller letters are not read
        size = f"--width: {72 * panel.width:.0f}px; " if wide else ""
        size += f"flex: {panel.width:g} 1 {5.3 * panel.width:.1f}rem"
        content = base64.b64encode(panel.svg()).decode()
        yield (
            f'<img alt="{title}"{wide} style="{size}" src="data:image/svg+xml;base64,{content}">'
        )
    yield f"<figcaption>{escaped(picture.caption)}</figcaption>\n</figure>\n</section>"
