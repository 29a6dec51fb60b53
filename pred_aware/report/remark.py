"""Parts of reports, be they printed or pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from pred_aware.report.picture import Picture
from pred_aware.report.table import Table


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence or two of a report."""

    text: str
    """What is to be said."""
    more: str = ""
    """What can be done about it, or what it means."""
    odd: bool = False
    """Whether results may be wrong because of it."""
    strong: bool = False
    """Whether it sums up what follows."""


Block = Table | Picture | tuple[Remark, ...]
"""What reports are made of: a tuple of remarks is a list."""


def remarks(texts: Iterable[str]) -> tuple[Remark, ...]:
    """Return sentences as a block of a report."""
    return tuple(map(Remark, texts))
