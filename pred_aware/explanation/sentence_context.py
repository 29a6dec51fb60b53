"""Values and functions that all sentences of an explanation use."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pred_aware.explanation.explanation import Explanation
    from pred_aware.explanation.rules import SchedulingRules
    from pred_aware.report.clock import LogClock

WORTH_A_WORD = 0.005
"""Smaller shares are only in JSON."""

SAME = 1.0
"""Dates at most this many seconds apart count as equal."""


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """The values from which sentences are made."""

    found: "Explanation"
    """The explanation's values."""
    clock: "LogClock"
    """The log's dates."""
    rules: "SchedulingRules | None"
    """The scheduler's rules, if known."""
    size: int
    """Size of the machine, in processors."""

    @property
    def waited(self) -> float:
        """Wait of the job, in seconds."""
        return self.found.facts.waited or 0.0

    def at(self, second: float) -> str:
        """Return a date in words."""
        date = self.clock.date(second)
        return f"on {date[:10]} at {date[11:]}" if self.clock.knows_dates else f"on {date}"


def percent(share: float) -> str:
    """Format a share."""
    return f"{100.0 * share:.0f} %"


def plain(text: str) -> str:
    """Escape braces in text, so that it is not taken for a placeholder."""
    return text.replace("{", "{{").replace("}", "}}")
