"""Measures of KTH under EASY++ against EASY, beside the same by a few lines of pandas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pred_aware as pa
from pred_aware.runs.run import Run

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def runs(shared: Path) -> tuple[Run, Run]:
    log = pa.read_log(shared / "traces/KTH-SP2-1996-2.1-cln.swf.gz")
    return pa.simulate(log, "easy"), pa.simulate(log, "easy_plus_plus")


def test_measures_equal_those_of_pandas(runs: tuple[Run, Run]) -> None:
    baseline, run = runs
    jobs, before = run.jobs, baseline.jobs
    run_times, sizes = jobs["execution_time"], jobs["requested_number_of_resources"]
    response = jobs["turnaround_time"]
    bounded = (response / run_times.clip(lower=10)).clip(lower=1)
    users = bounded.groupby(jobs["user"]).mean().to_numpy()
    promised = jobs["first_promised_start"].dropna()
    broken = (jobs["starting_time"][promised.index] - promised)[lambda late: late > 0.01]
    later = (jobs["starting_time"] - before["starting_time"])[lambda late: late > 0.01]
    expected = {
        "gini_of_users": np.abs(users[:, None] - users).mean() / (2 * users.mean()),
        "promises_kept": 1 - len(broken) / len(promised),
        "mean_later_than_promised": broken.mean(),
        "later_than_baseline": len(later) / len(jobs),
        "max_later_than_baseline": later.max(),
        "p95_unitless_wait": (jobs["waiting_time"] / jobs["walltime"]).quantile(0.95),
        "mean_below_p99_bounded_slowdown": bounded.nsmallest(int(0.99 * len(jobs))).mean(),
        "p999_per_processor_bounded_slowdown": (response / (sizes * run_times.clip(lower=10)))
        .clip(lower=1)
        .quantile(0.999),
        "area_weighted_turnaround_time": np.average(response, weights=sizes * run_times),
    }
    found = run.measures(expected, baseline=baseline).to_dict()
    assert found == pytest.approx(expected, rel=1e-9)


def test_overtaking_work_is_the_sum_over_all_pairs(runs: tuple[Run, Run]) -> None:
    ran = runs[1].ran
    submission, start = ran["submission_time"].to_numpy(), ran["starting_time"].to_numpy()
    work = (ran["requested_number_of_resources"] * ran["execution_time"]).to_numpy() / 100
    overtook = [
        work[(submission > submitted) & (start < started)].sum()
        for submitted, started in zip(submission, start, strict=True)
    ]
    found = runs[1].measures(
        ["overtaken_jobs", "mean_work_that_overtook", "max_work_that_overtook"]
    )
    expected = [np.count_nonzero(overtook) / len(ran), np.mean(overtook), np.max(overtook)]
    assert found.tolist() == pytest.approx(expected, rel=1e-9)


def test_gains_of_users_equal_those_of_pandas(runs: tuple[Run, Run]) -> None:
    baseline, run = runs
    difference = run.jobs["waiting_time"] - baseline.jobs["waiting_time"]
    expected = difference.groupby(run.jobs["user"]).sum().sort_index()
    found = pa.compare(runs).gains("user")["total_difference"].sort_index()
    pd.testing.assert_series_equal(found, expected, check_names=False, check_index_type=False)


def test_easy_keeps_every_planned_start_and_filler_loses_no_capacity(runs: tuple[Run, Run]) -> None:
    easy = runs[0]
    assert easy.measures(["promises_kept"]).item() == 1.0
    assert easy.workload is not None
    filler = pa.simulate(easy.workload, "filler")
    assert filler.measures(["lost_capacity"]).item() == 0.0
