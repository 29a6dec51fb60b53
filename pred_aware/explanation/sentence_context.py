"""The helpers that all sentences of an explanation are made with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pred_aware.explanation.explanation import Explanation
    from pred_aware.explanation.rules import SchedulingRules
    from pred_aware.report.clock import LogClock

WORTH_A_WORD = 0.005
"""Shares below this are told in JSON only."""

SAME = 1.0
"""Dates that are no more than so many seconds apart are told as the same."""


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """What sentences are made of."""

    found: "Explanation"
    """The values."""
    clock: "LogClock"
    """Of the log."""
    rules: "SchedulingRules | None"
    """The rules of the scheduler, if they are known."""
    size: int
    """Of the machine, in processors."""

    @property
    def waited(self) -> float:
        """For how long the job waited, in seconds."""
        return self.found.facts.waited or 0.0

    def at(self, second: float) -> str:
        """Say when something was."""
        date = self.clock.date(second)
        return f"on {date[:10]} at {date[11:]}" if self.clock.knows_dates else f"on {date}"


def percent(share: float) -> str:
    """Write a share."""
    return f"{100.0 * share:.0f} %"


def plain(text: str) -> str:
    """Return text of others so that it is not taken for the place of a name."""
    return text.replace("{", "{{").replace("}", "}}")
