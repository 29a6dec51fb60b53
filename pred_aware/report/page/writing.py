"""Write a page as one HTML file."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pred_aware.report.html import escaped
from pred_aware.report.page.blocks import BlockWriter, Definitions
from pred_aware.report.page.content import BETTER, WORSE, Answer, Content, PageBlock, Section
from pred_aware.report.picture import Picture
from pred_aware.report.table import Table
from pred_aware.version import __version__
from workload_tools.files import written_whole

STYLE = Path(__file__).with_name("page.css")
FOLDING = Path(__file__).with_name("folding.js")
"""The script that opens a folded section when a link leads into it."""
FEWEST_LISTED = 3
"""A page with at least this many sections begins with a table of contents."""
FOLDED = "The evidence"
"""The heading above the folded sections."""


def write(path: Path, content: Content) -> None:
    """Write a page, completely or not at all. Equal content gives files with equal bytes.

    Parameters
    ----------
    path
        The path of the page.
    content
        The content of the page.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    text = html(content)
    with written_whole(path) as file:
        file.write(text.encode())


def html(content: Content) -> str:
    """Return a page as self-contained HTML."""
    blocks = BlockWriter(_links(content))
    body = "\n".join(_body(content, blocks))
    style = f"\n{STYLE.read_text(encoding='utf-8')}{blocks.rules}\n"
    scripts = _scripts(_all_blocks(content))
    if any(section.folded for section in content.sections):
        scripts = (FOLDING, *scripts)
    script = "".join(path.read_text(encoding="utf-8") for path in scripts)
    last = (f"<script>{script}</script>",) if script else ()
    return "\n".join((*_head(content.title, style, script), body, *last, "</body>\n</html>\n"))


def _all_blocks(content: Content) -> Iterator[PageBlock]:
    """Yield the blocks of a page."""
    if content.answer is not None:
        yield from content.answer.charts
        for part in content.answer.parts:
            yield from part.blocks
    for section in content.sections:
        yield from section.blocks


def _scripts(blocks: Iterable[PageBlock]) -> tuple[Path, ...]:
    """Return the scripts of the blocks without duplicates."""
    found: dict[Path, None] = {}
    for block in blocks:
        if not isinstance(block, Table | Picture | Definitions | tuple) and block.script:
            found[block.script] = None
    return tuple(found)


def _head(title: str, style: str, script: str) -> Iterator[str]:
    allowed = f"default-src 'none'; img-src data:; style-src {_digest(style)}"
    # a page without scripts allows none
    allowed += f"; script-src {_digest(script)}" if script else ""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escaped(title)}</title>\n<style>{style}</style>\n</head>\n<body>"


def _digest(text: str) -> str:
    """Return the digest of a style or script for the page's content security policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _links(content: Content) -> dict[str, str]:
    """Return the anchors of definitions on the page, by word."""
    return _places(
        term
        for block in _all_blocks(content)
        if isinstance(block, Definitions)
        for term in block.terms
    )


def _places(terms: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {word: f"d{place}" for place, (word, _) in enumerate(terms)}


def _body(content: Content, blocks: BlockWriter) -> Iterator[str]:
    yield '<a class="skip" href="#content">To the content</a>'
    yield f"<header>\n<h1>{escaped(content.title)}</h1>"
    yield f'<p class="under">{escaped(content.under)}</p>\n</header>\n<main id="content">'
    if content.answer is not None:
        yield from _answer(content.answer, blocks)
    yield from _contents(
        [section.title for section in content.sections if section.title and not section.folded]
    )
    folded = [section for section in content.sections if section.folded]
    number = 0
    for section in content.sections:
        number += bool(section.title)
        if folded and section is folded[0]:
            yield f'<div class="evidence">\n<h2>{FOLDED}</h2>'
        yield from _section(section, blocks, number)
        if folded and section is folded[-1]:
            yield "</div>"
    yield "</main>\n<footer><p>"
    yield f"Made by pred-aware {escaped(__version__)}: <code>{escaped(content.command)}</code>"
    yield "</p></footer>"


def _answer(answer: Answer, blocks: BlockWriter) -> Iterator[str]:
    kind = f" {answer.kind}" if answer.kind else ""
    yield f'<p class="answer{kind}" id="answer">{escaped(answer.sentence)}</p>'
    for sentence in answer.more:
        yield f"<p>{escaped(sentence)}</p>"
    yield from _blocks(answer.charts, blocks, level=2)
    if answer.figures:
        yield '<dl class="large">'
    for one in answer.figures:
        kind = f' class="{one.verdict}"' if one.verdict in {BETTER, WORSE} else ""
        verdict = f'<dd class="verdict">{escaped(one.verdict)}</dd>' if one.verdict else ""
        interval = f'<dd class="interval">{escaped(one.interval)}</dd>' if one.interval else ""
        label, value = escaped(one.label), escaped(one.value)
        link = blocks.links.get(one.label)
        label = f'<a href="#{link}">{label}</a>' if link else label
        yield f'<div{kind}><dt>{label}</dt><dd class="value">{value}</dd>{interval}{verdict}</div>'
    if answer.figures:
        yield "</dl>"
    yield from blocks.remarks(answer.trust)
    if answer.parts:
        yield '<div class="parts">'
    for part in answer.parts:
        yield f'<section>\n<h2 id="{part.anchor}">{escaped(part.title)}</h2>'
        for block in part.blocks:
            if isinstance(block, tuple):
                yield from blocks.remarks(block, commands=True)
            elif isinstance(block, Table):
                yield from blocks.figures(block)
            else:
                yield from _blocks((block,), blocks, level=3)
        yield "</section>"
    if answer.parts:
        yield "</div>"


def _contents(titles: list[str]) -> Iterator[str]:
    if len(titles) < FEWEST_LISTED:
        return
    yield '<nav aria-labelledby="contents"><h2 id="contents">On this page</h2><ol>'
    for number, title in enumerate(titles, 1):
        yield f'<li><a href="#s{number}">{escaped(title)}</a></li>'
    yield "</ol></nav>"


def _section(section: Section, blocks: BlockWriter, number: int) -> Iterator[str]:
    level = 3 if section.title else 2
    if section.folded:
        yield '<details class="fold">'
        anchor = section.anchor or f"s{number}"
        yield f'<summary><h2>{escaped(section.title)}</h2></summary>\n<div id="{anchor}">'
        yield from _blocks(section.blocks, blocks, level=level)
        yield "</div>\n</details>"
        return
    if section.title:
        yield f'<section>\n<h2 id="s{number}">{escaped(section.title)}</h2>'
    yield from _blocks(section.blocks, blocks, level=level)
    if section.title:
        yield "</section>"


def _blocks(some: Iterable[PageBlock], blocks: BlockWriter, *, level: int) -> Iterator[str]:
    for block in some:
        if isinstance(block, Table):
            yield from blocks.table(block, level=level)
        elif isinstance(block, Picture):
            yield from blocks.picture(block, level=level)
        elif isinstance(block, Definitions):
            yield from blocks.definitions(block)
        elif isinstance(block, tuple):
            yield from blocks.remarks(block)
        else:
            yield from block.html(blocks, level=level)
