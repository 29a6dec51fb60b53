"""The charts of a study's page: mean waits as bars, and mean waits by size and run time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log10, nan
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pred_aware.metrics.groups import LENGTHS, groups_of
from pred_aware.report.durations import DAY, HOUR, MINUTE
from pred_aware.report.html import escaped
from pred_aware.report.page.blocks import BlockWriter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.runs.run import Run

_UNITS = ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes"), (1.0, "seconds"))
_TICKS = 5
"""The maximum number of steps of an axis."""
_SHADES = 8
_DARKEST = 200.0
"""Waits that are shorter than the longest wait by this factor have the palest shade."""
_RUN_TIMES = ("≤1min", "≤10min", "≤2h", "≤24h", ">24h")
_TENTHS = 10.0
"""Numbers below this one are shown with one decimal."""


def unit_of(seconds: float) -> tuple[float, str]:
    """Return the largest unit in which a time is at least 2: its seconds and its name.

    Examples
    --------
    >>> unit_of(8000.0), unit_of(7000.0)
    ((3600.0, 'hours'), (60.0, 'minutes'))
    """
    return next((one for one in _UNITS if seconds >= 2.0 * one[0]), _UNITS[-1])


def step_of(most: float) -> float:
    """Return the step of an axis from 0 to a number: 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> step_of(5.2), step_of(52.0), step_of(0.9)
    (2.0, 20.0, 0.2)
    """
    power = 10.0 ** np.floor(log10(most / _TICKS))
    return float(next(size * power for size in (1, 2, 5, 10) if most <= _TICKS * size * power))


@dataclass(frozen=True, slots=True)
class WaitBars:
    """A bar chart of mean waits with one axis. This page block needs no script."""

    script: ClassVar[None] = None
    series: Sequence[tuple[str, str, float]]
    """The CSS class, the label, and the mean wait in seconds of each bar."""

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield a table with a row for each bar and the axis as the last row."""
        longest = max(wait for _, _, wait in self.series)
        unit, name = unit_of(longest)
        most = max(longest / unit, 1e-9)
        step = step_of(most)
        end = step * ceil(most / step - 1e-9)
        yield '<table class="bars"><tbody>'
        for kind, label, wait in self.series:
            width = 100.0 * wait / unit / end
            yield (
                f'<tr class="{kind}"><th scope="row">{escaped(label)}</th><td><svg '
                f'aria-hidden="true"><rect width="{width:.1f}%" height="100%"/></svg></td>'
                f"<td>{_short(wait / unit)}</td></tr>"
            )
        ticks = "".join(
            f'<line x1="{100 * at / end:.1f}%" x2="{100 * at / end:.1f}%" y2="4"/>'
            f'<text x="{100 * at / end:.1f}%" y="16" text-anchor="{anchor}">{at:g}</text>'
            for at, anchor in _ticks(step, end)
        )
        yield (
            f'<tr><th scope="row">mean wait in {name}</th><td><svg role="img" aria-label="axis">'
            f'<line x2="100%"/>{ticks}</svg></td><td></td></tr>'
        )
        yield "</tbody></table>"


def _ticks(step: float, end: float) -> Iterator[tuple[float, str]]:
    number = round(end / step)
    for place in range(number + 1):
        yield (
            round(place * step, 9),
            "start" if not place else "end" if place == number else "middle",
        )


def _short(value: float) -> str:
    return f"{value:.1f}" if value < _TENTHS else f"{value:.0f}"


@dataclass(frozen=True, slots=True)
class HeatMaps:
    """Mean waits by size and run time under two schedulers, with one scale of colours."""

    script: ClassVar[None] = None
    titled: Sequence[tuple[str, "Run"]]
    """The title and the run of each map. The runs have the same jobs."""
    edges: Sequence[int]
    """The maximum number of processors of each size class except the last."""
    unit: tuple[float, str]
    """The unit of the waits: its seconds and its name."""

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield the maps side by side."""
        maps = [(title, *_means(run, self.edges)) for title, run in self.titled]
        used = ~np.all([np.isnan(means).all(axis=0) for _, _, means in maps], axis=0)
        longest = max((float(np.nanmax(means)) for _, _, means in maps), default=0.0)
        unit, name = self.unit
        yield f'<h{level} class="chart">Which jobs gain</h{level}>'
        yield f"<p>Mean wait ({name}) by run time.</p>"
        yield '<div class="maps">'
        for title, names, means in maps:
            head = "".join(
                f'<th scope="col">{one}</th>'
                for one, kept in zip(_RUN_TIMES, used, strict=True)
                if kept
            )
            yield f'<table class="map"><caption>{escaped(title)}</caption>'
            yield f"<thead><tr><td>processors</td>{head}</tr></thead><tbody>"
            for size, row in zip(names, means[:, used].tolist(), strict=True):
                cells = "".join(
                    "<td></td>"
                    if wait != wait  # noqa: PLR0124 - NaN: the class has no job
                    else f'<td class="h{shade_of(wait, longest)}">{_short(wait / unit)}</td>'
                    for wait in row
                )
                yield f'<tr><th scope="row">{escaped(size)}</th>{cells}</tr>'
            yield "</tbody></table>"
        yield "</div>"


def shade_of(wait: float, longest: float) -> int:
    """Return the shade of a wait on a logarithmic scale, from 0 (palest) to 7 (longest wait).

    Examples
    --------
    >>> shade_of(0.0, 100.0), shade_of(10.0, 100.0), shade_of(100.0, 100.0)
    (0, 4, 7)
    """
    if wait <= longest / _DARKEST:
        return 0
    share = 1.0 - log10(longest / wait) / log10(_DARKEST)
    return min(_SHADES - 1, int(_SHADES * share))


def _means(run: "Run", edges: Sequence[int]) -> tuple[tuple[str, ...], "NDArray[np.float64]"]:
    """Return the size classes and the mean waits by size and run time, NaN without jobs."""
    sizes = groups_of(run, "size", edges=edges)
    lengths = np.searchsorted(LENGTHS, run.column("execution_time"))
    total = np.zeros((len(sizes.names), len(_RUN_TIMES)))
    jobs = np.zeros(total.shape)
    np.add.at(total, (sizes.codes, lengths), run.column("waiting_time"))
    np.add.at(jobs, (sizes.codes, lengths), 1.0)
    return sizes.names, np.where(jobs > 0.0, total / np.maximum(jobs, 1.0), nan)
