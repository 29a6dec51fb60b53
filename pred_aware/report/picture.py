"""Pictures in one style: separate panels for a page, or all of them in one file."""

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.report.durations import DAY, HOUR, MINUTE
from workload_tools.files import written_whole
from workload_tools.printable import printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from pred_aware.report.table import Table

# by file format: metadata to leave out, because they would differ between equal pictures
_OF_TODAY: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
# Okabe and Ito's palette, which colour-blind people can distinguish; the baseline is dark grey
COLOURS = ("#404040", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
TICKS = {
    1.0: "1 s",
    10.0: "10 s",
    MINUTE: "1 min",
    10 * MINUTE: "10 min",
    HOUR: "1 h",
    6 * HOUR: "6 h",
    DAY: "1 d",
    7 * DAY: "1 week",
    60 * DAY: "60 d",
}
"""The tick labels of time axes, by seconds."""
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
_MANY_PARTS = 50
_PIXELS = 150
"""The resolution of pixel images, in pixels per inch."""
_GEOMETRY = re.compile(r'\b(d|x|y|width|height|transform|points)="[^"]*"')
_DIGITS = re.compile(r"(\d\.\d\d)\d+")
_FONTS = re.compile(r'font-family: [^;"]*')
_BREAKS = re.compile(r"\s*\n\s*([LMCQz<])")
LONGEST_NAME = 60
"""The maximum number of characters of a drawn name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a picture that can be drawn alone."""

    width: float
    height: float
    """Width and height in inches."""
    draw: Callable[[Any], object]
    """Draws the panel into a figure or a part of one."""

    def svg(self) -> bytes:
        """Return the panel as SVG for a page, always with the same bytes. Text stays text.

        Parts with many colours become pixel images, which are ten times smaller.
        """
        from matplotlib.figure import Figure

        with styled(svg_fonttype="none", font_family="sans-serif"):
            figure = Figure(figsize=(self.width, self.height), layout="constrained")
            self.draw(figure)
            _settle(figure)
            for part in figure.findobj(_has_many_parts):
                # antialiasing would need many more colours
                part.set(rasterized=True, antialiased=False)
            file = io.BytesIO()
            metadata = _OF_TODAY[".svg"]
            figure.savefig(file, format="svg", metadata=metadata, transparent=True, dpi=_PIXELS)
        return _shortened(file.getvalue())


@dataclass(frozen=True, slots=True)
class Picture:
    """Panels that stand side by side if there is room."""

    title: str
    caption: str
    """The text below the picture."""
    panels: tuple[Panel, ...]
    """The panels from left to right."""
    tables: "tuple[Table, ...]" = ()
    """The data as tables, for readers who cannot see the picture or want the numbers."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture in inches."""
        return sum(panel.width for panel in self.panels), max(p.height for p in self.panels)


def _has_many_parts(artist: "Artist") -> bool:
    from matplotlib.collections import Collection

    if not isinstance(artist, Collection):
        return False
    values = artist.get_array()
    return values is not None and values.size > _MANY_PARTS


def _shortened(svg: bytes) -> bytes:
    """Remove digits below a hundredth of a point, font lists and white space."""
    text = _GEOMETRY.sub(lambda found: _DIGITS.sub(r"\1", found[0]), svg.decode())
    text = _FONTS.sub("font-family: sans-serif", text)
    return _BREAKS.sub(r"\1", text).encode()


def figure_of(pictures: Sequence[Picture], title: str = "") -> "Figure":
    """Draw pictures into one figure, one below the other.

    Parameters
    ----------
    pictures
        The pictures, at least one.
    title
        The title above all of them. It may have several lines.
    """
    from matplotlib.figure import Figure

    widths, heights = zip(*(picture.size for picture in pictures), strict=True)
    with styled():
        figure = Figure(figsize=(max(widths), sum(heights)), layout="constrained")
        rows: Any = figure.subfigures(len(pictures), 1, height_ratios=heights, squeeze=False)
        for row, picture in zip(rows[:, 0], pictures, strict=True):
            shares = [panel.width for panel in picture.panels]
            parts: Any = row.subfigures(1, len(shares), width_ratios=shares, squeeze=False)
            for part, panel in zip(parts[0], picture.panels, strict=True):
                panel.draw(part)
        if title:
            lines = (plain(line, longest=len(line)) for line in title.split("\n"))
            figure.suptitle("\n".join(lines), fontsize=12, x=0.01, ha="left")
        _settle(figure)
    return figure


def _settle(figure: "Figure") -> None:
    """Lay out a figure and fix the result, because the layout's last digits vary."""
    engine = figure.get_layout_engine()
    assert engine is not None
    engine.execute(figure)
    # with a layout engine, even "none", savefig would draw the figure twice
    figure.set_layout_engine(None)
    parts: list[Any] = list(figure.subfigs)
    for part in parts:
        parts += part.subfigs
        part.bbox_relative.set_points(part.bbox_relative.get_points().round(5))
    for axes in figure.axes:
        axes.apply_aspect()
        left, bottom, width, height = axes.get_position().bounds
        axes.set_position((round(left, 5), round(bottom, 5), round(width, 5), round(height, 5)))


def save(figure: "Figure", path: Path) -> None:
    """Write a figure, completely or not at all. Equal figures give files with equal bytes.

    Raises
    ------
    PredAwareError, InputError
        The file cannot be written, or its name does not end in .png, .svg or .pdf.
    """
    check_picture_path(path)
    suffix = path.suffix.lower()
    with styled(), written_whole(path) as file:
        figure.savefig(file, format=suffix[1:], dpi=100, metadata=_OF_TODAY[suffix])


@contextmanager
def styled(**more: object) -> Iterator[None]:
    """Use this project's style, not the user's. A character without a glyph becomes a box.

    Parameters
    ----------
    more
        Settings of matplotlib beyond `STYLE`, with ``_`` for ``.``.
    """
    import matplotlib as mpl

    settings: dict[Any, Any] = {name.replace("_", "."): value for name, value in more.items()}
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE, **settings}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


def plain(name: str, *, longest: int = LONGEST_NAME) -> str:
    r"""Escape a name for matplotlib, which treats text between dollar signs as a formula.

    Examples
    --------
    >>> print(plain("node$ to $home"))
    node\$ to \$home
    """
    short = name if len(name) <= longest else f"{name[: longest - 1]}…"
    return printable(short).replace("$", r"\$")


def time_axis(axis: "Axis", low: float, high: float) -> None:
    """Make an axis a logarithmic time axis from `low` to `high`."""
    shown = {at: text for at, text in TICKS.items() if low <= at <= high}
    axis.set_ticks(list(shown), list(shown.values()))
    axis.set_ticks([], minor=True)


def check_picture_path(path: Path) -> None:
    """Check, before any computation, that a picture can be written to this path.

    Raises
    ------
    PredAwareError
        The name does not end in .png, .svg or .pdf, or the folder does not exist.
    """
    if path.suffix.lower() not in _OF_TODAY:
        raise PredAwareError(
            f"cannot write a picture to {path}: its name must end in .png, .svg or .pdf"
        )
    if not path.absolute().parent.is_dir():
        raise PredAwareError(f"cannot write {path}: the folder {path.parent} does not exist")


Box = tuple[float, float, float, float]
"""The begin and end in hours, and the first and last processor."""


def add_boxes(axes: "Axes", boxes: Sequence[Box], **style: Any) -> None:  # noqa: ANN401 - Axes
    """Draw boxes of one style into axes."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(start, low), (end, low), (end, high), (start, high)] for start, end, low, high in boxes
    ]
    axes.add_collection(PolyCollection(corners, **style))
