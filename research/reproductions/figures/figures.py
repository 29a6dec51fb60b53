"""The papers' figures: quantities on logs as bars, in panels."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pred_aware.report import LESS, Bar, BarChart, BarPanel, Table
from reproductions.checks.statement import Estimate, Quantity

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

LOG = "{log}"
"""Stands for the log's name in what a panel, category or series is called."""

Bars = tuple[tuple[str, str, Quantity], ...]
"""The bars of a panel: category, series, and what is shown."""


class PaperFigure(Protocol):
    """A figure of a paper."""

    def drawn(self, evidence: "Evidence") -> BarChart | Table | None:
        """Return the figure with its values on the logs at hand; ``None`` where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of bars; where its axis begins with `LESS`, by how much less each quantity is."""

    place: str
    """Where in the paper it stands."""
    title: str
    axis: str
    logs: tuple[str, ...]
    panels: tuple[tuple[str, Bars], ...]
    """What each is called, and its bars on all of the logs; with `LOG` in its name, one for each
    log."""
    kind: Literal["bars", "stacks", "boxes", "lines"] = "bars"
    unit: Literal["%", "h"] = "%"

    def drawn(self, evidence: "Evidence") -> BarChart:
        """Return the figure with its values."""
        here = [log for log in self.logs if not evidence.missing(log)]
        parts = [
            BarPanel(called.replace(LOG, "".join(logs[:1])), self._bars(evidence, logs, bars))
            for called, bars in self.panels
            for logs in ([[log] for log in here] if LOG in called else [here])
        ]
        return BarChart(self.place, self.title, self.axis, tuple(parts), self.kind, self.unit)

    def _bars(self, evidence: "Evidence", logs: list[str], bars: Bars) -> tuple[Bar, ...]:
        shown = (
            self._bar(
                category.replace(LOG, log),
                series.replace(LOG, log),
                quantity.estimate(log, evidence),
            )
            for log in logs
            for category, series, quantity in bars
        )
        return tuple(bar for bar in shown if bar.value is not None)

    def _bar(self, category: str, series: str, found: Estimate) -> Bar:
        ends = (None, None) if found.counted else (found.low, found.high)
        if not self.axis.startswith(LESS):
            return Bar(category, series, found.value, *ends)
        # and not -0.0 where nothing changes
        value, high, low = (None if end is None else 0.0 - end for end in (found.value, *ends))
        return Bar(category, series, value, low, high)


def less_than_under(baseline: str) -> str:
    """Return what the axis of gains is called.

    Examples
    --------
    >>> less_than_under("user_estimates")
    'less than under user estimates'
    """
    return f"{LESS} under {baseline.replace('_', ' ')}"
