"""Bars of groups of jobs in their natural order: left for shorter waits, right for longer ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pred_aware.effects.effect import Effect
from pred_aware.report.html import escaped
from pred_aware.report.interval_format import percent_change
from pred_aware.report.page.blocks import BlockWriter

_HALF = 50
"""Of the width of a bar's field, in its own units: as much as the largest change takes."""


@dataclass(frozen=True, slots=True)
class GainBars:
    """Changes of groups as bars, as a block of a page that needs no script."""

    title: str
    """Over what they are, such as ``By processors``."""
    effects: Sequence[Effect]
    """One for each group, in natural order."""

    @property
    def script(self) -> None:
        """None: the bars are drawn as they stand."""

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield a table with a row for each group."""
        most = max((abs(one.change.value or 0.0) for one in self.effects), default=0.0) or 1.0
        yield f'<table class="bars"><caption>{escaped(self.title)}</caption><tbody>'
        for one in self.effects:
            change = one.change.value or 0.0
            kind = {1: "better", -1: "worse", 0: "even"}[one.gain]
            told = percent_change(change) if one.gain else "not significant"
            wide = _HALF * min(1.0, abs(change) / most)
            left = _HALF - wide if change < 0.0 else _HALF
            top = 0 if one.gain else 3
            yield (
                f'<tr class="{kind}"><th scope="row">{escaped(one.group)}</th><td>{told}</td>'
                f'<td><svg viewBox="0 0 {2 * _HALF} 8" preserveAspectRatio="none" '
                f'aria-hidden="true"><rect x="{left:.1f}" y="{top}" width="{wide:.1f}" '
                f'height="{8 - 2 * top}"/>'
                f'<line x1="{_HALF}" x2="{_HALF}" y2="8"/></svg></td></tr>'
            )
        yield "</tbody></table>"
