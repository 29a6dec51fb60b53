"""The content of a page, from top to bottom."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pred_aware.report.page.blocks import BlockWriter, Definitions
from pred_aware.report.sentence import Block, Remark

BETTER, WORSE = "better", "worse"
"""The verdicts of a large number that have a colour."""


class Drawing(Protocol):
    """A block that writes its own HTML and may need a script."""

    @property
    def script(self) -> Path | None:
        """The block's script. A page contains each script only once."""
        ...

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield the block's HTML with headings of a level. `blocks` writes inner blocks."""
        ...


PageBlock = Block | Drawing | Definitions
"""A block of a section: a table, a picture, a tuple of remarks, or a block for pages only."""


@dataclass(frozen=True, slots=True)
class Large:
    """A large number at the top of a page."""

    label: str
    """The name of the number, such as ``mean wait``."""
    value: str
    """The number as text, such as ``-12.3 %``."""
    interval: str = ""
    """The number's interval and its kind, or a text that says why there is no interval."""
    verdict: str = ""
    """`BETTER`, `WORSE`, or other words such as ``not significant``. Empty: none."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page. The table of contents lists it."""

    title: str
    """The title; empty if the section needs only the titles of its tables and pictures."""
    blocks: tuple[PageBlock, ...]
    """The blocks from top to bottom."""
    anchor: str = ""
    """The anchor for links; by default the section's number."""
    folded: bool = False
    """Whether the section is folded at first. A printed page shows only open sections."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The first part of a page, which fits on one printed sheet."""

    sentence: str
    """The answer in one plain sentence."""
    more: tuple[str, ...] = ()
    """Sentences below the answer."""
    figures: tuple[Large, ...] = ()
    """At most three large numbers."""
    trust: tuple[Remark, ...] = ()
    """Remarks on the reliability of the answer."""
    kind: str = ""
    """The CSS class of its colour, such as ``yes``. Empty: none."""
    charts: tuple[PageBlock, ...] = ()
    """Charts and tables before the large numbers."""
    parts: tuple[Section, ...] = ()
    """The rest of the sheet, in two columns."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a whole page."""

    title: str
    under: str
    """The line below the title: dates and sizes."""
    answer: Answer | None
    """The answer, if the page has one."""
    sections: tuple[Section, ...]
    """The sections below the answer."""
    command: str
    """The command that made the page."""


def report(title: str, *, under: str, blocks: Iterable[PageBlock], command: str) -> Content:
    """Return a page of blocks without an answer. `Content` describes the parameters."""
    return Content(title, under, None, (Section("", tuple(blocks)),), command)
