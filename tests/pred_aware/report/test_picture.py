from pathlib import Path
from typing import Any

import pytest

from pred_aware.report.picture import Panel, Picture, figure_of, save


def draw(into: Any) -> None:  # noqa: ANN401 - a figure or a part of one
    axes = into.subplots()
    axes.plot([1, 2, 3], label="waits")
    axes.legend()


@pytest.mark.slow
def test_the_same_pictures_give_the_same_bytes(tmp_path: Path) -> None:
    abreast = Picture("Waits", "In hours.", (Panel(3, 2, draw), Panel(4, 2, draw)))
    figures = [figure_of([abreast, Picture("Sizes", "", (Panel(5, 3, draw),))]) for _ in range(2)]
    for suffix in (".png", ".svg", ".pdf"):
        files = [tmp_path / f"{name}{suffix}" for name in ("first", "second")]
        for figure, file in zip(figures, files, strict=True):
            save(figure, file)
        first, second = (file.read_bytes() for file in files)
        assert first == second, suffix
        assert len(first) > 5000, suffix
