"""The content of a page, from top to bottom."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pred_aware.report.page.blocks import BlockWriter, Definitions
from pred_aware.report.sentence import Block, Remark

BETTER, WORSE = "better", "worse"
"""Verdicts of a large figure that have a colour; any other is said as it is."""


class Drawing(Protocol):
    """A block that writes itself, and that a script may draw in the reader's browser."""

    @property
    def script(self) -> Path | None:
        """The script, which stands on the page once for all blocks that need it."""
        ...

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield the block, with headings of a level, by what writes the page's other blocks."""
        ...


PageBlock = Block | Drawing | Definitions
"""What sections are made of: tables, pictures, tuples of remarks, and what only a page can show."""


@dataclass(frozen=True, slots=True)
class Large:
    """A figure that is seen first."""

    label: str
    """What is counted, such as ``mean wait``."""
    value: str
    """As people read it, such as ``-12.3 %``."""
    interval: str = ""
    """Its interval and of what kind it is, or that there is none."""
    verdict: str = ""
    """`BETTER`, `WORSE`, or other words such as ``not significant``; empty for none."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page; the list of contents names it."""

    title: str
    """In a few words; empty where the titles of its tables and pictures stand in its place."""
    blocks: tuple[PageBlock, ...]
    """From top to bottom."""
    anchor: str = ""
    """The id by which links lead to it; by default its number."""
    folded: bool = False
    """Whether only its title is seen until somebody opens it; paper has what is open."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page says first; with what stands in it, it prints on one sheet."""

    sentence: str
    """The answer in one plain sentence."""
    more: tuple[str, ...] = ()
    """Sentences below it."""
    figures: tuple[Large, ...] = ()
    """At most three large figures."""
    trust: tuple[Remark, ...] = ()
    """How far to trust it."""
    kind: str = ""
    """The class of its colour, such as ``yes``; empty for none."""
    charts: tuple[PageBlock, ...] = ()
    """Charts and tables before the figures."""
    parts: tuple[Section, ...] = ()
    """The rest of the sheet, in two columns."""


@dataclass(frozen=True, slots=True)
class Content:
    """A page."""

    title: str
    under: str
    """What it is about, and a line below that: dates and sizes."""
    answer: Answer | None
    """What is said first, if there is one answer."""
    sections: tuple[Section, ...]
    """The evidence, and how it was made."""
    made: str
    """The command."""


def report(title: str, *, under: str, blocks: Iterable[PageBlock], made: str) -> Content:
    """Return a page of blocks alone, without an answer; the parameters are those of `Content`."""
    return Content(title, under, None, (Section("", tuple(blocks)),), made)
