"""Pictures of a log."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.inspection.load import week_edges
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, HOUR
from pred_aware.report.line_names import name_lines
from pred_aware.report.picture import COLOURS, DASHES, Panel, Picture, plain, time_axis
from pred_aware.report.table import Table, number, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.inspection.inspection import Inspection

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
STACKED_USERS = 5
GREY = "#bbbbbb"
BINS = 45
HOURS_OF_TABLE = 4
"""Number of hours that each column of the table of submissions sums."""


def pictures(inspection: "Inspection") -> Iterator[Picture]:
    """Yield the pictures.

    Parameters
    ----------
    inspection
        The inspection of a log.
    """

    def panel(width: float, height: float, draw: "Callable[[Inspection, Any], None]") -> Panel:
        return Panel(width, height, lambda figure: draw(inspection, figure))

    yield Picture(
        "Load and submissions by week",
        "Top: share of busy processors; the dashed line is the mean. Bottom: submitted jobs; the "
        "users with most jobs are in colour. A flurry appears as a tower of one colour. A hole "
        "appears as a low week at top and bottom.",
        (panel(11.0, 5.2, _weeks),),
        (_weeks_table(inspection),),
    )
    yield Picture(
        "Submissions by hour and weekday",
        "Mean number of jobs submitted in each hour of the week. If nights are busy, the time zone "
        "is wrong, or scripts submit most jobs.",
        (panel(11.0, 3.4, _hours),),
        (_hours_table(inspection),),
    )
    if inspection.accuracy is not None:
        yield Picture(
            "Run times against walltimes",
            "Left: number of jobs by run time and walltime (logarithmic colours, see the bar). "
            "Jobs on the line ended at their walltime, jobs right of the line ran longer. Right: "
            "the share of jobs with R = run time / walltime up to a value (Tang et al., figure 3). "
            "Perfect walltimes would give a step at R = 1.",
            (panel(6.1, 4.4, _accuracy), panel(4.9, 4.4, _ratio)),
        )
    yield Picture(
        "Sizes and run times",
        "Left: number of jobs by run time and number of processors (COARE paper, figure 2). Right: "
        "the share of jobs with at most a given run time, walltime or wait (Chlumský and Klusáček, "
        "figure 1).",
        (panel(6.1, 4.4, _sizes), panel(4.9, 4.4, _times)),
    )
    yield Picture(
        "Mean run time and walltime by week",
        "Means over the jobs submitted in each week (COARE paper, figure 1, has days instead of "
        "weeks). A step means that rules, queues or users changed.",
        (panel(11.0, 2.8, _means),),
    )


def _weeks_table(inspection: "Inspection") -> Table:
    load = inspection.load
    weeks = zip(
        week_edges(inspection.columns).tolist(),
        load.by_week.tolist(),
        load.jobs_by_week.tolist(),
        strict=False,
    )
    rows = tuple(
        (inspection.clock.date(begin), percent(share), number(jobs)) for begin, share, jobs in weeks
    )
    return Table("Load and submissions", ("week from", "processors busy", "jobs"), rows)


def _hours_table(inspection: "Inspection") -> Table:
    jobs = inspection.arrivals.reshape(7, -1, HOURS_OF_TABLE).sum(axis=2).tolist()
    columns = (f"{hour}:00 on" for hour in range(0, 24, HOURS_OF_TABLE))
    rows = tuple(
        (day, *(number(one) for one in of_day)) for day, of_day in zip(WEEKDAYS, jobs, strict=True)
    )
    return Table("Jobs submitted in the whole log", ("day", *columns), rows)


def _dates(inspection: "Inspection", seconds: "NDArray[np.float64]") -> list[Any]:
    """Return dates for matplotlib, or days since the first submission if the log has no dates."""
    if not inspection.clock.knows_dates:
        return list(seconds / DAY)
    # local time without a time zone, because matplotlib would convert dates with one to UTC
    first = inspection.clock.datetime(float(seconds[0])).replace(tzinfo=None)
    return [first + timedelta(seconds=float(second - seconds[0])) for second in seconds]


def _weeks(inspection: "Inspection", figure: "Figure") -> None:
    columns, load = inspection.columns, inspection.load
    edges = week_edges(columns)
    dates = _dates(inspection, edges)
    above, below = figure.subplots(2, 1, sharex=True)
    above.stairs(100 * load.by_week, dates, fill=True, color=COLOURS[2], alpha=0.75)
    above.axhline(100 * load.used, color=COLOURS[0], linewidth=1, linestyle=DASHES[1])
    above.set_ylabel("processors busy, %")
    above.set_ylim(0, max(104.0, 104 * float(load.by_week.max())))
    heights = np.zeros(len(edges) - 1)
    most = np.argsort(-np.bincount(columns.user + 1, minlength=1)[1:], kind="stable")
    for place, user in enumerate(most[:STACKED_USERS]):
        jobs = np.histogram(columns.submit_time[columns.user == user], edges)[0]
        below.stairs(
            heights + jobs,
            dates,
            baseline=heights,
            fill=True,
            color=COLOURS[1 + place],
            label=f"user {plain(columns.user_names[user])}",
        )
        heights = heights + jobs
    below.stairs(
        load.jobs_by_week, dates, baseline=heights, fill=True, color=GREY, label="all others"
    )
    below.set_ylabel("jobs submitted a week")
    below.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    below.set_xlim(dates[0], dates[-1])
    if not inspection.clock.knows_dates:
        below.set_xlabel("days of the log")
    figure.legend(loc="outside lower center", ncols=STACKED_USERS + 1, frameon=False, fontsize=9)


def _hours(inspection: "Inspection", figure: "Figure") -> None:
    weeks = max((inspection.columns.last - inspection.columns.first) / WEEK, 1.0)
    axes = figure.add_subplot()
    axes.grid(visible=False)
    drawn = axes.imshow(inspection.arrivals / weeks, aspect="auto", cmap="Blues", vmin=0)
    axes.set_yticks(range(7), WEEKDAYS)
    axes.set_xticks(range(0, 24, 2), [f"{hour}:00" for hour in range(0, 24, 2)])
    zone = inspection.clock.zone_name or "UTC" if inspection.clock.knows_dates else "log's own"
    axes.set_xlabel(f"hour ({zone})")
    figure.colorbar(drawn, ax=axes, label="jobs an hour")


def _accuracy(inspection: "Inspection", figure: "Figure") -> None:
    columns = inspection.columns
    known = np.isfinite(columns.walltime)
    run_times, walltimes = columns.run_time[known], columns.walltime[known]
    left = figure.subplots()
    _hexbin(figure, left, run_times, walltimes)
    low, high = _limits(np.concatenate([run_times, walltimes]))
    left.plot([low, high], [low, high], color=COLOURS[1], linewidth=1)
    time_axis(left.xaxis, *_limits(run_times))
    time_axis(left.yaxis, *_limits(walltimes))
    left.set_xlim(*_limits(run_times))
    left.set_ylim(*_limits(walltimes))
    left.set_xlabel("run time")
    left.set_ylabel("walltime")


def _ratio(inspection: "Inspection", figure: "Figure") -> None:
    columns = inspection.columns
    right = figure.subplots()
    ratio = np.sort(columns.ratio[np.isfinite(columns.walltime)])
    points = np.linspace(0, 1.2, 241)
    shares = np.searchsorted(ratio, points, side="right") / len(ratio)
    right.plot(points, 100 * shares, color=COLOURS[2], linewidth=1.8)
    right.axvline(1, color=COLOURS[1], linewidth=1)
    right.set_xlim(0, 1.2)
    right.set_ylim(0, 102)
    right.set_xlabel("R = run time / walltime")
    right.set_ylabel("jobs with at most this R")
    right.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")


def _sizes(inspection: "Inspection", figure: "Figure") -> None:
    columns = inspection.columns
    left = figure.subplots()
    _hexbin(figure, left, columns.run_time, columns.processors.astype(float))
    time_axis(left.xaxis, *_limits(columns.run_time))
    left.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    left.set_xlabel("run time")
    left.set_ylabel("processors")


def _times(inspection: "Inspection", figure: "Figure") -> None:
    columns = inspection.columns
    right = figure.subplots()
    lines = (
        ("run time", columns.run_time),
        ("walltime", columns.walltime),
        ("wait", columns.wait_time),
    )
    right.set_xscale("log")
    longest = 10.0
    for place, (name, values) in enumerate(lines):
        known = np.sort(values[np.isfinite(values)])
        if not len(known):
            continue
        longest = max(longest, float(known[-1]))
        points = np.geomspace(1.0, max(float(known[-1]), 10.0), 300)
        shares = np.searchsorted(known, points, side="right") / len(known)
        right.plot(
            points,
            100 * shares,
            color=COLOURS[place + 1],
            linestyle=DASHES[place],
            linewidth=1.8,
            label=name,
        )
    right.set_xlim(1.0, 1.2 * longest)
    time_axis(right.xaxis, 1.0, 1.2 * longest)
    right.set_ylim(0, 102)
    right.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    right.set_ylabel("jobs with at most this time")
    name_lines(right, corner="upper left")


def _means(inspection: "Inspection", figure: "Figure") -> None:
    columns = inspection.columns
    edges = week_edges(columns)
    dates = _dates(inspection, edges)
    axes = figure.add_subplot()
    week = np.clip(np.searchsorted(edges, columns.submit_time, side="right") - 1, 0, len(edges) - 2)
    for place, (name, values) in enumerate(
        (("run time", columns.run_time), ("walltime", columns.walltime))
    ):
        known = np.isfinite(values)
        if not known.any():
            continue
        jobs = np.bincount(week[known], minlength=len(edges) - 1)
        sums = np.bincount(week[known], weights=values[known], minlength=len(edges) - 1)
        means = np.where(jobs > 0, sums / np.maximum(jobs, 1) / HOUR, np.nan)
        axes.stairs(
            means,
            dates,
            baseline=None,
            color=COLOURS[place + 1],
            linestyle=DASHES[place],
            linewidth=1.8,
            label=f"mean {name}",
        )
    axes.set_xlim(dates[0], dates[-1])
    axes.set_ylim(bottom=0)
    axes.set_ylabel("hours")
    if not inspection.clock.knows_dates:
        axes.set_xlabel("days of the log")
    axes.legend(frameon=False)


def _hexbin(
    figure: "Figure",
    axes: "Axes",
    across: "NDArray[np.float64]",
    up: "NDArray[np.float64]",
) -> None:
    """Draw a hexagonal histogram as in paper 000, with logarithmic axes and colours."""
    low_x, high_x = _limits(across)
    low_y, high_y = _limits(up)
    drawn = axes.hexbin(
        np.maximum(across, 1.0),
        np.maximum(up, 1.0),
        gridsize=BINS,
        bins="log",
        xscale="log",
        yscale="log",
        mincnt=1,
        cmap="viridis_r",
        linewidths=0.1,
        extent=tuple(np.log10([low_x, high_x, low_y, high_y])),
    )
    figure.colorbar(drawn, ax=axes, label="jobs")


def _limits(values: "NDArray[np.float64]") -> tuple[float, float]:
    """Return the smallest and the largest value that a logarithmic axis shows."""
    low, high = max(float(values.min()), 1.0), max(float(values.max()), 1.0)
    return low / 1.3, high * 1.3
