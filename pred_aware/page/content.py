"""What stands on a page, from top to bottom."""

from collections.abc import Iterable
from dataclasses import dataclass

from pred_aware.page.schedules import Schedules
from pred_aware.report.remark import Block, Remark

BETTER, WORSE = "better", "worse"
"""Verdicts of a large figure that have a colour; any other is said as it is."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """What words mean; where one of them heads a row or a column of a table, it links to this.

    Parameters
    ----------
    terms
        Each a word, as it stands in tables, and what it means in a sentence or two.
    """

    terms: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Blocks of a section that are written already, since to write them takes its time.

    Made by `pred_aware.page.prepare`.

    Parameters
    ----------
    html
        What stands in the page.
    widths
        Of their pictures, for which the page's style has rules.
    draws
        Whether a script draws some of it.
    """

    html: str
    widths: frozenset[float]
    draws: bool


PageBlock = Block | Schedules | Definitions | Prepared
"""What sections are made of: tables, pictures, tuples of remarks, and what only a page can show."""


@dataclass(frozen=True, slots=True)
class Large:
    """A figure that is seen first.

    Parameters
    ----------
    label
        What is counted, such as ``mean wait``.
    value
        As people read it, such as ``-12.3 %``.
    interval
        Its interval and of what kind it is, or that there is none.
    verdict
        `BETTER`, `WORSE`, or other words such as ``can't be told apart``; empty for none.
    """

    label: str
    value: str
    interval: str = ""
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page says first.

    Parameters
    ----------
    sentence
        The answer in one plain sentence.
    more
        What else has to be known of it: who gains, who loses, what it costs.
    figures
        Three large ones, or fewer.
    trust
        How far to trust it.
    """

    sentence: str
    more: tuple[str, ...] = ()
    figures: tuple[Large, ...] = ()
    trust: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page; the list of contents names it.

    Parameters
    ----------
    title
        In a few words; empty where the titles of its tables and pictures stand in its place.
    blocks
        From top to bottom.
    """

    title: str
    blocks: tuple[PageBlock, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """A page.

    Parameters
    ----------
    title, under
        What it is about, and a line below that: dates and sizes.
    answer
        What is said first, if there is one answer.
    sections
        The evidence, and how it was made.
    made
        The command.
    """

    title: str
    under: str
    answer: Answer | None
    sections: tuple[Section, ...]
    made: str


def report(title: str, *, under: str, blocks: Iterable[PageBlock], made: str) -> Content:
    """Return a page of blocks alone, without an answer; the parameters are those of `Content`."""
    return Content(title, under, None, (Section("", tuple(blocks)),), made)
