"""The plots of papers 002, 003 and 004, each drawn into given axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.prediction.evaluation import Evaluation, EvaluationColumns
from pred_aware.prediction.groups import lengths
from pred_aware.prediction.measures import deviation_ratios
from pred_aware.prediction.tables import short
from pred_aware.report.durations import DAY, HOUR, MINUTE
from pred_aware.report.picture import COLOURS, DASHES, plain, time_axis

if TYPE_CHECKING:
    from numpy.typing import NDArray


RUN_TIMES = (
    (10.0, "≤ 10 s"),
    (MINUTE, "≤ 1 min"),
    (10 * MINUTE, "≤ 10 min"),
    (HOUR, "≤ 1 h"),
    (4 * HOUR, "≤ 4 h"),
    (12 * HOUR, "≤ 12 h"),
    (DAY, "≤ 1 d"),
    (3 * DAY, "≤ 3 d"),
    (float("inf"), "> 3 d"),
)
"""Columns of the heatmap: largest run time in seconds, and label."""

MOST_ROWS = 10


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Estimates compared with walltimes, by job size and run time."""

    sizes: tuple[str, ...]
    run_times: tuple[str, ...]
    """Names of the rows (small jobs first) and of the columns."""
    improvement: "NDArray[np.float64]"
    """Mean of log2(deviation ratio of the walltime / deviation ratio of the estimate), shape (rows,
    columns). The value is 1 if estimates are twice as close to the run times as walltimes are, -1
    if estimates are twice as far off, and NaN without jobs.
    """
    jobs: "NDArray[np.int64]"
    """Number of jobs in each mean, shape (rows, columns)."""


def heatmap(jobs: EvaluationColumns, estimates: "NDArray[np.float64]") -> Heatmap:
    """Compare estimates with walltimes, over jobs with a walltime.

    Parameters
    ----------
    jobs
        Values of the jobs.
    estimates
        In seconds, shape (n,).
    """
    known = ~np.isnan(jobs.walltimes)
    run_times = jobs.run_times[known]
    gains = np.log2(
        deviation_ratios(jobs.walltimes[known], run_times)
        / deviation_ratios(estimates[known], run_times)
    )
    limits, names = size_classes(int(jobs.processors.max(initial=1)))
    rows = np.searchsorted(limits, jobs.processors[known])
    columns = np.searchsorted([limit for limit, _ in RUN_TIMES], run_times)
    shape = (len(limits), 1 + int(columns.max(initial=0)))
    cells = rows * shape[1] + columns
    number = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    sums = np.bincount(cells, gains, minlength=shape[0] * shape[1]).reshape(shape)
    improvement = np.full(shape, np.nan)
    np.divide(sums, number, out=improvement, where=number > 0)
    columns_shown = tuple(name for _, name in RUN_TIMES[: shape[1]])
    return Heatmap(names, columns_shown, improvement, number)


def size_classes(largest: int) -> tuple[list[int], tuple[str, ...]]:
    """Return the largest size in each class of sizes, and the classes' names.

    The limits are powers of 2. If these would be too many classes, the limits are powers of 4, 8
    and so on.

    Examples
    --------
    >>> size_classes(8)
    ([1, 2, 4, 8], ('1', '2', '3-4', '5-8'))
    """
    exponents = max(largest - 1, 0).bit_length()
    step = 1 + exponents // MOST_ROWS
    limits = [1 << exponent for exponent in range(0, exponents + step, step)]
    names = [str(limits[0])]
    for below, limit in pairwise(limits):
        names.append(f"{below + 1}-{limit}" if limit - below > 1 else str(limit))
    return limits, tuple(names)


WALLTIMES = "(walltimes)"
POINTS = 600
WHISKERS = (0.05, 0.25, 0.5, 0.75, 0.95)
STRONGEST = 4.0
"""Improvements of at least this value, a logarithm to base 2, get the strongest colour."""
LARGEST_R = 2.0
MANY = 1000


def curves(evaluations: Sequence[Evaluation]) -> Iterable[tuple[str, "NDArray[np.float64]", int]]:
    """Yield name, estimates and colour index, first of the walltimes, then of each predictor."""
    yield WALLTIMES, evaluations[0].jobs.walltimes, 0
    for place, one in enumerate(evaluations):
        yield plain(short(one.label)), one.predictions.estimates, 1 + place


def line(place: int) -> dict[str, Any]:
    """Return the line style of a curve; index 0 is the grey line of the walltimes."""
    colours = COLOURS[1:]
    return {
        "color": colours[(place - 1) % len(colours)] if place else COLOURS[0],
        "linestyle": DASHES[place % len(DASHES)],
        "linewidth": 1.8,
    }


def v_curves(evaluations: Sequence[Evaluation], axes: Any) -> None:  # noqa: ANN401 - Axes
    """Draw absolute errors of jobs sorted by signed error (paper 003, figure 4)."""
    largest = 10.0
    run_times = evaluations[0].jobs.run_times
    for name, estimates, place in curves(evaluations):
        known = ~np.isnan(estimates)
        if not known.any():
            continue
        errors = np.sort((estimates - run_times)[known])
        chosen = np.unique(np.linspace(0, len(errors) - 1, POINTS).round().astype(int))
        sizes = np.maximum(np.abs(errors[chosen]), 1.0)
        largest = max(largest, float(sizes.max()))
        axes.plot(100 * (chosen + 0.5) / len(errors), sizes, label=name, **line(place))
    axes.set_title("Errors, from the most underestimated to the most overestimated job")
    axes.set_yscale("log")
    axes.set_ylim(1.0, largest * 1.3)
    time_axis(axes.yaxis, 1.0, largest * 1.3)
    axes.set_xlim(0, 100)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.set_xlabel(
        "jobs sorted by error; a falling curve means underestimated, a rising one overestimated"
    )
    axes.set_ylabel("absolute error (logarithmic)")


