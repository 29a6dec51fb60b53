"""Resamples and weeks in a comparison: figures, tables of their own, JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

import pred_aware as pa
from pred_aware.comparison.tables import tables
from pred_aware.metrics.weekly import WEEK, weekly
from pred_aware.statistics import by_weeks, other_years
from tests.pred_aware.campaign.test_resamples import write_log
from tests.pred_aware.command import Command
from tests.suites import each_case


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> pa.Workload:
    """Ten weeks."""
    return pa.read_log(write_log(tmp_path_factory.mktemp("log") / "log.swf")).workload


@pytest.fixture(scope="module")
def compared(workload: pa.Workload) -> pa.Comparison:
    runs = [pa.simulate(workload, "easy", order=order, name=order) for order in ("fcfs", "sjf")]
    measures = ("mean_waiting_time", "p95_waiting_time", "utilisation")
    return pa.compare(runs, resamples=4, weeks=True, measures=measures, workers=1)


def test_changes_in_resamples_are_those_simulated_by_hand(
    workload: pa.Workload, compared: pa.Comparison
) -> None:
    waits = [
        [
            pa.simulate(workload.resampled(seed), "easy", order=order).figures["mean_waiting_time"]
            for seed in range(1, 5)
        ]
        for order in ("fcfs", "sjf")
    ]
    assert compared.resampled is not None
    (found,) = (one for one in compared.resampled.effects if one.measure == "mean_waiting_time")
    assert found.change == other_years(*waits)


def test_jobs_belong_to_the_week_of_submission_and_the_end_weeks_are_left_out(
    compared: pa.Comparison,
) -> None:
    waits = []
    for run in compared.compared:
        jobs = run.ran
        week = ((jobs["submission_time"] - jobs["submission_time"].min()) // WEEK).to_numpy()
        sums = np.bincount(week.astype(int), jobs["waiting_time"])
        # the log's last week is not whole
        waits.append(sums[1:8].tolist())
    assert compared.weeks is not None
    found = compared.weeks[0]
    assert (found.measure, found.change) == ("mean_waiting_time", by_weeks(*waits))
    assert found.change.shakes == 7
    jobs_of_weeks = weekly(compared.compared[0], "mean_waiting_time").jobs
    assert found.baseline.value == pytest.approx(sum(waits[0]) / sum(jobs_of_weeks))
    # what is of the whole run has no weeks
    assert compared.weeks is not None
    assert [one.measure for one in compared.weeks] == ["mean_waiting_time", "p95_waiting_time"]


@each_case(("days", "weeks"), [(27, 1), (28, 2), (34, 2), (35, 3)])
def test_the_last_complete_week_is_left_out(days: int, weeks: int) -> None:
    jobs = [
        {"id": str(day), "subtime": day * WEEK / 7, "res": 1, "profile": "D", "walltime": 60}
        for day in range(days + 1)
    ]
    content = {"nb_res": 1, "jobs": jobs, "profiles": {"D": {"type": "delay", "delay": 9}}}
    run = pa.simulate(pa.Workload.of(content, "a job a day"), "easy")
    assert weekly(run, "mean_waiting_time").jobs == (7,) * weeks


def test_the_command_has_the_changes_in_json_and_refuses_a_single_resample(
    workload: pa.Workload, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    workload.write("log.json")
    for order in ("fcfs", "sjf"):
        run = pa.simulate(pa.read_workload("log.json"), "easy", order=order, name=order)
        run.write(order)
    files = ("fcfs_jobs.csv", "sjf_jobs.csv")
    told = command("compare", *files, "--resamples", 2, "--weeks", "--json", "--workers", 1)
    found = json.loads(told.out)
    assert found["intervals"] == {"shakes": 0, "says": "one run of each policy, so no interval"}
    assert found["resamples"]["against_baseline"]["sjf"]["mean_waiting_time"]["resamples"] == 2
    assert found["weeks"]["against_baseline"]["sjf"]["mean_waiting_time"]["weeks"] == 7
    command("compare", *files, "--resamples", 1).assert_refused("one resample gives no interval")


def test_yardsticks_are_the_lower_bound_and_the_scheduler_with_exact_run_times(
    workload: pa.Workload,
) -> None:
    runs = [pa.simulate(workload, "easy"), pa.simulate(workload, "easy_plus_plus")]
    found = pa.compare(runs, bounds=True).bounds
    assert found is not None
    exact = pa.simulate(workload, "easy_plus_plus", predictor="actual")
    for row in found:
        bound = row.bound
        assert bound is not None
        assert bound == pa.lower_bound(exact, row.measure)
        least = bound.trivial if bound.value is None else bound.value
        for value in (row.value, row.exact, exact.figures[row.measure]):
            assert value is not None
            assert least <= value
    known = {row.measure: row.exact for row in found if row.policy == "easy_plus_plus"}
    assert known == {measure: exact.figures[measure] for measure in known}


def test_runs_read_from_files_have_the_same_yardsticks(
    workload: pa.Workload, tmp_path: Path
) -> None:
    workload.write(tmp_path / "log.json")
    read = pa.read_workload(tmp_path / "log.json")
    runs = [pa.simulate(read, name, name=name) for name in ("easy", "easy_plus_plus")]
    for run in runs:
        run.write(tmp_path / run.name)
    again = [pa.read_run(tmp_path / f"{run.name}_jobs.csv") for run in runs]
    wait = ("mean_waiting_time",)
    compared = pa.compare(again, bounds=True, measures=wait)
    assert compared.bounds == pa.compare(runs, bounds=True, measures=wait).bounds
    assert "Lower bounds" in [table.title for table in tables(compared)]
