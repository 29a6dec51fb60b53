"""The adjusting schemes of paper 004, by hand."""

from functools import partial

import pytest

from predictors import PREDICTORS, OptionError
from tests.predictors import jobs
from tests.predictors.jobs import learned
from tests.suites import each_case

job = partial(jobs.job, walltime=1000.0)


def test_the_eightieth_percentile_is_linear_between_ranks() -> None:
    predictor = learned(PREDICTORS.make("ratio_user"), job(), *[10.0 * i for i in range(52)])
    # rank 0.8 x 51 = 40.8, counted from 0
    assert predictor.predict(job(), 0.0) == pytest.approx(408.0)


def test_with_fewer_than_fifty_jobs_there_is_no_factor() -> None:
    predictor = learned(PREDICTORS.make("ratio_user"), job(), *[500.0] * 49)
    assert predictor.predict(job(), 0.0) is None
    assert learned(predictor, job(), *[500.0]).predict(job(), 0.0) == 500.0


def test_only_the_last_thousand_jobs_count() -> None:
    predictor = learned(PREDICTORS.make("ratio_user"), job(), *[900.0] * 50 + [300.0] * 1000)
    assert predictor.predict(job(), 0.0) == 300.0


@each_case("name", ["ratio_user", "ratio_project", "ratio_combined"])
def test_a_factor_is_at_most_one(name: str) -> None:
    late = job(project="fusion")
    assert learned(PREDICTORS.make(name), late, *[2000.0] * 50).predict(late, 0.0) == 1000.0


def test_the_group_replaces_an_unknown_project() -> None:
    predictor = PREDICTORS.make("ratio_project")
    learned(predictor, job(user="ann", group="physics", project="fusion"), *[200.0] * 50)
    learned(predictor, job(user="bob", group="physics"), *[600.0] * 50)
    assert predictor.predict(job(user="eve", group="other", project="fusion"), 0.0) == 200.0
    assert predictor.predict(job(user="eve", group="physics"), 0.0) == 600.0
    assert predictor.predict(job(user="eve"), 0.0) is None


def test_the_combined_factor_is_the_mean_of_both_or_the_only_one() -> None:
    predictor = PREDICTORS.make("ratio_combined")
    learned(predictor, job(user="ann", project="fusion"), *[200.0] * 50)
    learned(predictor, job(user="bob", project="other"), *[600.0] * 50)
    assert predictor.predict(job(user="ann", project="other"), 0.0) == pytest.approx(400.0)
    assert predictor.predict(job(user="ann", project="new"), 0.0) == 200.0
    assert predictor.predict(job(user="new", project="other"), 0.0) == 600.0
    assert predictor.predict(job(user="new", project="new"), 0.0) is None


def test_a_user_with_ratio_one_differs_from_a_user_with_too_few_jobs() -> None:
    predictor = PREDICTORS.make("ratio_combined")
    learned(predictor, job(user="ann", project="fusion"), *[1000.0] * 50)
    learned(predictor, job(user="bob", project="other"), *[500.0] * 50)
    # the paper's equation 5 would take the project's factor of 0.5
    assert predictor.predict(job(user="ann", project="other"), 0.0) == 750.0


def test_jobs_without_a_walltime_count_in_no_ratio() -> None:
    predictor = learned(PREDICTORS.make("ratio_user"), job(walltime=None), *[500.0] * 50)
    assert predictor.predict(job(), 0.0) is None
    assert learned(predictor, job(), *[500.0] * 50).predict(job(walltime=None), 0.0) is None


def test_a_minimum_above_the_number_of_kept_jobs_is_refused() -> None:
    with pytest.raises(OptionError, match="at_least is 50; it must be at most jobs, which is 20"):
        PREDICTORS.make({"name": "ratio_user", "jobs": 20})
