import csv
import gzip
import json
from pathlib import Path

import pytest

from predictors import Submission
from predictors.estimate import clamp
from predictors.rules.past_runs import LastTwo
from tests.predictors.jobs import job
from tests.suites import each_case


def test_the_prediction_is_the_mean_of_the_two_jobs_that_ended_last() -> None:
    predictor = LastTwo()
    for run_time, end in [(10.0, 10.0), (20.0, 30.0), (60.0, 90.0)]:
        predictor.learn(job(), run_time, end)
    assert predictor.predict(job(), 90.0) == 40.0


def test_fewer_than_two_ended_jobs_give_no_prediction() -> None:
    predictor = LastTwo()
    predictor.learn(job(user="ann"), 10.0, 10.0)
    predictor.learn(job(user="bob"), 20.0, 20.0)
    assert predictor.predict(job(user="ann"), 20.0) is None


def test_jobs_without_a_user_are_not_taken_for_one_user() -> None:
    predictor = LastTwo()
    for end in (10.0, 20.0, 30.0):
        predictor.learn(job(user=None), 10.0, end)
    assert predictor.predict(job(user=None), 30.0) is None


@each_case("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_the_date_of_the_end_counts_and_not_the_order_of_learning(order: tuple[int, ...]) -> None:
    ended = [(10.0, 10.0), (20.0, 30.0), (60.0, 90.0)]
    predictor = LastTwo()
    for index in order:
        predictor.learn(job(), *ended[index])
    assert predictor.predict(job(), 90.0) == 40.0


@pytest.mark.parametrize("log", ["kth", pytest.param("hpc2n50k", marks=pytest.mark.slow)])
def test_first_estimates_equal_those_of_predictsim(shared: Path, log: str) -> None:
    jobs, starts, expected = read_golden(shared / "golden" / "tie-free" / log)
    moments = [(submission.submit_time, 1, submission, run_time) for submission, run_time in jobs]
    moments += [(starts[job.id] + run_time, 0, job, run_time) for job, run_time in jobs]
    predictor, estimates = LastTwo(), {}
    for now, is_submission, submission, run_time in sorted(moments, key=lambda m: m[:2]):
        if is_submission:
            estimates[submission.id] = clamp(predictor.predict(submission, now), submission)
        else:
            predictor.learn(submission, run_time, now)
    assert estimates == expected


def read_golden(
    folder: Path,
) -> tuple[list[tuple[Submission, float]], dict[str, float], dict[str, float]]:
    workload = json.loads(gzip.decompress((folder / "workload.json.gz").read_bytes()))
    delays = {name: profile["delay"] for name, profile in workload["profiles"].items()}
    jobs = [
        (
            Submission(
                id=entry["id"], submit_time=entry["subtime"], processors=entry["res"],
                walltime=entry["walltime"], user=entry["user"],
            ),
            min(delays[entry["profile"]], entry["walltime"]),
        )
        for entry in workload["jobs"]
    ]  # fmt: skip
    with gzip.open(folder / "easy_plus_plus.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    starts = {row["job_id"]: float(row["starting_time"]) for row in rows}
    return jobs, starts, {row["job_id"]: float(row["first_estimate"]) for row in rows}
