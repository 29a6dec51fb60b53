"""The recorded queue beside simulated ones, as pictures: before any rule, and after each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.waits import CURVE
from pred_aware.report.durations import DAY, HOUR
from pred_aware.report.picture import COLOURS, DASHES, Panel, Picture, plain, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.site_inference.queue_record import QueueRecord

SHORTEST = 10.0
WEEK = 7 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnQueue:
    """What jobs waited in one queue."""

    name: str
    weeks: tuple[float | None, ...]
    """The mean wait of the jobs submitted in each week, in seconds."""
    curve: tuple[float, ...]
    """So long or less waited each share of the jobs in `pred_aware.recorded_queue.waits.CURVE`."""


def drawn_queue(name: str, record: "QueueRecord", wait: "NDArray[np.float64]") -> DrawnQueue:
    """Return what a picture shows of a queue.

    Parameters
    ----------
    name
        What it is called.
    record
        The jobs.
    wait
        What they waited, in seconds, shape (jobs,); not a number for those that did not run.
    """
    ran = np.isfinite(wait)
    week = (record.schedule.submit_time // WEEK).astype(int)
    jobs = np.bincount(week[ran], minlength=int(week.max()) + 1)
    waited = np.bincount(week[ran], wait[ran], len(jobs))
    curve = np.quantile(wait[ran], CURVE, method="inverted_cdf").tolist() if ran.any() else []
    weeks = (float(sum_ / n) if n else None for sum_, n in zip(waited, jobs, strict=True))
    return DrawnQueue(name=name, weeks=tuple(weeks), curve=tuple(curve))


def pictures(queues: tuple[DrawnQueue, ...], half: float) -> list[Picture]:
    """Return the two pictures; none where there is nothing beside the record.

    Parameters
    ----------
    queues
        The recorded one first, then as simulated, with one rule more each time.
    half
        When the half is over on which rules were fitted, in seconds.
    """
    if len(queues) <= 1:
        return []
    return [
        Picture(
            "The queue before and after each rule",
            "The mean wait of the jobs submitted in each week, and the share of the jobs that "
            "waited at most so long: as recorded, as simulated without rules, and with one rule "
            "more each time. Rules were fitted on what is left of the line. Waits under 10 s stand "
            "at the edge.",
            (
                Panel(7.0, 4.6, lambda figure: _weeks(queues, half, figure)),
                Panel(5.0, 4.6, lambda figure: _shares(queues, figure)),
            ),
        )
    ]


def _style(place: int) -> dict[str, object]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
        "linewidth": 2.2 if place == 0 else 1.4,
    }


def _weeks(queues: tuple[DrawnQueue, ...], half: float, figure: "Figure") -> None:
    axes = figure.subplots()
    top = HOUR
    for place, queue in enumerate(queues):
        means = np.array([np.nan if one is None else max(one, SHORTEST) for one in queue.weeks])
        edges = WEEK / DAY * np.arange(len(means) + 1)
        label = plain(queue.name)
        axes.stairs(means, edges, baseline=None, label=label, **_style(place))  # type: ignore[arg-type]
        top = max(top, float(np.nanmax(means)))
    axes.axvline(half / DAY, color="#999999", linewidth=0.8)
    axes.set_title("Mean wait of the jobs submitted in each week")
    axes.set_xlabel("days since the first submission")
    axes.set_yscale("log")
    axes.set_ylim(SHORTEST / 1.3, 1.3 * top)
    time_axis(axes.yaxis, SHORTEST / 1.3, 1.3 * top)
    figure.legend(loc="outside upper left", ncols=1, frameon=False, fontsize=9)


def _shares(queues: tuple[DrawnQueue, ...], figure: "Figure") -> None:
    axes = figure.subplots()
    right = 6 * HOUR
    for place, queue in enumerate(queues):
        times = np.maximum(np.array(queue.curve), SHORTEST)
        axes.plot(times, 100 * np.array(CURVE), drawstyle="steps-post", **_style(place))  # type: ignore[arg-type]
        right = max(right, float(times.max(initial=0.0)))
    axes.set_title("Share of jobs that waited at most this long")
    axes.set_xscale("log")
    axes.set_xlim(SHORTEST, 1.15 * right)
    axes.set_ylim(0, 103)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    time_axis(axes.xaxis, SHORTEST, 1.15 * right)
    axes.set_xlabel("waiting time (logarithmic)")
