"""Something odd about a log, and how it is written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection

Kind = Literal["odd", "note"]

MISSING = 0.01
"""Share of the jobs from which on what they lack is odd."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that a person should know before they trust a log."""

    kind: Kind
    """``odd`` if results may be wrong because of it; ``note`` if it is only good to know."""
    text: str
    """What was found, with figures."""
    advice: str = ""
    """What can be done about it, or what it means."""


def percents(share: float) -> str:
    """Write a share in percent, with a digit after the point where it is small."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"  # noqa: PLR2004 - as said


def so_many(count: int) -> str:
    """Write a number of jobs."""
    return counted(count, "job")


def condition_date(inspection: "Inspection", second: float) -> str:
    """Write a date for `--clean`: with its offset from UTC, so that no zone is needed there."""
    if not inspection.clock.knows_dates:
        return f"{second:.0f}"
    return inspection.clock.datetime(second).replace(microsecond=0).isoformat()
