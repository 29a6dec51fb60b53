"""`similar`, `mean_user` and `percentile`, by hand."""

from functools import partial

import pytest

from predictors import PREDICTORS, OptionError
from tests.predictors import jobs
from tests.predictors.jobs import learned
from tests.suites import each_case

job = partial(jobs.job, walltime=1000.0, queue="short")


def test_similar_is_the_median_of_the_last_five_of_the_same_size_and_walltime() -> None:
    predictor = learned(
        PREDICTORS.make("similar"), job(processors=4), 900.0, 10.0, 20.0, 30.0, 40.0, 50.0
    )
    learned(predictor, job(processors=8), 500.0)
    assert predictor.predict(job(processors=4), 0.0) == 30.0
    assert predictor.predict(job(processors=8), 0.0) == 500.0


def test_similar_falls_back_on_the_last_five_of_the_user_and_on_nothing() -> None:
    predictor = learned(PREDICTORS.make("similar"), job(processors=4), 100.0, 200.0)
    learned(predictor, job(processors=8), 600.0)
    assert predictor.predict(job(processors=4, walltime=60.0), 0.0) == 200.0
    assert predictor.predict(job(processors=4, user="bob"), 0.0) is None
    assert predictor.predict(job(processors=4, user=None), 0.0) is None


def test_the_fields_of_similar_jobs_can_be_chosen() -> None:
    predictor = PREDICTORS.make({"name": "similar", "same": ["queue"], "jobs": 1})
    learned(predictor, job(processors=4, queue="long"), 900.0)
    learned(predictor, job(processors=4, queue="short"), 10.0)
    assert predictor.predict(job(processors=8, queue="long"), 0.0) == 900.0


def test_mean_user_is_the_mean_of_all_jobs_of_the_user() -> None:
    predictor = learned(PREDICTORS.make("mean_user"), job(), 10.0, 20.0, 90.0)
    assert predictor.predict(job(), 0.0) == 40.0
    assert predictor.predict(job(user="bob"), 0.0) is None


def test_percentile_uses_the_jobs_of_the_queue() -> None:
    predictor = PREDICTORS.make({"name": "percentile", "percentile": 50, "by": "queue"})
    learned(predictor, job(user="bob"), 10.0, 20.0, 90.0)
    assert predictor.predict(job(), 0.0) == 20.0
    assert predictor.predict(job(queue="long"), 0.0) is None


def test_percentile_with_too_few_jobs_gives_no_prediction() -> None:
    predictor = PREDICTORS.make({"name": "percentile", "at_least": 3})
    assert learned(predictor, job(), 10.0, 20.0).predict(job(), 0.0) is None
    assert learned(predictor, job(), 30.0).predict(job(), 0.0) == pytest.approx(26.0)


@each_case(
    ("spec", "message"),
    [
        ({"name": "percentile", "percentile": 101}, "percentile must be a number from 0 to 100"),
        ({"name": "percentile", "percentile": float("nan")}, "from 0 to 100, not nan"),
        ({"name": "percentile", "jobs": 0}, "jobs must be a whole number of at least 1, not 0"),
        ({"name": "percentile", "by": "usr"}, "by: unknown field 'usr': did you mean 'user'"),
        ({"name": "percentile", "by": ["user"]}, "by: unknown field"),
        ({"name": "similar", "same": "user"}, "same must be a list of at least one field"),
        ({"name": "similar", "same": ["id"]}, "same: unknown field 'id'"),
        ({"name": "pbs_v2", "margin": -1}, "margin must be a number of at least 0, not -1"),
        ({"name": "pbs_v1", "jobs": True}, "jobs must be a whole number"),
    ],
)
def test_a_bad_option_is_named(spec: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        PREDICTORS.make(spec)
