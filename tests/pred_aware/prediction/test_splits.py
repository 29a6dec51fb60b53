import numpy as np
import pytest

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction.candidate import read_candidates
from pred_aware.prediction.protocol import cut_date
from pred_aware.prediction.splits import at_date, at_random, consecutive, predict_split
from tests.pred_aware.prediction.conftest import make_job
from tests.suites import each_case
from workload_tools import Workload

# ends: 10, 30, 100, 45, 90
FIVE = past_jobs(
    [
        make_job(1, 0, 10),
        make_job(2, 10, 20),
        make_job(3, 20, 80),
        make_job(4, 40, 5),
        make_job(5, 50, 40),
    ]
)


def test_a_split_at_a_date_learns_only_jobs_that_had_ended() -> None:
    split = at_date(FIVE, 40.0)
    assert (split.learned.tolist(), split.predicted.tolist()) == ([0, 1], [3, 4])
    assert (split.leaks, "neither learned nor predicted: 1." in split.remark) == (False, True)
    # no job is both learned and predicted
    split = at_date(past_jobs([make_job(1, 0, 5), make_job(2, 9, 0), make_job(3, 9, 4)]), 9.0)
    assert (split.learned.tolist(), split.predicted.tolist()) == ([0], [1, 2])
    # nothing is learned after the date
    (found,) = predict_split(FIVE, read_candidates(["last_two"]), at_date(FIVE, 40.0))
    assert found.estimates.tolist() == [15.0, 15.0]


def test_a_consecutive_split_learns_the_first_jobs_and_reports_its_leak() -> None:
    split = consecutive(FIVE, 0.4)
    assert (split.learned.tolist(), split.predicted.tolist()) == ([0, 1, 2], [3, 4])
    assert (split.leaks, "1 of these jobs ended after the first prediction" in split.remark) == (
        True,
        True,
    )
    (found,) = predict_split(FIVE, read_candidates(["last_two"]), split)
    assert found.estimates.tolist() == [50.0, 50.0]


def test_a_random_split_depends_only_on_the_seed(jobs: PastJobs) -> None:
    split, again, other = (at_random(jobs, 0.25, seed=seed) for seed in (1, 1, 2))
    assert sorted([*split.learned, *split.predicted]) == list(range(len(jobs)))
    assert len(split.predicted) == 50
    assert split.predicted.tolist() == again.predicted.tolist() != other.predicted.tolist()
    assert "use future information" in split.remark


def test_a_tree_learns_every_training_job(jobs: PastJobs) -> None:
    split = at_random(jobs, 0.5, seed=1)
    asked = read_candidates(['{"name": "decision_tree", "features": ["user", "queue"]}'])
    (found,) = predict_split(jobs, asked, split)
    # a leaf of nominal features holds one combination: its mean is what a dictionary gives
    groups: dict[object, list[float]] = {}
    for place in split.learned.tolist():
        job = jobs.submissions[place]
        groups.setdefault((job.user, job.queue), []).append(jobs.run_times[place])
    for place, estimate in zip(found.places.tolist(), found.estimates.tolist(), strict=True):
        job = jobs.submissions[place]
        same = groups[job.user, job.queue]
        limit = job.walltime or 1e9
        assert estimate == pytest.approx(min(limit, float(np.mean(same))))


@each_case("share", [0.0, 1.0, -1.0, float("nan")])
def test_an_invalid_share_is_refused(share: float) -> None:
    with pytest.raises(PredAwareError, match="it must be between 0 and 1"):
        consecutive(FIVE, share)


@each_case("date", [5.0, 60.0])
def test_a_date_before_or_after_everything_is_refused(date: float) -> None:
    with pytest.raises(PredAwareError, match="no job"):
        at_date(FIVE, date)


JOBS = [make_job(number, 100.0 * number, 5) for number in range(10)]
SINCE_2003 = Workload(jobs=JOBS, start_time=1041375600.0, time_zone="Europe/Paris")


@each_case(
    ("text", "date"),
    [
        ("0.8", 800.0),
        ("250", 250.0),
        ("2003-01-02", 86400.0),
        ("2003-01-01T00:01:40", 100.0),
        ("2003-01-01T00:01:40+00:00", 3700.0),
    ],
)
def test_a_split_date_is_a_share_seconds_or_a_calendar_date(text: str, date: float) -> None:
    assert cut_date(text, SINCE_2003) == date


@each_case("text", ["0", "-3", "nan", "1e999", "tomorrow"])
def test_an_invalid_date_is_refused(text: str) -> None:
    with pytest.raises(PredAwareError, match=f"--train-until {text}: give"):
        cut_date(text, SINCE_2003)


def test_a_calendar_date_needs_dates_and_a_seed_is_not_negative() -> None:
    with pytest.raises(PredAwareError, match="the log has no dates"):
        cut_date("2003-01-01", Workload(jobs=JOBS))
    # a seed below zero is refused in words
    with pytest.raises(PredAwareError, match="seed of a random split is -1; it must be 0 or more"):
        at_random(FIVE, 0.5, seed=-1)
