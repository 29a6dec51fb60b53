"""Write names next to the lines of a picture, instead of a legend."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Axes = Any  # matplotlib publishes no types

MOST_LINES = 5
LONGEST = 24
"""With more lines than `MOST_LINES`, or a name longer than this, a legend is drawn instead."""
_PLACES = 101
_LETTER, _HEIGHT = 0.02, 0.07
"""Approximate sizes of a letter and a line, as fractions of a panel's width and height."""
_EDGE = 0.05
_FAR = 0.5


def name_lines(axes: Axes, *, corner: str) -> None:
    """Write each line's name at the position where it is farthest from other lines.

    Parameters
    ----------
    axes
        The axes with labelled lines. Limits and scales are already set.
    corner
        The position of the legend that is used for many lines or long names.
    """
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    names = [line.get_label() for line in lines]
    widths = [_LETTER * (2 + len(name)) for name in names]
    across = np.linspace(0.0, 1.0, _PLACES)
    places = _places([_heights(axes, line, across) for line in lines], across, widths)
    if len(lines) > MOST_LINES or any(len(name) > LONGEST for name in names) or None in places:
        if lines:
            axes.legend(loc=corner, frameon=False, fontsize=9)
        return
    for line, name, place in zip(lines, names, places, strict=True):
        assert place is not None
        axes.text(
            *place,
            name,
            transform=axes.transAxes,
            color=line.get_color(),
            fontsize=9,
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.0},
        )


def _heights(axes: Axes, line: Any, across: "NDArray[np.float64]") -> "NDArray[np.float64]":  # noqa: ANN401 - Line2D
    """Return the height of a line as a fraction of the axes; NaN where it is not drawn."""
    with np.errstate(divide="ignore", invalid="ignore"):
        points = axes.transData.transform(line.get_xydata())
        points = axes.transAxes.inverted().transform(points)
    drawn = points[np.isfinite(points).all(axis=1)]
    if not len(drawn):
        return np.full(len(across), np.nan)
    heights: NDArray[np.float64] = np.interp(
        across, drawn[:, 0], drawn[:, 1], left=np.nan, right=np.nan
    )
    return heights


def _places(
    heights: "list[NDArray[np.float64]]", across: "NDArray[np.float64]", widths: list[float]
) -> list[tuple[float, float] | None]:
    """Choose a position for each name, clear of other lines and names."""
    taken: list[tuple[float, float, float]] = []
    places: list[tuple[float, float] | None] = []
    for line, line_heights in enumerate(heights):
        gaps = [
            np.abs(line_heights - other) for index, other in enumerate(heights) if index != line
        ]
        free = np.fmin.reduce([np.full(len(across), _FAR), *gaps])
        for x, y, width in taken:
            near = np.abs(across - x) < (width + widths[line]) / 2
            free = np.where(near & (np.abs(line_heights - y) < _HEIGHT), 0.0, free)
        half = widths[line] / 2
        inside = (
            (line_heights > _EDGE)
            & (line_heights < 1 - _EDGE)
            & (across > half)
            & (across < 1 - half)
        )
        free = np.where(inside, free, 0.0)
        best = int(np.argmax(free))
        place = (float(across[best]), float(line_heights[best])) if free[best] > 0.0 else None
        taken += [] if place is None else [(*place, widths[line])]
        places.append(place)
    return places
