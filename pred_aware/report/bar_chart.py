"""Bar charts with intervals, boxes, stacks and lines, and their tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.report.durations import HOUR
from pred_aware.report.picture import COLOURS, DASHES, Panel, Picture, plain
from pred_aware.report.table import NOTHING, Cell, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 2.8
NARROWEST, WIDEST = 4.0, 9.0
"""The widths of panels in inches. Three of the narrowest fit side by side on a page."""
_INCHES_A_BAR = 0.17
_SIGN, _LETTER, _LINE = 0.55, 0.066, 0.18
"""The sizes of a legend's symbol, a letter and a line, in inches."""
_ACROSS = 0.8
"""The bars of a category use this fraction of the category's width."""
_FAINT = 0.35
_BEYOND = 1.6
"""The axis ends at most at this multiple of the longest bar, even if an interval is longer."""
_FOR_TURNED = 0.7
_TURNED = 24
"""Category names are rotated if they have more letters per inch than this."""

CAPTION = "Lines on bars: 95 % intervals. Faint bars: not significant."
SHARES_CAPTION = "Lines on bars: 95 % intervals."
BOXES_CAPTION = (
    "Boxes reach from the first to the third quartile; the line is the median. Below 0, estimates "
    "are too short."
)
LINES_CAPTION = "From the largest losses to the largest gains. The axis is logarithmic beyond 1 h."
STACKED_CAPTION = "Means over the perturbed copies."
COUNTED_CAPTION = "Exact counts, which have no interval."


LESS = "less than"
"""An axis label that begins with these words shows differences."""
WALLTIMES = "walltimes"
"""The series that is drawn in grey."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value of a bar chart."""

    category: str
    """The category, which determines the position on the axis."""
    series: str
    """The series, which determines the colour."""
    value: float | None
    """A fraction or seconds; ``None`` if unknown."""
    low: float | None = None
    high: float | None = None
    """The ends of the interval; ``None`` without an interval."""

    @property
    def significant(self) -> bool:
        """Whether the interval excludes 0; true if there is no interval."""
        return self.low is None or self.high is None or not self.low <= 0.0 <= self.high


@dataclass(frozen=True, slots=True)
class BarPanel:
    """The bars of one panel, such as the bars of one log."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarChart:
    """Values by category and series, in a panel for each part."""

    place: str
    """The chart's short name, such as ``figure 4``."""
    title: str
    axis: str
    """What the bars measure. If it begins with "less than", the bars are differences from the
    baseline."""
    parts: tuple[BarPanel, ...]
    kind: Literal["bars", "stacks", "boxes", "lines"] = "bars"
    """Bars; stacked bars; boxes (`value` is the median, `low` and `high` are the quartiles); or
    lines, where each category begins with a number: its position on the axis."""
    unit: Literal["%", "h"] = "%"
    """The unit of the values: fractions, shown in %, or seconds, shown in h."""

    @property
    def signed(self) -> bool:
        """Whether the values are differences, which may be negative."""
        return self.axis.startswith(LESS)


def picture_of(drawn: BarChart) -> Picture | None:
    """Return a chart as a picture, or ``None`` if it has no data."""
    parts = [part for part in drawn.parts if part.bars]
    if not parts:
        return None
    return Picture(
        f"{drawn.place}: {drawn.title}".lstrip(": "),
        _caption(drawn, parts),
        tuple(_panel(drawn, part) for part in parts),
        (table_of(drawn, parts),),
    )


_CAPTIONS = {"stacks": STACKED_CAPTION, "boxes": BOXES_CAPTION, "lines": LINES_CAPTION}


def _caption(drawn: BarChart, parts: list[BarPanel]) -> str:
    if drawn.kind != "bars":
        return _CAPTIONS[drawn.kind]
    if not any(bar.low is not None for part in parts for bar in part.bars):
        return COUNTED_CAPTION
    return CAPTION if drawn.signed else SHARES_CAPTION


def table_of(drawn: BarChart, parts: Sequence[BarPanel]) -> Table:
    """Return the values of a chart, panel by panel."""
    series = tuple(dict.fromkeys(bar.series for part in parts for bar in part.bars))
    rows = []
    for part in parts:
        bars = {(bar.category, bar.series): bar for bar in part.bars}
        for category in dict.fromkeys(bar.category for bar in part.bars):
            name = f"{part.title}: {category}" if part.title else category
            rows.append((name, *(_cell(bars.get((category, one)), drawn) for one in series)))
    axis = f"{drawn.axis[0].upper()}{drawn.axis[1:]}"
    return Table(drawn.place, ("", *series), tuple(rows), note=f"{axis}, in {drawn.unit}.")


def _cell(bar: Bar | None, drawn: BarChart) -> Cell:
    if bar is None or bar.value is None:
        return Cell(NOTHING, None)
    sign = "+" if drawn.signed else ""
    value, low, high = (
        None if one is None else _shown(one, drawn) for one in (bar.value, bar.low, bar.high)
    )
    ends = "" if low is None or high is None else f" [{low:{sign}.1f}, {high:{sign}.1f}]"
    return Cell(f"{value:{sign}.1f}{ends}", bar.value)


def _shown(value: float, drawn: BarChart) -> float:
    return value / HOUR if drawn.unit == "h" else 100 * value


