"""Names at the lines of a picture."""

import itertools

import numpy as np
from matplotlib.figure import Figure

from pred_aware.report.line_names import MOST_LINES, name_lines


def drawn(*lines: tuple[str, list[float]]) -> Figure:
    figure = Figure(figsize=(5, 4))
    axes = figure.subplots()
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 100)
    for name, heights in lines:
        axes.plot(np.linspace(0, 1, len(heights)), heights, label=name)
    axes.axvline(0.5)
    name_lines(axes, corner="lower right")
    return figure


def test_a_name_is_on_its_line_where_other_lines_are_far() -> None:
    (axes,) = drawn(("up", [20, 80]), ("level", [50, 50])).axes
    told = {text.get_text(): text for text in axes.texts}
    assert told.keys() == {"up", "level"}
    assert axes.get_legend() is None
    for line in axes.lines[:2]:
        text = told[line.get_label()]
        across, up = text.get_position()
        assert text.get_color() == line.get_color()
        assert abs(np.interp(across, line.get_xdata(), line.get_ydata()) / 100 - up) < 0.01
        assert abs(across - 0.5) > 0.3


def test_names_of_close_lines_do_not_overlap() -> None:
    figure = drawn(("first", [5, 95]), ("second", [6, 96]), ("third", [7, 97]))
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 3
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_without_room_for_names_there_is_a_legend() -> None:
    many = [(f"line {number}", [number, 90 + number]) for number in range(MOST_LINES + 1)]
    for lines in (many, [("x" * 40, [20.0, 80.0])], [("hidden", [200.0, 300.0])]):
        (axes,) = drawn(*lines).axes
        assert not axes.texts
        assert len(axes.get_legend().get_texts()) == len(lines)
