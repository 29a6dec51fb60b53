"""A picture of a day of a machine of blocks: the jobs in each block, and drained blocks."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.report import picture
from pred_aware.report.durations import DAY, HOUR, timespan
from pred_aware.report.picture import Box, Panel, Picture, add_boxes, plain
from schedulers.journal import RAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pred_aware.runs.run import Run
    from schedulers.machine.block import Block, BlockList

MOST_NAMES = 48
"""Largest number of blocks that are labelled at the edge."""
LONG_DRAIN = 0.04
"""Shortest drain that is labelled with its job's id, as a share of the period."""
TALL_DRAIN = 0.04
"""Smallest drain that is labelled with its job's id, as a share of the processors."""
_DRAIN = "#C1121F"


@dataclass(frozen=True, slots=True)
class DrawnTime:
    """The period to draw."""

    begin: float
    end: float
    """Start and end, in seconds of the run."""
    name: str
    """Name of the period, such as a date."""


def day_of(run: "Run", day: str | None) -> DrawnTime:
    """Find a day of a run.

    Parameters
    ----------
    run
        The run; a date needs its workload.
    day
        A date such as ``2009-07-05``, from midnight to midnight in the machine's time zone; a
        number of days since the run's second 0; or ``None`` for the day whose drains are longest
        in total.

    Raises
    ------
    PredAwareError
        `day` is neither a date nor a number, or no job ran on this day.
    """
    record = _record(run)
    if day is None:
        begin = DAY * _most_drained(record)
        found = DrawnTime(begin, begin + DAY, f"day {begin / DAY:.0f}")
    elif day.isascii() and day.isdigit():
        found = DrawnTime(DAY * int(day), DAY * (int(day) + 1), f"day {int(day)}")
    else:
        found = _dated(run, day)
    if not ((record["start"] < found.end) & (record["end"] > found.begin)).any():
        raise PredAwareError(
            f"{run.name}: nothing ran on {found.name}; the run lasts from day "
            f"{record['start'].min() / DAY:.0f} to day {record['end'].max() / DAY:.0f}"
        )
    return found


def _dated(run: "Run", day: str) -> DrawnTime:
    try:
        date = dt.date.fromisoformat(day)
    except ValueError as error:
        raise PredAwareError(
            f"'{day}' is not a day. Give a date such as 2009-07-05, or a number from 0 on"
        ) from error
    start, zone = (None, None) if run.workload is None else run.workload.dates
    if start is None:
        raise PredAwareError(
            f"{run.name}: the date of the run's second 0 is unknown; give the number of a day"
        )
    tzinfo = ZoneInfo(zone) if zone else dt.UTC
    midnights = [
        dt.datetime.combine(one, dt.time(), tzinfo).timestamp() - start
        for one in (date, date + dt.timedelta(days=1))
    ]
    return DrawnTime(midnights[0], midnights[1], day)


