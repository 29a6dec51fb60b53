"""Draw a comparison with the recorded queue."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.waits import CURVE
from pred_aware.report import picture
from pred_aware.report.durations import DAY, HOUR, timespan
from pred_aware.report.picture import COLOURS, DASHES, Panel, Picture, plain, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pred_aware.recorded_queue.baseline_check import BaselineCheck

SHORTEST = 10.0


def pictures(check: "BaselineCheck") -> list[Picture]:
    """Return the pictures; an empty list if the answer is ``unknown``."""
    if check.recorded is None:
        return []
    return [
        Picture(
            f"The recorded queue compared with {check.baseline}",
            "The upper panels show the share of busy processors, the number of waiting jobs, and "
            "the mean wait by submission time. The last panel shows the share of jobs that waited "
            "at most a given time; waits under 10 s are at the left edge.",
            (
                Panel(7.3, 7.0, lambda figure: _over_time(check, figure)),
                Panel(4.7, 4.6, lambda figure: _waits(check, figure)),
            ),
        )
    ]


def figure_of(check: "BaselineCheck") -> "Figure":
    """Draw busy processors, waiting jobs and waits.

    Raises
    ------
    PredAwareError
        The answer is ``unknown``, so there is nothing to draw.
    """
    drawn = pictures(check)
    if not drawn:
        raise PredAwareError(f"nothing to draw: {check.reason}")
    assert check.recorded is not None
    assert check.simulated is not None
    means = [timespan(side.mean) for side in (check.recorded, check.simulated)]
    title = f"{check.log}: mean wait {means[0]}, under {check.baseline} {means[1]}"
    return picture.figure_of(drawn, title)


def _style(place: int, check: "BaselineCheck") -> dict[str, Any]:
    return {
        "color": COLOURS[place],
        "linestyle": DASHES[place],
        "linewidth": 1.6,
        "label": "recorded in the log" if place == 0 else plain(f"simulated: {check.baseline}"),
    }


def _over_time(check: "BaselineCheck", figure: "Figure") -> None:
    machine, queue, waits = figure.subplots(3, 1, sharex=True)
    steps = check.over_time
    days = np.array([*(step.begin for step in steps), steps[-1].end]) / DAY
    tops = {machine: 104.0, queue: 1.0, waits: HOUR}
    for panel in tops:
        panel.autoscale(enable=False)
    for place in (0, 1):
        style = _style(place, check)
        means = [
            np.nan if step.mean_wait is None else max(step.mean_wait[place], SHORTEST)
            for step in steps
        ]
        for panel, values in (
            (machine, [100 * step.utilisation[place] for step in steps]),
            (queue, [step.waiting[place] for step in steps]),
            (waits, means),
        ):
            panel.stairs(values, days, baseline=None, **style)
            tops[panel] = max(tops[panel], 1.05 * float(np.nanmax(values)))
    machine.axhline(100, color="#999999", linewidth=0.8)
    machine.set_title(f"Processors busy, % of {check.processors:,}")
    machine.set_ylabel("%")
    queue.set_title("Jobs waiting")
    waits.set_title("Mean wait by submission time")
    waits.set_xlabel("days since the first submission")
    for panel, top in tops.items():
        panel.set_xlim(0, float(days[-1]))
        panel.set_ylim(0, top)
    waits.set_yscale("log")
    waits.set_ylim(SHORTEST / 1.3, 1.3 * tops[waits])
    time_axis(waits.yaxis, SHORTEST / 1.3, 1.3 * tops[waits])
    queue.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    handles, labels = machine.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2, frameon=False)


def _waits(check: "BaselineCheck", figure: "Figure") -> None:
    assert check.recorded is not None
    assert check.simulated is not None
    both = figure.subplots()
    right = max(1.15 * check.recorded.longest, 1.15 * check.simulated.longest, 6 * HOUR)
    shares = 100 * np.array(CURVE)
    for place, side in enumerate((check.recorded, check.simulated)):
        times = np.maximum(np.array(side.curve), SHORTEST)
        both.plot(times, shares, drawstyle="steps-post", **_style(place, check))
    both.set_title("Share of jobs that waited at most this long")
    both.set_xscale("log")
    both.set_xlim(SHORTEST, right)
    both.set_ylim(0, 103)
    both.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    time_axis(both.xaxis, SHORTEST, right)
    both.set_xlabel("waiting time (logarithmic)")
    both.legend(loc="lower right", frameon=False, fontsize=9)