def _panel(drawn: BarChart, part: BarPanel) -> Panel:
    categories = len({bar.category for bar in part.bars})
    if drawn.kind == "lines":
        categories = 0
    series = 1 if drawn.kind == "stacks" else len({bar.series for bar in part.bars})
    width = min(WIDEST, max(NARROWEST, 1.0 + _INCHES_A_BAR * categories * (series + 0.6)))
    columns = _columns(part, width)
    lines = -(-len({bar.series for bar in part.bars}) // columns)
    height = HEIGHT + _LINE * lines + _FOR_TURNED * _are_turned(part, width)
    return Panel(width, height, lambda figure: _draw(drawn, part, figure, width))


def _are_turned(part: BarPanel, width: float) -> bool:
    """Say whether the names of the categories must be rotated to fit."""
    return sum(map(len, _names(part)[0])) > _TURNED * width / 2


def _columns(part: BarPanel, width: float) -> int:
    """Return the number of columns of the legend."""
    longest = max(len(bar.series) for bar in part.bars)
    return max(1, int(width / (_SIGN + _LETTER * longest)))


def _draw(drawn: BarChart, part: BarPanel, figure: "Figure", width: float) -> None:
    axes = figure.subplots()
    categories, _ = _names(part)
    axes.set_title(plain(part.title))
    axes.set_ylabel(f"{drawn.axis}, {drawn.unit}")
    if drawn.kind == "lines":
        _lines(drawn, part, axes)
    else:
        draw = {"stacks": _stacks, "boxes": _boxes, "bars": _groups}[drawn.kind]
        draw(drawn, part, axes)
        _name_categories(axes, categories, turned=_are_turned(part, width))
    columns = _columns(part, width)
    figure.legend(loc="outside upper left", ncols=columns, frameon=False, fontsize=8.5)


def _name_categories(axes: "Axes", categories: list[str], *, turned: bool) -> None:
    axes.set_xticks(range(len(categories)), [plain(name) for name in categories])
    if turned:
        axes.tick_params(axis="x", rotation=30)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
    axes.grid(visible=False, axis="x")
    axes.set_xlim(-0.6, len(categories) - 0.4)


def _names(part: BarPanel) -> tuple[list[str], list[str]]:
    """Return the names of categories and series in their order."""
    categories = dict.fromkeys(bar.category for bar in part.bars)
    return list(categories), list(dict.fromkeys(bar.series for bar in part.bars))


def _places(part: BarPanel) -> Iterator[tuple[Bar, int, float]]:
    """Yield each bar with a value, the index of its series, and its position."""
    categories, series = _names(part)
    width = _ACROSS / len(series)
    for bar in part.bars:
        if bar.value is not None:
            place = series.index(bar.series)
            middle = categories.index(bar.category)
            yield bar, place, middle + width * (place - (len(series) - 1) / 2)


def _groups(drawn: BarChart, part: BarPanel, axes: "Axes") -> None:
    series = _names(part)[1]
    width = 0.92 * _ACROSS / len(series)
    longest = 0.0
    for bar, place, at in _places(part):
        value = _shown(bar.value or 0.0, drawn)
        alpha = 1.0 if bar.significant else _FAINT
        axes.bar(at, value, width, color=_colour(place, bar.series), alpha=alpha)
        if bar.low is not None and bar.high is not None:
            ends = [_shown(bar.low, drawn), _shown(bar.high, drawn)]
            axes.plot([at, at], ends, color="#222222", linewidth=1.0)
        longest = max(longest, abs(value))
    _name_series(axes, series)
    low, high = axes.get_ylim()
    room = max(_BEYOND * longest, 1.0)
    axes.set_ylim(max(low, -room), min(high, room))


def _boxes(drawn: BarChart, part: BarPanel, axes: "Axes") -> None:
    series = _names(part)[1]
    width = 0.86 * _ACROSS / len(series)
    for bar, place, at in _places(part):
        low, middle, high = (_shown(one or 0.0, drawn) for one in (bar.low, bar.value, bar.high))
        axes.bar(at, high - low, width, bottom=low, color=_colour(place, bar.series))
        ends = [at - width / 2, at + width / 2]
        axes.plot(ends, [middle, middle], color="#222222", linewidth=1.6)
    _name_series(axes, series)


def _name_series(axes: "Axes", series: list[str]) -> None:
    for place, name in enumerate(series):
        axes.bar(0, 0, color=_colour(place, name), label=plain(name))
    axes.axhline(0.0, color="#222222", linewidth=0.8)


def _stacks(drawn: BarChart, part: BarPanel, axes: "Axes") -> None:
    categories, series = _names(part)
    below = [0.0] * len(categories)
    values = {(bar.category, bar.series): _shown(bar.value or 0.0, drawn) for bar in part.bars}
    for place, name in enumerate(series):
        heights = [values.get((category, name), 0.0) for category in categories]
        places = range(len(categories))
        axes.bar(
            places, heights, _ACROSS, bottom=below, color=_colour(place, name), label=plain(name)
        )
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set_ylim(0, 100)


def _lines(drawn: BarChart, part: BarPanel, axes: "Axes") -> None:
    for place, name in enumerate(_names(part)[1]):
        mine = [bar for bar in part.bars if bar.series == name]
        along = [float(bar.category.split()[0]) for bar in mine]
        values = [_shown(bar.value or 0.0, drawn) for bar in mine]
        dashes = DASHES[place // (len(COLOURS) - 1) % len(DASHES)]
        axes.plot(along, values, color=_colour(place, name), linestyle=dashes, label=plain(name))
    axes.axhline(0.0, color="#222222", linewidth=0.8)
    axes.set_yscale("symlog", linthresh=1.0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{part.bars[0].category.partition(' ')[2]}")


def _colour(place: int, name: str) -> str:
    """Return the colour of a series. Walltimes are grey."""
    return COLOURS[0] if name == WALLTIMES else COLOURS[1:][place % (len(COLOURS) - 1)]
