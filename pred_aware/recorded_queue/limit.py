"""A limit that a recorded schedule shows, and when something looks like one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

AT_LIMIT = 0.5
"""Of the time in which somebody's jobs wait with room, so much must be at the limit."""
WORTH_TELLING = 0.01
"""Of all waiting time: a limit that accounts for less is not told."""
SHARERS = 5
"""So many with exactly the same highest number make it look like a rule for all."""
FEW_ABOVE = 0.5
"""For each that shares it, no more than this many may ever have been above."""
SMALLEST = 2
"""A rule for all is at least this: that most users run one job at a time is nobody's rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A number that somebody was never above."""

    kind: str
    """Whose: ``user``, ``group``, ``project``, ``queue``, ``partition``."""
    name: str | None
    """Of the one that it is for; ``None`` for a rule for all of the kind."""
    amount: str
    """What is limited: ``processors``, ``jobs`` (that run at once), ``memory`` (GiB)."""
    most: float
    """The limit."""
    at_it: int = 1
    """How many of the kind had exactly this as their highest; 1 for one."""
    above: int = 0
    """How many of the kind were ever above."""
    share: float = 0.0
    """Of all waiting time: what was waited with room for the job while it would have gone
    beyond."""
    since: float | None = None
    until: float | None = None
    """Seconds between which it held; ``None`` where it held for the whole log."""
    period: str = ""
    """The same in words."""

    @property
    def whose(self) -> tuple[str, str | None, str, float]:
        """Whose limit, of what, and how much: the same for two that say the same."""
        return self.kind, self.name, self.amount, self.most

    def __str__(self) -> str:
        """Say the limit in words."""
        what = {
            "processors": f"{self.most:,.0f} running processors",
            "jobs": counted(round(self.most), "running job"),
            "memory": f"{self.most:,.0f} GiB of memory in use",
        }[self.amount]
        while_at = f"{100 * self.share:.0f} % of all waiting time passed at that"
        then = f"{self.period} " if self.period else ""
        if self.name is None:
            ever = "" if self.period else "ever "
            above = f"only {self.above:,}" if self.above else "nobody"
            return (
                f"{then}the highest that {self.at_it:,} {self.kind}s {ever}had is exactly {what}, "
                f"{above} {ever}had more ({while_at})"
            )
        return f"{then}{self.kind} {self.name} was never above {what} ({while_at})"


def shared(most: "NDArray[np.float64]") -> float | None:
    """Return the highest number that many share and hardly anybody exceeds, if there is one."""
    values, counts = np.unique(most, return_counts=True)
    above = len(most) - np.cumsum(counts)
    rule = (counts >= SHARERS) & (above <= FEW_ABOVE * counts) & (values >= SMALLEST)
    return float(values[rule][-1]) if rule.any() else None
