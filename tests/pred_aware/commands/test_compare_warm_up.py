"""A warm-up is left out of what is said of jobs, not of what is said of the machine."""

import json
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.batsim.writer import write_workload
from workload_tools.job import Job, Workload
from workload_tools.platform.writer import write_platform

PREFIXES = ("fcfs", "easy")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    """Two runs of five jobs on two processors; the first two jobs are warm-up."""
    monkeypatch.chdir(tmp_path)
    jobs = [
        Job(
            id=str(number), submit_time=0.0, processors=2 if number < 4 else 3, run_time=100.0,
            walltime=50.0 if number == 0 else 200.0, warm_up=number < 2,
        )
        for number in range(5)
    ]  # fmt: skip
    write_workload(Workload(jobs=jobs, processors=2), "w.json")
    write_platform("p.xml", hosts=2)
    for name in PREFIXES:
        assert command("run", "-p", "p.xml", "-w", "w.json", "-s", name, "-e", name).code == 0
    return command


def compared(run: Command, *arguments: str) -> dict[str, dict[str, float]]:
    ended = run("compare", *(f"{name}_jobs.csv" for name in PREFIXES), "--json", *arguments)
    marks = "" if arguments else "w.json marks 2 jobs as warm-up, but they are counted. --workload "
    assert (ended.code, ended.err.removesuffix("omits them.\n")) == (0, marks)
    runs: dict[str, dict[str, float]] = json.loads(ended.out)["runs"]
    return runs


def test_figures_are_those_of_the_jobs_that_count(run: Command) -> None:
    found = compared(run, "--workload", "w.json")["easy"]
    # started at 50 + 100 and 50 + 200; the first, killed at 50, and the second are left out
    assert (found["jobs"], found["warm_up"], found["rejected"], found["killed"]) == (2, 2, 1, 0)
    assert (found["mean_waiting_time"], found["max_waiting_time"]) == (200.0, 250.0)
    assert (found["makespan"], found["utilisation"], found["processors"]) == (350.0, 1.0, 2)


def test_without_the_workload_every_job_counts(run: Command) -> None:
    found = compared(run)["easy"]
    assert (found["jobs"], found["warm_up"], found["killed"]) == (4, 0, 1)
    assert found["mean_waiting_time"] == (0 + 50 + 150 + 250) / 4


def test_tables_name_the_jobs_left_out_and_the_picture_shows_the_machine(run: Command) -> None:
    files = [f"{name}_jobs.csv" for name in PREFIXES]
    ended = run("compare", *files, "--workload", "w.json", "--picture", "p.png")
    assert "easy: 2 warm-up jobs counted only in makespan" in " ".join(ended.out.split())
    assert Path("p.png").stat().st_size > 0


def test_a_workload_without_warm_up_marks_leaves_no_job_out_and_says_so(run: Command) -> None:
    files = [f"{name}_jobs.csv" for name in PREFIXES]
    Path("none.json").write_text(Path("w.json").read_text().replace(',"warm_up":true', ""))
    ended = run("compare", *files, "--workload", "none.json")
    assert "none.json marks no job as warm-up, so all jobs count." in ended.out


def test_a_workload_of_other_jobs_is_an_error(run: Command) -> None:
    files = [f"{name}_jobs.csv" for name in PREFIXES]
    text = Path("w.json").read_text()
    Path("other.json").write_text(
        text.replace('"id":"0"', '"id":"8"').replace('"id":"1"', '"id":"9"')
    )
    for name, message in (
        ("other.json", "fcfs_jobs.csv: has none of the warm-up jobs of the workload"),
        ("fcfs_jobs.csv", "fcfs_jobs.csv: not a Batsim workload"),
    ):
        run("compare", *files, "--workload", name).assert_refused(message)
