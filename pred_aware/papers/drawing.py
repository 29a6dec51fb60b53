"""The papers' figures as pictures with tables behind them, and as rows of a file."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pred_aware.papers.figures import Bar, Drawn, Part
from pred_aware.report.picture import COLOURS, Panel, Picture, plain
from pred_aware.report.table import NOTHING, Cell, Table
from workload_tools.files import written_whole

HEIGHT = 2.8
NARROWEST, WIDEST = 4.2, 9.0
"""Inches of a panel; three of the narrowest stand abreast on a page."""
_INCHES_A_BAR = 0.17
_SIGN, _LETTER, _LINE = 0.6, 0.068, 0.18
"""Inches of a legend's sign, of a letter and of a line."""
_ACROSS = 0.8
"""Of the room of a category, for its bars."""
_PALE = 0.35
_BEYOND = 1.6
"""How far the axis goes beyond the longest bar, at most; an interval may reach farther."""
_TURNED = 24
"""With more letters than these below a panel, in inches of its width, they are turned."""

CAPTION = "Whiskers: 95 % intervals. Pale: can't be told from 0."
SHARES_CAPTION = "Whiskers: 95 % intervals."
STACKED_CAPTION = "Means over the shakes."
COUNTED_CAPTION = "Counted; there is no interval."


def picture_of(drawn: Drawn) -> Picture | None:
    """Return a figure as a picture; ``None`` where no log is at hand that it takes."""
    parts = [part for part in drawn.parts if part.bars]
    if not parts:
        return None
    return Picture(
        f"{drawn.place}: {drawn.title}".lstrip(": "),
        _caption(drawn, parts),
        tuple(_panel(drawn, part) for part in parts),
        (table_of(drawn, parts),),
    )


def _caption(drawn: Drawn, parts: list[Part]) -> str:
    if drawn.stacked:
        return STACKED_CAPTION
    if not any(bar.low is not None for part in parts for bar in part.bars):
        return COUNTED_CAPTION
    return CAPTION if drawn.signed else SHARES_CAPTION


def table_of(drawn: Drawn, parts: Sequence[Part]) -> Table:
    """Return the values of a figure, part by part."""
    series = tuple(dict.fromkeys(bar.series for part in parts for bar in part.bars))
    rows = []
    for part in parts:
        bars = {(bar.category, bar.series): bar for bar in part.bars}
        for category in dict.fromkeys(bar.category for bar in part.bars):
            name = f"{part.title}: {category}" if part.title else category
            rows.append((name, *(_cell(bars.get((category, one)), drawn) for one in series)))
    axis = f"{drawn.axis[0].upper()}{drawn.axis[1:]}"
    return Table(drawn.place, ("", *series), tuple(rows), note=f"{axis}, in %.")


def _cell(bar: Bar | None, drawn: Drawn) -> Cell:
    if bar is None or bar.value is None:
        return Cell(NOTHING, None)
    sign = "+" if drawn.signed else ""
    ends = ""
    if bar.low is not None and bar.high is not None:
        ends = f" [{100 * bar.low:{sign}.1f}, {100 * bar.high:{sign}.1f}]"
    return Cell(f"{100 * bar.value:{sign}.1f}{ends}", bar.value)