def _most_drained(record: "pd.DataFrame") -> int:
    drains = record[record["use"] != RAN]
    if drains.empty:
        return int(record["start"].min() // DAY) if len(record) else 0
    first, last = (np.asarray(drains[name], np.float64) for name in ("start", "end"))
    days = np.arange(int(first.min() // DAY), int(last.max() // DAY) + 1)
    on = [
        (np.minimum(last, DAY * (d + 1)) - np.maximum(first, DAY * d)).clip(0).sum() for d in days
    ]
    return int(days[int(np.argmax(on))])


def _record(run: "Run") -> "pd.DataFrame":
    if run.blocks is None:
        raise PredAwareError(
            f"{run.name}: the blocks of its jobs are unknown, because its _blocks.csv is missing"
        )
    return run.blocks


def pictures(run: "Run", machine: "BlockList", stretch: DrawnTime) -> list[Picture]:
    """Return the picture of a run's blocks over a period.

    Parameters
    ----------
    run
        A run on blocks.
    machine
        The machine's blocks.
    stretch
        The period; see `day_of`.

    Raises
    ------
    PredAwareError
        The run has no record of blocks, or its blocks are not those of the machine.
    """
    record = _record(run)
    blocks = {block.name: block for block in machine.blocks}
    unknown = set(record["block"]) - blocks.keys()
    if unknown:
        raise PredAwareError(f"{run.name}: '{min(unknown)}' is not a block of '{machine.name}'")
    inside = record[(record["start"] < stretch.end) & (record["end"] > stretch.begin)]
    clipped = inside.assign(
        start=inside["start"].clip(lower=stretch.begin), end=inside["end"].clip(upper=stretch.end)
    )
    requested = dict(zip(
        run.whole.index.str.removeprefix("w0!"), run.whole["requested_number_of_resources"],
        strict=True,
    ))  # fmt: skip
    drawing = _Drawing(machine, stretch, clipped, blocks, requested)
    return [
        Picture(
            f"{run.name}: {machine.name or 'the machine'} on {stretch.name}",
            "Each job covers the processors of its block, in a darker colour for larger blocks. "
            "Processors of the block that the job did not request are pale. Hatched areas are "
            "kept free because a block is drained for the first job of the queue. A dashed line "
            "surrounds the drained block.",
            (Panel(12.0, 8.6, drawing.draw),),
        )
    ]


def draw(run: "Run", machine: "BlockList", stretch: DrawnTime, *, path: Path) -> None:
    """Draw the picture into a file, always with the same bytes; see `pictures`.

    Raises
    ------
    PredAwareError, InputError
        As in `pictures`; or the file cannot be written, or its name does not end in .png, .svg or
        .pdf.
    """
    drawn = pictures(run, machine, stretch)
    picture.save(picture.figure_of(drawn, drawn[0].title), path)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The data of a picture, and the methods that draw it."""

    machine: "BlockList"
    stretch: DrawnTime
    record: "pd.DataFrame"
    blocks: "dict[str, Block]"
    requested: dict[str, float]

    def draw(self, figure: "Figure") -> None:
        from matplotlib.patches import Patch

        axes = figure.subplots()
        self._drains(axes)
        sizes = self._jobs(axes)
        hours = (self.stretch.end - self.stretch.begin) / HOUR
        axes.set_xlim(0, hours)
        axes.set_xticks(np.arange(0, hours + 0.01, 2))
        axes.set_xlabel(f"hours of {plain(self.stretch.name)}")
        # the first processor is at the top, as in a list of racks
        axes.set_ylim(self.machine.processors, 0)
        self._name_blocks(axes)
        axes.set_title(self._shares())
        handles = [Patch(color=colour, label=f"{size:,}") for size, colour in sizes.items()]
        handles.append(Patch(fill=False, hatch="////", edgecolor=_DRAIN, label="drained"))
        figure.legend(
            handles=handles, loc="outside lower center", ncols=len(handles), frameon=False,
            fontsize=8, title="processors of a block", title_fontsize=8,
        )  # fmt: skip

    def _rows(self, use: str) -> "Iterator[tuple[str, Block, float, float]]":
        rows = self.record[self.record["use"] == use]
        columns = (rows[name].tolist() for name in ("job_id", "block", "start", "end"))
        for job, block, start, end in zip(*columns, strict=True):
            begin = self.stretch.begin
            yield job, self.blocks[block], (start - begin) / HOUR, (end - begin) / HOUR

    def _drains(self, axes: "Axes") -> None:
        boxes = []
        long = LONG_DRAIN * (self.stretch.end - self.stretch.begin) / HOUR
        for job, block, start, end in self._rows("drained"):
            boxes += [(start, end, first, last + 1) for first, last in block.processors]
            if end - start >= long and block.size >= TALL_DRAIN * self.machine.processors:
                first, last = max(block.processors, key=lambda ends: ends[1] - ends[0])
                axes.text(
                    start + long / 8, (first + last + 1) / 2, f"for job {plain(job)}",
                    color=_DRAIN, fontsize=7, zorder=6, va="center", clip_on=True,
                    bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1},
                )  # fmt: skip
        add_boxes(
            axes, boxes, facecolor="#FBE3E4", edgecolor=_DRAIN, hatch="////", linewidth=0, zorder=2
        )
        add_boxes(
            axes, boxes, facecolor="none", edgecolor=_DRAIN, linestyle=(0, (3, 2)), linewidth=0.8,
            zorder=5,
        )  # fmt: skip

    def _jobs(self, axes: "Axes") -> dict[int, Any]:
        import matplotlib as mpl

        every = sorted({block.size for block in self.machine.blocks})
        shades = mpl.colormaps["viridis_r"](np.linspace(0.08, 0.95, len(every)))
        colours = dict(zip(every, shades, strict=True))
        used: dict[int, list[Box]] = {}
        wasted: dict[int, list[Box]] = {}
        for job, block, start, end in self._rows(RAN):
            missing = int(self.requested.get(job, block.size))
            for first, last in block.processors:
                most = min(last, first + missing - 1)
                missing -= most - first + 1
                if most >= first:
                    used.setdefault(block.size, []).append((start, end, first, most + 1))
                if most < last:
                    wasted.setdefault(block.size, []).append((start, end, most + 1, last + 1))
        for boxes, alpha in ((used, 1.0), (wasted, 0.35)):
            for size, some in boxes.items():
                # draw white below pale areas, so that the hatching of a drain does not show through
                if alpha < 1.0:
                    add_boxes(axes, some, facecolor="white", linewidth=0, zorder=3)
                add_boxes(axes, some, facecolor=colours[size], alpha=alpha, edgecolor="white",
                     linewidth=0.4, zorder=4)  # fmt: skip
        return {size: colours[size] for size in every if size in used}

    def _name_blocks(self, axes: "Axes") -> None:
        """Label the blocks of the smallest size with few, contiguous blocks on all processors."""
        axes.set_ylabel("processors")
        for size in sorted({block.size for block in self.machine.blocks}):
            named = [block for block in self.machine.blocks if block.size == size]
            whole = all(len(block.processors) == 1 for block in named)
            if whole and len(named) <= MOST_NAMES and size * len(named) == self.machine.processors:
                axes.set_ylabel("")
                axes.set_yticks(
                    [block.processors[0][0] + size / 2 for block in named],
                    [plain(block.name, longest=24) for block in named],
                    fontsize=7,
                )
                axes.tick_params(axis="y", length=0)
                axes.grid(visible=False, axis="y")
                return

    def _shares(self) -> str:
        """Return the shares of the processors' time, as text."""
        from pred_aware.metrics.block_use import drained_area

        ran = self.record[self.record["use"] == RAN]
        seconds = ran["end"] - ran["start"]
        sizes = {block.name: block.size for block in self.machine.blocks}
        had = float((ran["block"].map(sizes) * seconds).sum())
        used = float((ran["job_id"].map(self.requested) * seconds).sum())
        drained = drained_area(self.record, self.machine)
        length = self.stretch.end - self.stretch.begin
        capacity = self.machine.processors * length
        parts = {
            "used": used, "in jobs' blocks but not requested": had - used, "drained": drained,
            "free otherwise": capacity - had - drained,
        }  # fmt: skip
        text = ", ".join(f"{100 * part / capacity:.1f} % {name}" for name, part in parts.items())
        return f"Shares of the processors' time in this period ({timespan(length)}): {text}"
