"""A finding about a log, and formatting of findings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection

Kind = Literal["odd", "note"]

MISSING = 0.01
"""Share of jobs without a value from which this is odd."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """A finding that readers of a log should know."""

    kind: Kind
    """``odd`` if results may be wrong because of it; ``note`` for information."""
    text: str
    """The finding, with figures."""
    advice: str = ""
    """What to do about it, or what it means."""


def percents(share: float) -> str:
    """Format a share in percent, with a decimal if it is small."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"  # noqa: PLR2004 - as said


def so_many(count: int) -> str:
    """Format a number of jobs."""
    return counted(count, "job")


def condition_date(inspection: "Inspection", second: float) -> str:
    """Format a date for `--clean`, with its offset from UTC, so that no time zone is needed."""
    if not inspection.clock.knows_dates:
        return f"{second:.0f}"
    return inspection.clock.datetime(second).replace(microsecond=0).isoformat()
