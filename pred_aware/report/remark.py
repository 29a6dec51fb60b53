"""What reports are made of, be they printed or pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from pred_aware.report.picture import Picture
from pred_aware.report.table import Table


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
