"""Pictures of changed waits by size and length of jobs."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.comparison.winners_and_losers import FEWER
from pred_aware.metrics.gains import gains
from pred_aware.metrics.groups import LENGTH_NAMES, LENGTHS, SIZES
from pred_aware.report.durations import HOUR, MINUTE, signed
from pred_aware.report.picture import Panel, Picture, plain
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pred_aware.runs.run import Run

_CAPTION = (
    "Each cell shows the change of the mean wait relative to {}, in hours, and the number of jobs. "
    "Blue: shorter waits. Red: longer waits. Paler: smaller changes. One run of each policy, so "
    f"there is no interval. {FEWER}"
)
_EVEN = 10 * MINUTE
"""The colour scale is linear up to this difference in seconds, and logarithmic beyond it."""
_STRONG = 0.6


def gains_pictures(baseline: "Run", others: "Sequence[Run]") -> list[Picture]:
    """Return for each run a picture of the changes of waits by size and length of jobs.

    Parameters
    ----------
    baseline
        The run with which the others are compared.
    others
        Runs of the same jobs.
    """
    found = []
    for run in others:
        frame = gains(baseline, run)
        if frame.empty:
            continue
        size = np.searchsorted(SIZES, frame["processors"].to_numpy())
        length = np.searchsorted(LENGTHS, frame["run_time"].to_numpy())
        used = np.unique(size)
        names = [_size_name(int(one)) for one in used]
        row = np.searchsorted(used, size)
        jobs = np.zeros((len(used), len(LENGTH_NAMES)))
        total = np.zeros(jobs.shape)
        np.add.at(jobs, (row, length), 1.0)
        np.add.at(total, (row, length), frame["difference"].to_numpy())
        with np.errstate(invalid="ignore"):
            means = total / jobs
        title = f"Who waits shorter and who longer under {run.name}, by processors and run time"
        height = 1.2 + 0.5 * len(names)
        draw = partial(_draw, names=names, means=means, jobs=jobs)
        table = _table(names, means, jobs=jobs)
        panels = (Panel(8.0, height, draw),)
        found.append(Picture(title, _CAPTION.format(baseline.name), panels, (table,)))
    return found


def _size_name(place: int) -> str:
    high = SIZES[min(place, len(SIZES) - 1)]
    low = SIZES[place - 1] + 1 if place else 1
    if place >= len(SIZES):
        return f"over {high:,}"
    return f"{high:,}" if low == high else f"{low:,} to {high:,}"


def _draw(
    figure: Any,  # noqa: ANN401 - Figure
    *,
    names: list[str],
    means: "NDArray[np.float64]",
    jobs: "NDArray[np.float64]",
) -> None:
    from matplotlib.colors import SymLogNorm

    most = max(float(np.nanmax(np.abs(means))), 2 * _EVEN)
    norm = SymLogNorm(linthresh=_EVEN, vmin=-most, vmax=most)
    axes = figure.subplots()
    axes.grid(visible=False)
    # red suggests something bad, so longer waits are red and shorter waits are blue
    axes.pcolormesh(
        np.ma.masked_invalid(means), cmap="RdBu_r", norm=norm, edgecolors="white", linewidth=0.5
    )
    for place, column in np.argwhere(jobs > 0).tolist():
        mean = float(means[place, column])
        strong = abs(float(norm(mean)) - 0.5) > _STRONG / 2
        axes.text(
            column + 0.5,
            place + 0.5,
            f"{mean / HOUR:+.1f}\n{counted(int(jobs[place, column]), 'job')}",
            ha="center",
            va="center",
            fontsize=8,
            color="white" if strong else "#222222",
        )
    axes.set_xticks(np.arange(len(LENGTH_NAMES)) + 0.5, LENGTH_NAMES)
    axes.set_yticks(np.arange(len(names)) + 0.5, [plain(name) for name in names])
    axes.set_xlabel("run time")
    axes.set_ylabel("processors")


def _table(names: list[str], means: "NDArray[np.float64]", *, jobs: "NDArray[np.float64]") -> Table:
    rows = tuple(
        (
            name,
            *(
                Cell(f"{signed(mean)} ({counted(int(number), 'job')})", mean)
                if number
                else Cell(NOTHING, None)
                for mean, number in zip(of_size, numbers, strict=True)
            ),
        )
        for name, of_size, numbers in zip(names, means.tolist(), jobs.tolist(), strict=True)
    )
    return Table("Changes of the mean wait", ("processors", *LENGTH_NAMES), rows)
