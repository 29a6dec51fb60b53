import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pred_aware.comparison.figures import bounded_slowdown, figures, waiting_counts
from pred_aware.runs.run import read_run

JobsFile = Callable[..., Path]


def test_bounded_slowdown_is_never_below_one() -> None:
    assert bounded_slowdown(np.array([0.0]), np.array([2.0])).tolist() == [1.0]


def test_figures_of_two_jobs_computed_by_hand(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 0, 20, 2), (0, 20, 5, 1)]), "a")
    expected = {
        "makespan": 25.0,
        "scheduling_time": None,
        "mean_waiting_time": 10.0,
        "mean_turnaround_time": 22.5,
        "mean_slowdown": 3.0,
        "mean_bounded_slowdown": 1.75,
        "max_waiting_time": 20.0,
        "max_turnaround_time": 25.0,
        "max_slowdown": 5.0,
        "max_bounded_slowdown": 2.5,
        "utilisation": 45 / 50,
    }
    assert figures(run) == pytest.approx(expected)


def test_without_jobs_there_are_no_figures(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [], ["1"]), "a")
    assert set(figures(run).values()) == {None}


def test_a_wait_of_just_a_minute_is_not_under_a_minute(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 59, 1, 1), (0, 60, 1, 1), (0, 86400, 1, 1)]), "a")
    assert list(waiting_counts(run).values()) == [1, 2, 2, 2, 2, 1]


@pytest.mark.parametrize("trace", ["kth", "hpc2n", "curie20k", "m100-512", "m100-15680"])
def test_figures_are_those_that_the_real_batsim_wrote(shared: Path, trace: str) -> None:
    folder = shared / "golden" / trace / "easy_bf"
    ours = figures(read_run(folder / "out_jobs.csv.gz", trace))
    batsims = next(csv.DictReader((folder / "out_schedule.csv").read_text().splitlines()))
    for name in set(ours) & set(batsims):
        assert ours[name] == pytest.approx(float(batsims[name]), rel=1e-9, abs=1e-6), name


def test_bounded_slowdown_of_kth_is_the_published_one(shared: Path) -> None:
    run = read_run(shared / "golden/kth/easy_bf/out_jobs.csv.gz", "kth")
    assert figures(run)["mean_bounded_slowdown"] == pytest.approx(82.657, abs=5e-4)
