import math
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predictors import PREDICTORS, OptionError, Submission
from predictors.rules.knn import Knn
from tests.predictors import jobs
from tests.predictors.real_logs import first_estimates, read_log
from tests.suites import each_case

job = partial(jobs.job, processors=4, walltime=1000.0)
Ended = list[tuple[Submission, float]]


def brute_force(query: Submission, ended: Ended, *, theta: float = 0.001) -> float | None:
    """Predict by paper 002's formulas, with five of the jobs that are given, latest last."""
    points = [(past.processors, past.walltime) for past, _ in ended]
    target = (query.processors, query.walltime)
    spans = [max(axis) - min(axis) for axis in zip(*points, target, strict=True)]
    found = []
    for age, (past, run_time) in enumerate(reversed(ended)):
        squared = 0.0
        for q, p, span in zip(target, (past.processors, past.walltime), spans, strict=True):
            difference = (p - q) / span if span else 0.0
            squared += difference * difference
        if past.user is None or past.user != query.user:
            squared += theta / 4
        if squared <= theta:
            found.append((squared, age, run_time / past.walltime))
    found = sorted(found)[:5]
    if not found:
        return None
    weights = [math.exp(-math.sqrt(squared)) for squared, _, _ in found]
    factors = [factor for _, _, factor in found]
    mean = sum(w * f for w, f in zip(weights, factors, strict=True)) / sum(weights)
    return mean * query.walltime


JOBS = st.builds(
    job, processors=st.integers(1, 8), walltime=st.integers(1, 8).map(float),
    user=st.sampled_from(["ann", "bob", None]),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    ended=st.lists(st.tuples(JOBS, st.integers(1, 9).map(float)), max_size=30),
    query=JOBS,
    window=st.integers(1, 12),
)
def test_neighbours_equal_those_of_brute_force(
    ended: Ended, query: Submission, window: int
) -> None:
    theta = 0.0789
    predictor = Knn(window=window, theta=theta)
    for past, run_time in ended:
        predictor.learn(past, run_time, 0.0)
    expected = brute_force(query, ended[-window:], theta=theta)
    assert predictor.predict(query, 0.0) == (expected and pytest.approx(expected, rel=1e-12))


def test_estimates_of_a_real_log_equal_those_of_brute_force(shared: Path) -> None:
    past_jobs = read_log(shared, "kth")[:800]
    ended = sorted(past_jobs, key=lambda job: (job.end, job.start, job.submission.submit_time))
    estimates = first_estimates([Knn(window=200)], past_jobs)
    for ran, [estimate] in zip(past_jobs, estimates, strict=True):
        asked = ran.submission.submit_time
        known = [(past.submission, past.run_time) for past in ended if past.end <= asked]
        walltime = ran.submission.walltime
        assert walltime is not None
        expected = brute_force(ran.submission, known[-200:])
        expected = walltime if expected is None else min(max(expected, 1.0), walltime)
        assert estimate == pytest.approx(expected, rel=1e-12)


def test_the_factor_is_the_weighted_mean_of_the_neighbours() -> None:
    predictor = Knn(theta=10.0, epsilon=0.0)
    predictor.learn(job(walltime=1000.0), 500.0, 0.0)
    predictor.learn(job(walltime=2000.0), 200.0, 0.0)
    # at the distances 0 and 1: (0.5 + 0.1 / e) / (1 + 1 / e)
    assert predictor.predict(job(walltime=1000.0), 0.0) == pytest.approx(392.42, abs=0.01)


def test_without_near_jobs_the_walltime_is_the_estimate() -> None:
    predictor = Knn()
    predictor.learn(job(walltime=1000.0), 500.0, 0.0)
    assert predictor.predict(job(walltime=2000.0), 0.0) is None


def test_a_job_of_another_user_is_further_away() -> None:
    predictor = Knn(k=1)
    predictor.learn(job(user="ann"), 100.0, 0.0)
    predictor.learn(job(user="bob"), 900.0, 0.0)
    assert predictor.predict(job(user="ann"), 0.0) == pytest.approx(100.0)
    # both are as far, so that the later one is taken
    assert predictor.predict(job(user="eve"), 0.0) == pytest.approx(900.0)
    assert predictor.predict(job(user=None), 0.0) == pytest.approx(900.0)


def test_with_the_user_in_the_distance_no_other_user_is_near() -> None:
    predictor = Knn(compared="distance")
    predictor.learn(job(user="bob"), 900.0, 0.0)
    assert predictor.predict(job(user="ann"), 0.0) is None
    assert predictor.predict(job(user="bob"), 0.0) == pytest.approx(900.0)


def test_weights_that_underflow_give_the_mean_of_the_nearest() -> None:
    predictor = Knn(alpha=1e9, theta=0.5, epsilon=0.1)
    predictor.learn(job(user="bob"), 300.0, 0.0)
    predictor.learn(job(user="bob"), 500.0, 0.0)
    assert predictor.predict(job(user="ann"), 0.0) == pytest.approx(400.0)


@pytest.mark.parametrize("walltime", [None, 0.0])
def test_a_job_without_a_walltime_is_not_learned(walltime: float | None) -> None:
    predictor = Knn()
    predictor.learn(job(walltime=walltime), 300.0, 0.0)
    assert predictor.predict(job(), 0.0) is None


@each_case(
    ("options", "message"),
    [
        ({"k": 0}, "k must be a whole number of at least 1, not 0"),
        ({"theta": -1}, "theta must be a number of at least 0, not -1"),
        ({"alpha": "x"}, "alpha must be a number of at least 0, not 'x'"),
        ({"features": ["user"]}, "unknown feature 'user': .*nown: gpus, memory"),
        ({"features": ["walltime", "walltime"]}, "a feature is repeated"),
        ({"features": []}, "features must be a list of at least one field"),
        ({"compared": "cubed"}, "compared 'cubed' is not known: did you mean 'squared'"),
    ],
)
def test_a_bad_option_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        PREDICTORS.make({"name": "knn", **options})
