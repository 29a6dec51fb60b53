from pathlib import Path
from typing import Any

import pytest

from pred_aware.report.picture import Panel, Picture, figure_of, save


def draw(into: Any) -> None:  # noqa: ANN401 - a figure or a part of one
    axes = into.subplots()
    axes.plot([1, 2, 3], label="waits")
    axes.legend()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_pictures_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    files = [tmp_path / f"{name}{suffix}" for name in ("first", "second")]
    abreast = Picture("Waits", "In hours.", (Panel(3, 2, draw), Panel(4, 2, draw)))
    for file in files:
        save(figure_of([abreast, Picture("Sizes", "", (Panel(5, 3, draw),))], "made"), file)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert len(first) > 5000
