from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.runs.picture import draw
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from tests.pred_aware.conftest import JobsFile


@pytest.fixture
def runs(jobs_file: JobsFile) -> list[Run]:
    waits = [(0.0, 40.0 * job, 30.0, 2) for job in range(50)]
    return [
        read_run(jobs_file("early", waits), "early"),
        read_run(
            jobs_file("late", [(0.0, 2 * start, 30.0, 2) for _, start, _, _ in waits]), "late"
        ),
    ]


@pytest.mark.slow
def test_the_same_runs_give_the_same_bytes(runs: list[Run], tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    draw(runs, first)
    draw(runs, second)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 10_000


def test_a_run_without_jobs_or_with_dollars_in_its_name_is_drawn(
    jobs_file: JobsFile, tmp_path: Path
) -> None:
    none = read_run(jobs_file("none", [], ["1"]), "none")
    run = read_run(jobs_file("run", [(0.0, 40.0, 30.0, 2)]), r"$\frac$")
    draw([none, run], tmp_path / "runs.svg")
    assert (tmp_path / "runs.svg").is_file()


def test_a_file_that_cannot_be_written_is_named(runs: list[Run], tmp_path: Path) -> None:
    with pytest.raises(PredAwareError, match=r"must end in \.png, \.svg or \.pdf"):
        draw(runs, tmp_path / "runs.bmp")
    with pytest.raises(PredAwareError, match=r"folder .* does not exist"):
        draw(runs, tmp_path / "nowhere" / "runs.png")
