"""Report on evaluated predictors: printed tables, and the HTML page."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pred_aware.log.job_log import JobLog
from pred_aware.prediction import panels
from pred_aware.prediction.evaluation import Evaluation
from pred_aware.prediction.predict import Measured
from pred_aware.prediction.predictions import write_predictions
from pred_aware.prediction.protocol import protocol_to_dict
from pred_aware.prediction.tables import tables
from pred_aware.report.clock import make_clock, plausible_start
from pred_aware.report.line_names import name_lines
from pred_aware.report.page.content import Content, report
from pred_aware.report.picture import Panel, Picture
from pred_aware.report.plural import counted
from pred_aware.report.result import Result
from pred_aware.report.sentence import Block, remarks
from pred_aware.report.table import Table
from pred_aware.report.terminal import console, show
from workload_tools.missing_walltime import GIVEN_WALLTIME

ABREAST = 3
"""Number of heatmaps side by side."""
WIDTH = 12.0
"""Width of a picture, in inches."""


_LINES_CAPTION = (
    "Left, as in Chlumský and Klusáček (2022): the jobs of each predictor, sorted by error. Where "
    "a curve falls, jobs are underestimated; the curve's lowest point shows their share. Right, as "
    "in Tang et al. (2010): the share of jobs whose run time is at most R times their estimate."
)
_BOXES_CAPTION = (
    "As in Chlumský and Klusáček (2022): jobs with run times up to 2 h, up to 24 h, and longer. "
    "Boxes extend from the first to the third quartile of the errors, whiskers from the 5 % to the "
    "95 % quantile."
)
_HEAT_CAPTION = (
    "As in the slides of Le Hai et al.: blue where estimates are closer to the run times than "
    "walltimes are, red where walltimes are closer. Each number is the number of jobs."
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


class PredictionReport(Result):
    """The report on predictors evaluated on a log.

    Parameters
    ----------
    log
        The log.
    measured
        The predictions and evaluations.
    """

    ROWS = "Predictions"

    def __init__(self, log: JobLog, measured: Measured) -> None:
        self.log = log
        self.measured = measured
        self._title = f"Run time prediction on {log.name}"

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the measures of each predictor, with the protocol."""
        protocol = protocol_to_dict(self.measured.split)
        return [{**one.to_dict(), **protocol} for one in self.measured.evaluations]

    def show(self) -> None:
        """Print the tables and remarks."""
        show([*self.tables(), remarks(self.remarks())], console())

    def tables(self) -> list[Table]:
        """Return the tables."""
        return tables(self.measured.evaluations)

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return the plots of predictions against run times."""
        return f"{self._title}, {self._dates()}", pictures(self.measured.evaluations)

    def page(self, *, command: str, names: bool = False) -> Content:
        """Return the HTML page; `command` is shown as its origin."""
        first, *others = self.tables()
        blocks: list[Block] = [remarks(self.remarks()), first, *self.pictures()[1], *others]
        return report(self._title, under=self._dates(), blocks=blocks, command=command)

    def write_rows(self, path: Path) -> None:
        """Write a row for each prediction."""
        write_predictions(self.measured.jobs, self.measured.predictions, path)

    def remarks(self) -> list[str]:
        """Return notes on jobs that were dropped, changed or left out of the measures."""
        jobs, counts, division = self.measured.jobs, self.log.report, self.measured.split
        found = [] if division is None else [division.remark]
        if counts.dropped:
            reasons = "; ".join(f"{n:,} {reason}" for reason, n in sorted(counts.dropped.items()))
            found.append(f"Dropped jobs of the log: {reasons}.")
        if given := counts.repaired[GIVEN_WALLTIME]:
            found.append(
                f"{counted(given, 'job')} without a walltime got the value of --missing-walltime."
            )
        if jobs.without_wait:
            found.append(
                f"{jobs.without_wait:,} jobs have no wait in the log and count as started at "
                "submission."
            )
        without = sum(job.walltime is None for job in jobs.submissions)
        if without:
            found.append(
                f"{without:,} jobs have no walltime; comparisons with walltimes leave them out."
            )
        if all(job.user is None for job in jobs.submissions):
            found.append("The log has no users: predictors that need users return the walltime.")
        filling = len(jobs) - sum(jobs.counted)
        if filling:
            found.append(
                f"Predictors learn the {filling:,} warm-up jobs; measures omit these jobs."
            )
        return found

    def _dates(self) -> str:
        machine = self.log.machine
        first, last = machine.jobs[0].submit_time, machine.jobs[-1].submit_time
        clock = make_clock(plausible_start(machine.start_time, first, last), machine.time_zone)
        return clock.period(first, last, jobs=len(machine.jobs))