def _panel(drawn: Drawn, part: Part) -> Panel:
    categories = len({bar.category for bar in part.bars})
    series = 1 if drawn.stacked else len({bar.series for bar in part.bars})
    width = min(WIDEST, max(NARROWEST, 1.0 + _INCHES_A_BAR * categories * (series + 0.6)))
    columns = _columns(part, width)
    lines = -(-len({bar.series for bar in part.bars}) // columns)
    height = HEIGHT + _LINE * lines
    return Panel(width, height, lambda figure: _draw(drawn, part, figure, width))


def _columns(part: Part, width: float) -> int:
    """Return how many names of the legend stand abreast."""
    longest = max(len(bar.series) for bar in part.bars)
    return max(1, int(width / (_SIGN + _LETTER * longest)))


def _draw(drawn: Drawn, part: Part, figure: Any, width: float) -> None:  # noqa: ANN401 - Figure
    axes = figure.subplots()
    categories = list(dict.fromkeys(bar.category for bar in part.bars))
    series = list(dict.fromkeys(bar.series for bar in part.bars))
    draw = _stacks if drawn.stacked else _groups
    draw(part.bars, axes, categories, series)
    axes.set_title(plain(part.title))
    axes.set_ylabel(f"{drawn.axis}, %")
    turned = sum(map(len, categories)) > _TURNED * width / 2
    axes.set_xticks(range(len(categories)), [plain(name) for name in categories])
    if turned:
        axes.tick_params(axis="x", rotation=30)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
    axes.grid(visible=False, axis="x")
    axes.set_xlim(-0.6, len(categories) - 0.4)
    figure.legend(
        loc="outside upper left", ncols=_columns(part, width), frameon=False, fontsize=8.5
    )


def _groups(bars: Iterable[Bar], axes: Any, categories: list[str], series: list[str]) -> None:  # noqa: ANN401 - Axes
    width = _ACROSS / len(series)
    longest = 0.0
    named: set[str] = set()
    for bar in bars:
        if bar.value is None:
            continue
        place = series.index(bar.series)
        at = categories.index(bar.category) + width * (place - (len(series) - 1) / 2)
        value, colour = 100 * bar.value, _colour(place)
        axes.bar(at, value, 0.92 * width, color=colour, alpha=1.0 if bar.told_apart else _PALE)
        if bar.low is not None and bar.high is not None:
            axes.plot([at, at], [100 * bar.low, 100 * bar.high], color="#222222", linewidth=1.0)
        longest = max(longest, abs(value))
        named.add(bar.series)
    for place, name in enumerate(series):
        if name in named:
            axes.bar(0, 0, color=_colour(place), label=plain(name))
    axes.axhline(0.0, color="#222222", linewidth=0.8)
    low, high = axes.get_ylim()
    room = max(_BEYOND * longest, 1.0)
    axes.set_ylim(max(low, -room), min(high, room))


def _stacks(bars: Iterable[Bar], axes: Any, categories: list[str], series: list[str]) -> None:  # noqa: ANN401 - Axes
    below = dict.fromkeys(categories, 0.0)
    values = {(bar.category, bar.series): bar.value or 0.0 for bar in bars}
    for place, name in enumerate(series):
        heights = [100 * values.get((category, name), 0.0) for category in categories]
        axes.bar(
            range(len(categories)), heights, _ACROSS, bottom=list(below.values()),
            color=_colour(place), label=plain(name),
        )  # fmt: skip
        below = {
            category: below[category] + height
            for category, height in zip(categories, heights, strict=True)
        }
    axes.set_ylim(0, 100)


def _colour(place: int) -> str:
    # the base is grey elsewhere, and stands in no figure here
    return COLOURS[1:][place % (len(COLOURS) - 1)]


COLUMNS = (
    "paper", "place", "title", "axis", "part", "category", "series", "value", "low", "high",
)  # fmt: skip
"""Of the file of figures."""


def rows_of(papers: Iterable[tuple[str, Iterable[Drawn]]]) -> Iterator[tuple[object, ...]]:
    """Yield `COLUMNS`, and then a row for each bar of all figures; values are shares."""
    yield COLUMNS
    for number, figures in papers:
        for drawn in figures:
            for part in drawn.parts:
                for bar in part.bars:
                    where = (number, drawn.place, drawn.title, drawn.axis, part.title)
                    yield (*where, bar.category, bar.series, bar.value, bar.low, bar.high)


def write_figures(papers: Iterable[tuple[str, Iterable[Drawn]]], path: Path) -> None:
    """Write the bars of all figures, a row each.

    Raises
    ------
    InputError
        The file can't be written.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows_of(papers))
    with written_whole(path) as file:
        file.write(text.getvalue().encode())
