"""A picture of runs side by side: machine and queue over time, distributions of waiting time."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.comparison.timelines import bin_edges, timeline
from pred_aware.errors import PredAwareError
from pred_aware.report.durations import DAY, HOUR, MINUTE
from workload_tools.files import written_whole
from workload_tools.printable import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.runs.run import Run

SUFFIXES = (".png", ".svg")
# Okabe and Ito's palette, told apart by colour-blind people too; the base is dark grey
COLOURS = ("#404040", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
SHORTEST = 10.0
TICKS = {
    SHORTEST: "10 s",
    MINUTE: "1 min",
    10 * MINUTE: "10 min",
    HOUR: "1 h",
    6 * HOUR: "6 h",
    DAY: "1 d",
    7 * DAY: "1 week",
    60 * DAY: "60 d",
}
WIDTH_NAMES = {
    1: "1 s",
    10: "10 s",
    60: "1 min",
    600: "10 min",
    1800: "30 min",
    3600: "1 h",
    21600: "6 h",
    43200: "12 h",
    86400: "a day",
    172800: "2 days",
    604800: "a week",
    1209600: "2 weeks",
    2419200: "4 weeks",
}
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "pred-aware",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
}


LONGEST_NAME = 60
"""How many characters of a name are drawn."""


@contextmanager
def styled(**more: object) -> Iterator[None]:
    """Draw in our style, whatever the user's own is; a sign that no font has becomes a box.

    Parameters
    ----------
    more
        Settings of matplotlib beyond `STYLE`, with ``_`` for ``.``.
    """
    import matplotlib as mpl

    own: dict[Any, Any] = {name.replace("_", "."): value for name, value in more.items()}
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE, **own}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


def plain(name: str) -> str:
    r"""Return a name as matplotlib writes it, who takes what is between dollars for a formula.

    Examples
    --------
    >>> print(plain("node$ to $home"))
    node\$ to \$home
    """
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return printable(short).replace("$", r"\$")


def check_picture_path(path: Path) -> None:
    """Say at once, before anything is computed, when a picture can't be written there.

    Raises
    ------
    PredAwareError
        The name ends in something else than .png or .svg, or the folder does not exist.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PredAwareError(f"can't write a picture to {path}: its name must end in .png or .svg")
    if not path.absolute().parent.is_dir():
        raise PredAwareError(f"can't write {path}: there is no folder {path.parent}")


def figure_of(runs: "Sequence[Run]") -> "Figure":
    """Draw runs of the same workload; the first is drawn as the base.

    On the left, over time: the processors in use, the jobs that wait and the processors that they
    ask for. On the right: the share of jobs that waited at most so long, and, on logarithmic
    axes, the share that waited longer, where the few that wait longest can be seen.
    """
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(12, 7.6), layout="constrained")
        grid = figure.add_gridspec(6, 2, width_ratios=(1.55, 1))
        _draw_over_time(
            runs, [figure.add_subplot(grid[2 * row : 2 * row + 2, 0]) for row in (0, 1, 2)]
        )
        _draw_waits(runs, figure.add_subplot(grid[0:3, 1]), figure.add_subplot(grid[3:6, 1]))
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=11
        )
        return figure


def draw(runs: "Sequence[Run]", path: Path) -> None:
    """Draw runs into a file, as `figure_of` does: always the same bytes for the same runs.

    Raises
    ------
    PredAwareError
        The name ends in something else than .png or .svg, or the folder does not exist.
    InputError
        The file can't be written.
    """
    check_picture_path(path)
    import matplotlib as mpl

    figure = figure_of(runs)
    suffix = path.suffix.lower()[1:]
    nothing_of_today: dict[str, None] = {"Date": None} if suffix == "svg" else {"Software": None}
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE}), written_whole(path) as file:
        figure.savefig(file, format=suffix, dpi=100, metadata=nothing_of_today)


def _line(place: int) -> dict[str, Any]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
        "linewidth": 1.8,
    }


def _draw_over_time(runs: "Sequence[Run]", axes: Sequence[Any]) -> None:
    end = max(
        (float(run.whole["finish_time"].max()) for run in runs if len(run.whole)), default=1.0
    )
    edges = bin_edges(end)
    width = WIDTH_NAMES[round(float(edges[1] - edges[0]))]
    days = edges / DAY
    machine, waiting, waited_for = axes
    tops = {waiting: 1.0, waited_for: 1.0}
    for panel in axes:
        # limits are set below; matplotlib warns about its own where a queue is always empty
        panel.autoscale(enable=False)
    for place, run in enumerate(runs):
        line = timeline(run, edges)
        style = {**_line(place), "label": plain(run.name)}
        in_use = 100 * line.processors_in_use / max(1, run.processors)
        for panel, values in (
            (machine, in_use),
            (waiting, line.jobs_waiting),
            (waited_for, line.processors_waited_for),
        ):
            panel.stairs(values, days, baseline=None, **style)
            if panel in tops:
                tops[panel] = max(tops[panel], 1.05 * float(values.max()))
    sizes = sorted({run.processors for run in runs})
    machine.set_title(
        f"Utilisation: processors in use, % of {' or '.join(f'{n:,}' for n in sizes)}"
    )
    machine.set_ylabel("%")
    machine.set_ylim(0, 104)
    waiting.set_title("Queue: jobs waiting")
    waiting.set_ylabel("jobs")
    waited_for.set_title("Queue: processors that the waiting jobs ask for")
    waited_for.set_ylabel("processors")
    waited_for.set_xlabel(f"days since the first submission (each step is the mean over {width})")
    for panel in axes:
        panel.set_xlim(0, end / DAY)
    for panel, top in tops.items():
        panel.set_ylim(0, top)
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    for panel in (machine, waiting):
        panel.tick_params(labelbottom=False)


def _draw_waits(runs: "Sequence[Run]", at_most: Any, longer: Any) -> None:  # noqa: ANN401 - Axes
    longest = max(
        (float(run.ran["waiting_time"].max()) for run in runs if len(run.ran)), default=0.0
    )
    right = max(longest * 1.15, 6 * HOUR)
    at_most.set_title("Share of jobs that waited at most this long")
    at_most.set_ylim(0, 103)
    at_most.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    longer.set_title("Share that waited longer: the longest waits")
    longer.set_yscale("log")
    longer.set_ylim(70 / max(1, *(len(run.ran) for run in runs)), 130)
    longer.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    longer.set_xlabel("waiting time (logarithmic)")
    ticks = {date: text for date, text in TICKS.items() if date <= right}
    for panel in (at_most, longer):
        panel.set_xscale("log")
        panel.set_xlim(SHORTEST, right)
        panel.set_xticks(list(ticks), list(ticks.values()))
        panel.minorticks_off()
    for place, run in enumerate(runs):
        waits = np.sort(run.ran["waiting_time"].to_numpy())
        if not len(waits):
            continue
        points = _points(waits, right)
        not_longer = np.searchsorted(waits, points, side="right") / len(waits)
        style = {**_line(place), "drawstyle": "steps-post"}
        at_most.plot(points, 100 * not_longer, **style)
        # where nobody waits longer the line falls to the bottom and ends there
        longer.plot(points, 100 * np.maximum(1 - not_longer, 1e-9), **style)


def _points(waits: "NDArray[np.float64]", right: float) -> "NDArray[np.float64]":
    """Choose where to evaluate a distribution: evenly on the axis, and each of the longest."""
    even = np.geomspace(SHORTEST, right, 500)
    points: NDArray[np.float64] = np.union1d(even, np.maximum(waits[-200:], SHORTEST))
    return points
