"""The pictures of measured predictions, in one file or one by one."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.comparison.picture import check_picture_path, styled
from pred_aware.prediction import panels
from pred_aware.prediction.evaluation import Evaluation
from workload_tools.files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ABREAST = 3
"""How many heatmaps stand beside one another."""
WIDTH = 12.0
"""Of a picture, in inches."""


_LINES_CAPTION = """Left, as in paper 003: the jobs of each predictor in the order of their errors.
Where the curve falls, jobs are underestimated; how far to the right it turns is their share. Right,
as in paper 004: the share of jobs whose run time is at most R times their estimate."""
_BOXES_CAPTION = """As in paper 003: run time up to 2 h, up to 24 h, longer. Boxes reach from the
first to the third quartile, whiskers from 5 % to 95 % of the jobs."""
_HEAT_CAPTION = """As in paper 002: red where estimates are nearer to the run times than walltimes
are, blue where they are farther off. Numbers are jobs."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what it shows.

    Parameters
    ----------
    title, caption
        Text for a page.
    svg
        The picture.
    """

    title: str
    caption: str
    svg: bytes


def draw(evaluations: Sequence[Evaluation], path: Path) -> None:
    """Draw all pictures into one file, always the same bytes for the same predictions.

    Parameters
    ----------
    evaluations
        What was measured, of the same jobs.
    path
        A file whose name ends in .png or .svg.

    Raises
    ------
    PredAwareError, InputError
        The file can't be written, or its name ends in something else.
    """
    check_picture_path(path)
    figure = figure_of(evaluations)
    with styled():
        _save(figure, path)


def figure_of(evaluations: Sequence[Evaluation]) -> "Figure":
    """Draw all pictures into one figure."""
    from matplotlib.figure import Figure

    heights = [4.4, _height_of_boxes(evaluations), _height_of_heat(evaluations)]
    with styled():
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        parts: Any = figure.subfigures(3, 1, height_ratios=heights)
        for part, draw_part in zip(parts, (_lines, _boxes, _heat), strict=True):
            draw_part(evaluations, part)
    return figure


def draw_each(evaluations: Sequence[Evaluation]) -> list[Picture]:
    """Draw the pictures one by one, as SVG.

    Parameters
    ----------
    evaluations
        What was measured, of the same jobs.
    """
    parts = (
        ("Errors and accuracy", _LINES_CAPTION, 4.4, _lines),
        (
            "Errors of short, medium and long jobs",
            _BOXES_CAPTION,
            _height_of_boxes(evaluations),
            _boxes,
        ),
        ("Improvement on the walltimes", _HEAT_CAPTION, _height_of_heat(evaluations), _heat),
    )
    from matplotlib.figure import Figure

    found = []
    with styled():
        for title, caption, height, draw_into in parts:
            figure = Figure(figsize=(WIDTH, height), layout="constrained")
            draw_into(evaluations, figure)
            file = io.BytesIO()
            figure.savefig(file, format="svg", metadata={"Date": None})
            found.append(Picture(title, caption, file.getvalue()))
    return found


def _save(figure: Any, path: Path) -> None:  # noqa: ANN401 - Figure
    suffix = path.suffix.lower()[1:]
    nothing_of_today = {"Date": None} if suffix == "svg" else {"Software": None}
    with written_whole(path) as file:
        figure.savefig(file, format=suffix, dpi=100, metadata=nothing_of_today)


def _height_of_boxes(evaluations: Sequence[Evaluation]) -> float:
    return 1.4 + 0.32 * (1 + len(evaluations))


def _height_of_heat(evaluations: Sequence[Evaluation]) -> float:
    return 0.4 + 3.6 * -(-len(evaluations) // ABREAST)


def _lines(evaluations: Sequence[Evaluation], figure: Any) -> None:  # noqa: ANN401 - Figure
    left, right = figure.subplots(1, 2, width_ratios=(1.4, 1))
    panels.v_curves(evaluations, left)
    panels.ratios(evaluations, right)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=6, frameon=False)


def _boxes(evaluations: Sequence[Evaluation], figure: Any) -> None:  # noqa: ANN401 - Figure
    panels.boxes(evaluations, figure.subplots(1, 3))


def _heat(evaluations: Sequence[Evaluation], figure: Any) -> None:  # noqa: ANN401 - Figure
    rows = -(-len(evaluations) // ABREAST)
    grid = figure.subplots(rows, ABREAST, squeeze=False)
    mesh = None
    for place, axes in enumerate(grid.flat):
        if place < len(evaluations):
            mesh = panels.heat(evaluations[place], axes, first=place % ABREAST == 0)
        else:
            axes.set_axis_off()
    power = int(panels.STRONGEST)
    bar = figure.colorbar(mesh, ax=grid, ticks=range(-power, power + 1, 2), aspect=30, pad=0.01)
    bar.ax.set_yticklabels(
        [_times(exponent) for exponent in range(-power, power + 1, 2)], fontsize=8
    )
    bar.outline.set_visible(False)


def _times(exponent: int) -> str:
    if exponent == 0:
        return "as near as\nthe walltime"
    return f"{1 << abs(exponent)} times\n{'nearer' if exponent > 0 else 'farther'}"
