"""Tables, pictures, remarks and definitions as HTML."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from pred_aware.report.html import escaped, table_html
from pred_aware.report.picture import Panel, Picture
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table

NARROW = 5.0
"""Panels up to this width in inches are readable on a phone. On a phone, wider panels scroll."""
LONGEST = 30
"""The number of table rows that are visible without scrolling on screen. Print shows all rows."""
WIDEST = 140
"""The maximum width of a table in characters, for a page and an A4 sheet."""


_COMMAND = re.compile("`([^`]+)`")
_OPTION = re.compile(r"--[a-z][a-z-]+(?: [A-Z]+\b)?")
_LINK = re.compile(r"\[([^\]]+)\]\((#[\w-]+)\)")
_LITERAL_SIGNS = " !$'()*+,/:;=?@[]^`{|}"
"""Characters that need no escape in a URL inside an HTML attribute."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions of words. Table headers that are such a word link to its definition."""

    terms: tuple[tuple[str, str], ...]
    """Pairs of a word, as tables use it, and its meaning in one or two sentences."""


@dataclass(slots=True)
class BlockWriter:
    """Writes the blocks of one page, and collects their style rules."""

    links: Mapping[str, str]
    """The anchors of definitions on the page, by word."""
    _widths: set[float] = field(default_factory=set)

    @property
    def rules(self) -> str:
        """The style rules of the written pictures.

        The page forbids inline styles, so the page's head must contain these rules.
        """
        # 72 pixels per inch, a quarter fewer than on paper; with fewer, letters are unreadable
        return "\n".join(
            f".{_class(width)} {{ --width: {72 * width:.0f}px; "
            f"flex: {width:g} 1 {5.3 * width:.1f}rem; }}"
            for width in sorted(self._widths)
        )

    def table(self, table: Table, *, level: int) -> Iterator[str]:
        """Yield a table with its title. A wide table is split."""
        for one in table.abreast(WIDEST):
            yield f"<section>\n{_heading(one.title, level)}"
            long = len(one.rows) > LONGEST
            if long:
                rows = counted(len(one.rows), "row")
                yield f'<details class="long">\n<summary>{rows}</summary>'
            yield from self.figures(one)
            yield "</details>\n</section>" if long else "</section>"

    def figures(self, table: Table, *, rows: Sequence[str] = ()) -> Iterator[str]:
        """Yield a table without title and splitting. `rows` are HTML attributes of the rows."""
        label = escaped(table.title)
        yield f'<div class="wide" role="region" aria-label="{label}" tabindex="0">'
        yield f"{table_html(table, links=self.links, rows=rows)}</div>"
        if table.note:
            yield f'<p class="note">{escaped(table.note)}</p>'

    def picture(self, picture: Picture, *, level: int) -> Iterator[str]:
        """Yield a picture with its title, caption and table."""
        # an element that scrolls must be reachable by keyboard
        yield f'<section>\n{_heading(picture.title, level)}\n<figure tabindex="0">'
        for panel in picture.panels:
            yield self._panel(panel, escaped(picture.title))
        yield f"<figcaption>{escaped(picture.caption)}</figcaption>\n</figure>"
        for table in picture.tables:
            yield f"<details>\n<summary>{escaped(table.title)}, as a table</summary>"
            for one in table.abreast(WIDEST):
                yield from self.figures(one)
            yield "</details>"
        yield "</section>"

    def _panel(self, panel: Panel, title: str) -> str:
        self._widths.add(panel.width)
        scrolls = " scrolls" if panel.width > NARROW else ""
        # this encoding is a quarter shorter than base64
        source = f"data:image/svg+xml,{quote(panel.svg(), safe=_LITERAL_SIGNS)}"
        return f'<img alt="{title}" class="{_class(panel.width)}{scrolls}" src="{source}">'

    def remarks(self, some: tuple[Remark, ...], *, commands: bool = False) -> Iterator[str]:
        """Yield sentences as a list.

        With `commands`, text between two backquotes is a command, ``--word`` is an option that is
        not broken over two lines, and ``[words](#anchor)`` is a link.
        """
        if some:
            yield '<ul class="remarks">'
        for one in some:
            text = f"{'! ' if one.odd else ''}{escaped(one.text)}"
            if commands:
                text = _COMMAND.sub(r"<code>\1</code>", text).replace(" %", "&nbsp;%")
                text = _OPTION.sub(r'<code class="option">\g<0></code>', text)
                text = _LINK.sub(r'<a href="\2">\1</a>', text)
            text = f"<strong>{text}</strong>" if one.strong else text
            more = f" <span>{escaped(one.more)}</span>" if one.more else ""
            kind = ' class="odd"' if one.odd else ""
            yield f"<li{kind}>{text}{more}</li>"
        if some:
            yield "</ul>"

    def definitions(self, some: Definitions) -> Iterator[str]:
        """Yield the definitions, with anchors for links."""
        yield '<dl class="definitions">'
        for word, meaning in some.terms:
            yield f'<dt id="{self.links[word]}">{escaped(word)}</dt><dd>{escaped(meaning)}</dd>'
        yield "</dl>"


def _heading(title: str, level: int) -> str:
    return f"<h{level}>{escaped(title)}</h{level}>"


def _class(width: float) -> str:
    return f"w{round(100 * width)}"


def unfolded(table: Table) -> Iterator[Table]:
    """Split a table into parts that are short enough to be visible without scrolling."""
    parts = -(-len(table.rows) // LONGEST)
    size = -(-len(table.rows) // parts)
    for part in range(parts):
        rows = table.rows[part * size : (part + 1) * size]
        title = table.title if part == 0 else f"{table.title} (continued)"
        yield replace(table, title=title, rows=rows, note=table.note * (part == parts - 1))
