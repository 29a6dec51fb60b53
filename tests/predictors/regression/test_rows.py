from functools import partial

import pytest

from predictors import OptionError
from predictors.regression.rows import FeatureRows
from tests.predictors import jobs
from tests.suites import each_case

job = partial(jobs.job, processors=4)


def test_fields_come_before_the_calendar_and_the_activity() -> None:
    rows = FeatureRows(["waiting_jobs", "weekday", "hour", "user", "processors"])
    assert rows.features == ("user", "processors", "hour", "weekday", "waiting_jobs")
    assert rows.row(job(submit_time=3600.0 * 26), 0.0) == [0, 4, 2, 4, -1]


def test_activity_of_similar_jobs_comes_last() -> None:
    rows = FeatureRows(["similar_last_run_time_1", "last_run_time_1", "processors"])
    assert rows.features == ("processors", "last_run_time_1", "similar_last_run_time_1")
    for name, processors, now in (("1", 4, 30.0), ("2", 8, 50.0)):
        rows.submitted(job(name, processors=processors), 0.0)
        rows.started(job(name, processors=processors), 0.0)
        rows.ended(job(name, processors=processors), now, now)
    rows.submitted(job("3"), 60.0)
    rows.withdrawn(job("3"), 60.0)
    assert rows.row(job("4"), 60.0) == [4, 50.0, 30.0]


def test_a_row_at_the_end_equals_that_at_the_submission_with_current_codes_of_texts() -> None:
    rows = FeatureRows(["user", "waiting_jobs"])
    first, second = job("1", user="bob"), job("2", user="ann")
    for submission in (first, second):
        rows.submitted(submission, 0.0)
    assert rows.row(second, 0.0) == [0, 0]
    rows.ended(first, 60.0, 60.0)
    assert rows.ended(second, 60.0, 60.0) == [1, 0]


@each_case(
    ("features", "message"),
    [
        ([], "at least one"),
        (["weekdays"], "did you mean 'weekday'"),
        (["run_time"], "unknown feature 'run_time'"),
        (["hour", "hour"], "repeated"),
        (["similar_mean_walltime"], "unknown feature 'similar_mean_walltime'"),
    ],
)
def test_invalid_features_are_refused(features: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        FeatureRows(features)
