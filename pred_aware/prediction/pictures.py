"""Pictures of evaluated predictions, in one file or separately."""

from collections.abc import Callable, Sequence
from typing import Any

from pred_aware.prediction import panels
from pred_aware.prediction.evaluation import Evaluation
from pred_aware.report.line_names import name_lines
from pred_aware.report.picture import Panel, Picture

ABREAST = 3
"""Number of heatmaps in a row."""
WIDTH = 12.0
"""Width of a picture, in inches."""


_LINES_CAPTION = (
    "Left, as in paper 003: the jobs of each predictor sorted by error. Where the curve falls, "
    "jobs "
    "are underestimated; its lowest point shows their share. Right, as in paper 004: the share of "
    "jobs whose run time is at most R times their estimate."
)
_BOXES_CAPTION = (
    "As in paper 003: run time up to 2 h, up to 24 h, longer. Boxes extend from the first to the "
    "third quartile, whiskers from 5 % to 95 % of the jobs."
)
_HEAT_CAPTION = (
    "As in paper 002: blue if estimates are closer to the run times than walltimes are, red "
    "if they are farther. Numbers are counts of jobs."
)


def pictures(evaluations: Sequence[Evaluation]) -> list[Picture]:
    """Return the pictures of predictions of the same jobs."""

    def panel(
        width: float, height: float, draw: "Callable[[Sequence[Evaluation], Any], None]"
    ) -> Panel:
        return Panel(width, height, lambda figure: draw(evaluations, figure))

    return [
        Picture(
            "Errors and accuracy",
            _LINES_CAPTION,
            (panel(7.0, 4.4, _errors), panel(5.0, 4.4, _ratios)),
        ),
        Picture(
            "Errors of short, medium and long jobs",
            _BOXES_CAPTION,
            (panel(WIDTH, 1.4 + 0.32 * (1 + len(evaluations)), _boxes),),
        ),
        Picture(
            "Improvement on the walltimes",
            _HEAT_CAPTION,
            (panel(WIDTH, 0.4 + 3.6 * -(-len(evaluations) // ABREAST), _heat),),
        ),
    ]


def _errors(evaluations: Sequence[Evaluation], figure: Any) -> None:  # noqa: ANN401 - Figure
    panels.v_curves(evaluations, figure.subplots())
    figure.legend(loc="outside upper left", ncols=4, frameon=False)


def _ratios(evaluations: Sequence[Evaluation], figure: Any) -> None:  # noqa: ANN401 - Figure
    axes = figure.subplots()
    panels.ratios(evaluations, axes)
    name_lines(axes, corner="lower right")


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
