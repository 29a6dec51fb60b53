"""A picture of several runs, with tables of the same data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.metrics.timelines import bin_edges, timeline
from pred_aware.report import picture
from pred_aware.report.durations import DAY, HOUR, timespan
from pred_aware.report.line_names import name_lines
from pred_aware.report.picture import COLOURS, DASHES, TICKS, Panel, Picture, plain, time_axis
from pred_aware.report.table import Table, duration, number, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults


SHORTEST = 10.0
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


def pictures(runs: "Sequence[JobResults]") -> list[Picture]:
    """Return the pictures of runs of the same workload; the first run is the baseline.

    They show over time the processors in use, the waiting jobs and the processors that the waiting
    jobs request. They also show the share of jobs that waited at most a given time and, on
    logarithmic axes, the share that waited longer, in which the longest waits are visible.
    """
    return [
        Picture(
            "Machine, queue and waits",
            "Over time: the processors in use, the waiting jobs and the processors they request. "
            "Beside it: the share of jobs that waited at most a given time, and the share that "
            "waited longer. Waits below 10 s are at the left edge.",
            (
                Panel(7.3, 7.6, lambda figure: _over_time(runs, figure)),
                Panel(4.7, 7.6, lambda figure: _waits(runs, figure)),
            ),
            tables(runs),
        )
    ]


def figure_of(runs: "Sequence[JobResults]", title: str = "") -> "Figure":
    """Draw runs of the same workload under a title; the first run is the baseline."""
    return picture.figure_of(pictures(runs), title)


def draw(runs: "Sequence[JobResults]", path: Path, *, title: str = "") -> None:
    """Draw runs into a file, under a title. The same runs give the same bytes.

    Raises
    ------
    PredAwareError
        The name does not end in .png, .svg or .pdf, or the folder does not exist.
    InputError
        The file cannot be written.
    """
    picture.save(figure_of(runs, title), path)


def _line(place: int) -> dict[str, Any]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
        "linewidth": 1.8,
    }


def _over_time(runs: "Sequence[JobResults]", figure: "Figure") -> None:
    end = max(
        (float(run.whole["finish_time"].max()) for run in runs if len(run.whole)), default=1.0
    )
    edges = bin_edges(end)
    width = WIDTH_NAMES[round(float(edges[1] - edges[0]))]
    days = edges / DAY
    axes = figure.subplots(3, 1)
    machine, waiting, waited_for = axes
    tops = {waiting: 1.0, waited_for: 1.0}
    for panel in axes:
        # limits are set below; automatic ones cause a warning if a queue is always empty
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
    waited_for.set_title("Queue: processors requested by waiting jobs")
    waited_for.set_ylabel("processors")
    waited_for.set_xlabel(f"days since the first submission (each step is a mean over {width})")
    for panel in axes:
        panel.set_xlim(0, end / DAY)
    for panel, top in tops.items():
        panel.set_ylim(0, top)
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    for panel in (machine, waiting):
        panel.tick_params(labelbottom=False)
    _name_lines(figure)


def _name_lines(figure: "Figure") -> None:
    """Add a legend of the runs above the panels."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside upper left", ncols=4, frameon=False)


def _waits(runs: "Sequence[JobResults]", figure: "Figure") -> None:
    at_most, longer = figure.subplots(2, 1)
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
    for panel in (at_most, longer):
        panel.set_xscale("log")
        panel.set_xlim(SHORTEST, right)
        time_axis(panel.xaxis, SHORTEST, right)
    for place, run in enumerate(runs):
        waits = np.sort(run.ran["waiting_time"].to_numpy())
        if not len(waits):
            continue
        points = _points(waits, right)
        not_longer = np.searchsorted(waits, points, side="right") / len(waits)
        style = {**_line(place), "drawstyle": "steps-post", "label": plain(run.name)}
        at_most.plot(points, 100 * not_longer, **style)
        # not 0, which has no logarithm: after the longest wait, the line falls to the bottom
        longer.plot(points, 100 * np.maximum(1 - not_longer, 1e-9), **style)
    name_lines(at_most, corner="lower right")


def _points(waits: "NDArray[np.float64]", right: float) -> "NDArray[np.float64]":
    """Return where to evaluate a distribution: evenly on the axis, and at the longest waits."""
    even = np.geomspace(SHORTEST, right, 500)
    points: NDArray[np.float64] = np.union1d(even, np.maximum(waits[-200:], SHORTEST))
    return points


_QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
_STRETCHES = 12


def tables(runs: "Sequence[JobResults]") -> tuple[Table, ...]:
    """Return tables of the jobs' waits in each run, and of machine and queue over time."""
    if not any(len(run.ran) for run in runs):
        return ()
    return _waits_table(runs), _over_time_table(runs)


def _waits_table(runs: "Sequence[JobResults]") -> Table:
    waits = [np.sort(run.ran["waiting_time"].to_numpy(np.float64)) for run in runs]
    longest = max(float(some[-1]) for some in waits if len(some))
    rows = [
        (f"waited at most {name}", *(percent(_share(some, seconds)) for some in waits))
        for seconds, name in TICKS.items()
        if seconds <= longest
    ]
    for share in _QUANTILES:
        name = "longest wait" if share == 1.0 else f"{100 * share:g} % waited at most"
        cells = (duration(float(np.quantile(some, share)) if len(some) else None) for some in waits)
        rows.append((name, *cells))
    return Table("Waits", ("jobs", *(run.name for run in runs)), tuple(rows))


def _share(waits: "NDArray[np.float64]", seconds: float) -> float | None:
    return float(np.searchsorted(waits, seconds, side="right")) / len(waits) if len(waits) else None


def _over_time_table(runs: "Sequence[JobResults]") -> Table:
    end = max((float(run.whole["finish_time"].max()) for run in runs if len(run.whole)), default=1)
    edges = np.linspace(0.0, max(end, 1.0), _STRETCHES + 1)
    lines = [timeline(run, edges) for run in runs]
    rows = tuple(
        (
            f"{edges[place] / DAY:.1f}",
            *(
                percent(float(line.processors_in_use[place]) / max(1, run.processors))
                for run, line in zip(runs, lines, strict=True)
            ),
            *(number(float(line.jobs_waiting[place]), 1) for line in lines),
            *(number(float(line.processors_waited_for[place])) for line in lines),
        )
        for place in range(_STRETCHES)
    )
    columns = (
        "from day",
        *(
            f"{what}, {run.name}"
            for what in ("in use", "jobs waiting", "processors waited for")
            for run in runs
        ),
    )
    note = f"Means over {timespan(float(edges[1]))} each, counted from the first submission."
    return Table("Machine and queue over time", columns, rows, note=note)
