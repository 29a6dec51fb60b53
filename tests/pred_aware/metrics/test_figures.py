import csv
import json
from pathlib import Path

import numpy as np
import pytest

from pred_aware.metrics.figures import bounded_slowdown, figures, figures_of_dates, waiting_counts
from pred_aware.runs.reading import read_run
from tests.pred_aware.command import Command
from tests.pred_aware.conftest import JobsFile
from tests.suites import each_case
from workload_tools.platform.writer import write_platform


def test_without_jobs_or_time_there_are_no_figures(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [], ["1"]), "a")
    assert set(figures(run).values()) == {None}
    # means of no jobs are none
    assert set(figures_of_dates([], [], []).values()) == {None}
    # a job of no time has no slowdown and counts for the rest
    found = figures_of_dates([0.0, 0.0], [0.0, 20.0], [10.0, 20.0])
    assert (found["mean_slowdown"], found["mean_waiting_time"]) == (1.0, 10.0)
    # bounded slowdown is never below one
    assert bounded_slowdown(np.array([0.0]), np.array([2.0])).tolist() == [1.0]


def test_figures_of_two_jobs_computed_by_hand(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 0, 20, 2), (0, 20, 5, 1)]), "a")
    expected = {
        "makespan": 25.0, "scheduling_time": None, "mean_waiting_time": 10.0,
        "mean_turnaround_time": 22.5, "mean_slowdown": 3.0, "mean_bounded_slowdown": 1.75,
        "max_waiting_time": 20.0, "max_turnaround_time": 25.0, "max_slowdown": 5.0,
        "max_bounded_slowdown": 2.5, "utilisation": 45 / 50,
    }  # fmt: skip
    assert figures(run) == pytest.approx(expected)


def test_a_wait_of_just_a_minute_is_not_under_a_minute(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 59, 1, 1), (0, 60, 1, 1), (0, 86400, 1, 1)]), "a")
    assert list(waiting_counts(run).values()) == [1, 2, 2, 2, 2, 1]


@pytest.mark.parametrize(
    "traces",
    [
        ("kth", "curie20k", "m100-512", "m100-15680"),
        pytest.param(("hpc2n",), marks=pytest.mark.slow),
    ],
)
def test_figures_equal_those_of_the_real_batsim(shared: Path, traces: tuple[str, ...]) -> None:
    for trace in traces:
        folder = shared / "golden" / trace / "easy_bf"
        ours = figures(read_run(folder / "out_jobs.csv.gz", trace))
        batsims = next(csv.DictReader((folder / "out_schedule.csv").read_text().splitlines()))
        for name in set(ours) & set(batsims):
            expected = pytest.approx(float(batsims[name]), rel=1e-9, abs=1e-6)
            assert ours[name] == expected, (trace, name)


def test_bounded_slowdown_of_kth_equals_the_published_value(shared: Path) -> None:
    run = read_run(shared / "golden/kth/easy_bf/out_jobs.csv.gz", "kth")
    assert figures(run)["mean_bounded_slowdown"] == pytest.approx(82.657, abs=5e-4)


REJECTS = (
    '{"nb_res": 4, "jobs": ['
    '{"id": "1", "subtime": 0, "res": 1, "profile": "p", "walltime": 100},'
    '{"id": "2", "subtime": 0, "res": 4, "profile": "p", "walltime": 100},'
    '{"id": "3", "subtime": 0, "res": 9, "profile": "p", "walltime": 100},'
    '{"id": "4", "subtime": 0, "res": 9, "profile": "p", "walltime": 100}],'
    ' "profiles": {"p": {"type": "delay", "delay": 100}}}'
)
"""Two jobs that wait 0 and 100 s, and two that are larger than the machine."""


@each_case("scheduler", ["easy_bf", "pred_aware"])
def test_run_and_compare_agree_on_a_run_with_rejected_jobs(
    tmp_path: Path, command: Command, scheduler: str
) -> None:
    (tmp_path / "w.json").write_text(REJECTS)
    write_platform(tmp_path / "p.xml", hosts=4)
    files = [tmp_path / f"{name}_jobs.csv" for name in "ab"]
    printed = [
        json.loads(
            command(
                *("run", "-p", tmp_path / "p.xml", "-w", tmp_path / "w.json", "-s", scheduler),
                *("--json", "-q", "-e", tmp_path / name),
            ).out
        )
        for name in "ab"
    ]
    compared = json.loads(command("compare", *files, "--json").out)["runs"]["a"]
    shown = ("waiting_time", "turnaround_time", "slowdown", "bounded_slowdown")
    for figure in [f"{of}_{name}" for of in ("mean", "max") for name in shown]:
        assert printed[0][figure] == compared[figure]
    assert (compared["mean_waiting_time"], compared["mean_slowdown"]) == (50.0, 1.5)
    # Batsim's own rule, in its own file alone
    schedule = (tmp_path / "a_schedule.csv").read_text().splitlines()
    row = dict(zip(*(line.split(",") for line in schedule), strict=True))
    assert (row["mean_waiting_time"], row["mean_slowdown"]) == ("25.000000", "0.750000")