def ratios(evaluations: Sequence[Evaluation], axes: Any) -> None:  # noqa: ANN401 - Axes
    """Draw the distribution of run time / estimate (paper 004, figure 3)."""
    run_times = evaluations[0].jobs.run_times
    points = np.linspace(0.0, LARGEST_R, POINTS)
    for name, estimates, place in curves(evaluations):
        known = ~np.isnan(estimates)
        if not known.any():
            continue
        found = np.sort(run_times[known] / estimates[known])
        shares = np.searchsorted(found, points, side="right") / len(found)
        axes.plot(points, 100 * shares, label=name, drawstyle="steps-post", **line(place))
    axes.axvline(1.0, color="#888888", linewidth=0.8)
    axes.set_title("Distribution of R = run time / estimate")
    axes.set_xlim(0, LARGEST_R)
    axes.set_ylim(0, 103)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.set_xlabel(f"R; above 1, the job was underestimated; some jobs exceed {LARGEST_R:.0f}")
    axes.set_ylabel("jobs with at most this R")


def boxes(evaluations: Sequence[Evaluation], axes: Sequence[Any]) -> None:
    """Draw errors of short, medium and long jobs (paper 003, figure 5).

    Parameters
    ----------
    evaluations
        Evaluations of the same jobs.
    axes
        Axes for short, medium and long jobs.
    """
    groups = [
        (title.capitalize(), belongs) for title, belongs in lengths(evaluations[0].jobs.run_times)
    ]
    boxes_of(groups, evaluations, axes)


def boxes_of(
    groups: "Sequence[tuple[str, NDArray[np.bool_]]]",
    evaluations: Sequence[Evaluation],
    axes: Sequence[Any],
) -> None:
    """Draw the errors of groups of jobs.

    Parameters
    ----------
    groups
        The title and the mask of jobs of each group, shape (n,).
    evaluations
        Evaluations of the same jobs.
    axes
        Axes for each group; the first axes show the predictors' names.
    """
    run_times = evaluations[0].jobs.run_times
    for (title, belongs), panel in zip(groups, axes, strict=True):
        names = []
        for name, estimates, place in curves(evaluations):
            names.append(name)
            errors = (estimates - run_times)[belongs & ~np.isnan(estimates)] / HOUR
            if len(errors):
                _box(panel, errors, place)
        panel.axvline(0.0, color="#888888", linewidth=0.8)
        panel.set_yticks(range(len(names)), names if panel is axes[0] else [""] * len(names))
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.grid(visible=False, axis="y")
        number = int(belongs.sum())
        panel.set_title(f"{title}: {number:,} job{'s' * (number != 1)}")
        panel.set_xlabel("estimate - run time, h")


def _box(axes: Any, errors: "NDArray[np.float64]", place: int) -> None:  # noqa: ANN401 - Axes
    low, first, middle, third, high = np.quantile(errors, WHISKERS).tolist()
    colour = line(place)["color"]
    stats = {"whislo": low, "q1": first, "med": middle, "q3": third, "whishi": high, "fliers": []}
    axes.bxp(
        [stats],
        positions=[place],
        widths=0.6,
        orientation="horizontal",
        showfliers=False,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": colour, "alpha": 0.45, "edgecolor": colour},
        medianprops={"color": "#000000", "linewidth": 1.6},
        whiskerprops={"color": colour},
        capprops={"color": colour},
    )


def heat(evaluation: Evaluation, axes: Any, *, first: bool) -> Any:  # noqa: ANN401 - objects of matplotlib
    """Draw how much closer estimates are to run times than walltimes are (paper 002's heatmap).

    Parameters
    ----------
    evaluation
        The evaluation.
    axes
        The axes to draw into.
    first
        True to label the rows.

    Returns
    -------
    matplotlib.collections.QuadMesh
        The mesh for a colour bar.
    """
    found = heatmap(evaluation.jobs, evaluation.predictions.estimates)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(found.improvement),
        # blue where the predictor is closer to the run times, red where the walltimes are
        cmap="RdBu",
        vmin=-STRONGEST,
        vmax=STRONGEST,
        edgecolors="white",
        linewidth=0.5,
    )
    _count(found, axes)
    axes.grid(visible=False)
    axes.set_title(plain(short(evaluation.label)))
    axes.set_xticks(np.arange(len(found.run_times)) + 0.5, found.run_times, rotation=90)
    axes.set_yticks(np.arange(len(found.sizes)) + 0.5, found.sizes if first else [])
    axes.set_xlabel("run time")
    if first:
        axes.set_ylabel("processors")
    return mesh


def _count(found: Heatmap, axes: Any) -> None:  # noqa: ANN401 - Axes
    """Write the number of jobs into each cell."""
    for row, column in np.argwhere(found.jobs > 0).tolist():
        number = int(found.jobs[row, column])
        strong = abs(float(found.improvement[row, column])) > STRONGEST * 0.6
        axes.text(
            column + 0.5,
            row + 0.5,
            f"{number}" if number < MANY else f"{number / MANY:.0f}k",
            ha="center",
            va="center",
            fontsize=6.5,
            color="white" if strong else "#333333",
        )
