"""Predictors around others: `safe`, `fallback`, `proven`, `scaled` and means of several."""

import json
import pickle
import random
from functools import partial
from typing import Any

import pytest

from predictors import PREDICTORS, OptionError, Predictor, PredictorError
from predictors.predictor import validity
from tests.predictors import jobs
from tests.predictors.jobs import Says
from tests.suites import each_case

job = partial(jobs.job, walltime=1000.0)


def around(name: str, *inner: Predictor, **options: Any) -> Any:  # noqa: ANN401 - any wrapper
    """Put a wrapper around predictors."""
    one = name in ("safe", "proven", "scaled")
    wrapped = {"predictor": inner[0]} if one else {"predictors": list(inner)}
    return PREDICTORS.make({"name": name, **wrapped, **options})


WRAPPERS = ["safe", "fallback", "proven", "median_of", "geometric_mean", "scaled"]


@each_case("outer", WRAPPERS)
@each_case("inner", WRAPPERS)
def test_every_call_is_passed_on_once_and_in_order(inner: str, outer: str) -> None:
    says = Says(60.0)
    wrapper = around(outer, around(inner, says))
    for method in ("submitted", "started"):
        getattr(wrapper, method)(job("1"), 0.0)
    wrapper.learn(job("1"), 5.0, 5.0)
    wrapper.submitted(job("2"), 6.0)
    wrapper.withdrawn(job("2"), 7.0)
    expected = [("submitted", "1"), ("started", "1"), ("learn", "1"), ("submitted", "2")]
    assert [told[:2] for told in says.heard] == [*expected, ("withdrawn", "2")]


@each_case("outer", WRAPPERS)
def test_inner_predictors_need_no_hooks(outer: str) -> None:
    wrapper = around(outer, PREDICTORS.make("last_two"))
    for method in ("submitted", "started", "withdrawn"):
        getattr(wrapper, method)(job(), 0.0)
    wrapper.learn(job(), 5.0, 5.0)


@each_case("outer", WRAPPERS)
@each_case("inner", WRAPPERS)
def test_an_answer_is_valid_as_long_as_the_least_valid_inside(inner: str, outer: str) -> None:
    assert validity(around(outer, around(inner, Says(valid_for=600.0)))) == 600.0
    assert validity(around(outer, around(inner, PREDICTORS.make("last_two")))) == float("inf")
    several = around("median_of", Says(valid_for=600.0), Says(valid_for=60.0), Says())
    assert validity(several) == 60.0


@each_case(
    ("spec", "message"),
    [
        ({"name": "safe", "predictor": {"name": "knn", "kk": 3}},
         "predictor 'safe': predictor 'knn' has no option 'kk': did you mean 'k'"),
        ({"name": "median_of", "predictors": [{"name": "safe", "predictor": "lst_two"}]},
         "predictor 'median_of': predictor 'safe': unknown predictor 'lst_two': did you mean"),
        ({"name": "proven", "predictor": {"name": "safe", "margin": -5}},
         "predictor 'proven': predictor 'safe': margin must be a number of at least 0, not -5"),
        ({"name": "safe", "predictor": 5}, "predictor 'safe': a predictor is its name"),
        ({"name": "safe", "underestimated": 1}, "must be a number above 0 and below 1, not 1"),
        ({"name": "fallback", "predictors": "last_two"}, "predictors must be a list of at least"),
        ({"name": "fallback", "predictors": []}, "predictors must be a list of at least one"),
        ({"name": "safe", "predictor": {"k": 5}}, "'safe': give the predictor as its name"),
        ({"name": "proven", "by": "usr"}, "by: unknown field 'usr'"),
        ({"name": "safe", "by": "usr"}, "by: unknown field 'usr'"),
        ({"name": "scaled", "factor": 0}, "factor must be a number above 0, not 0"),
        ({"name": "geometric_mean", "predictors": []}, "predictors must be a list of at least one"),
        ({"name": "geometric_mean", "weights": [1]}, "weights must have one number for each"),
        ({"name": "geometric_mean", "weights": [1, 0]}, "a weight must be a number above 0"),
    ],
)  # fmt: skip
def test_an_error_names_the_path_to_the_inner_predictor(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        PREDICTORS.make(json.loads(json.dumps(spec)))
    assert message in str(caught.value)


def test_safe_adds_a_margin_only_to_predictions() -> None:
    says = Says(60.0)
    assert around("safe", says, margin=900).predict(job(), 0.0) == 960.0
    says.answer = None
    assert around("safe", says).predict(job(), 0.0) is None


def test_safe_follows_the_overruns_of_the_last_jobs() -> None:
    says = Says(100.0)
    safe = around("safe", says, underestimated=0.2, margin=7, window=9)
    for number in range(9):
        assert safe.predict(job(), 0.0) == (107.0 if number < 4 else 100.0 + 10 * number - 10)
        safe.submitted(job(f"{number}"), 0.0)
        safe.learn(job(f"{number}"), 100.0 + 10 * number, number)
    # of 0, 10, ... 80 s the one of rank 0.8 x 10
    assert safe.predict(job(), 0.0) == 170.0
    for number in range(9):
        safe.learn(job(), 20.0, 100.0 + number)
    assert safe.predict(job(), 200.0) == 100.0  # never less than the answer itself


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_safe_reaches_the_wanted_share(share: float) -> None:
    rng = random.Random(1)  # noqa: S311 - no secret
    safe = around("safe", PREDICTORS.make("last_two"), underestimated=share)
    underestimated = 0
    for number in range(4000):
        run_time = rng.lognormvariate(5.0, 1.0)
        submission = job(f"{number}", walltime=1e6)
        prediction = safe.predict(submission, 2.0 * number)
        safe.submitted(submission, 2.0 * number)
        underestimated += prediction is not None and prediction < run_time
        safe.learn(submission, run_time, 2.0 * number + 1)
    assert underestimated / 4000 == pytest.approx(share, abs=0.015)


def test_safe_can_keep_a_margin_for_each_user() -> None:
    safe = around("safe", Says(100.0), underestimated=0.5, by="user", margin=7)
    for user, run_time in [("ann", 400.0), ("ann", 500.0), ("ann", 600.0), ("bob", 150.0)]:
        safe.learn(job(user=user), run_time, 0.0)
    assert safe.predict(job(user="ann"), 0.0) == 500.0
    assert safe.predict(job(user="bob"), 0.0) == 150.0
    # of all four jobs the one of rank 5 x 0.5, rounded up: 300, 50, 400 and 500 s, sorted
    assert safe.predict(job(user="eve"), 0.0) == 500.0


def test_predictions_at_the_submission_count_and_not_later_ones() -> None:
    says = Says(100.0)
    safe = around("safe", says, underestimated=0.5)
    safe.submitted(job("1"), 0.0)
    says.answer = 1.0
    safe.learn(job("1"), 150.0, 150.0)
    says.answer = 100.0
    assert safe.predict(job("2"), 150.0) == 150.0


def test_without_a_submission_the_prediction_before_learning_counts() -> None:
    proven = around("proven", PREDICTORS.make("pbs_v1"))
    for run_time in (100.0, 110.0):
        proven.learn(job(), run_time, run_time)
    # the first job was not predicted; the second to 100 s, which is nearer than 1000
    assert proven.predict(job(), 200.0) == 105.0


def test_proven_uses_the_predictor_only_where_walltimes_were_less_accurate() -> None:
    says = Says(100.0)
    proven = around("proven", says, at_least=2)
    for user, run_time in [("ann", 200.0), ("bob", 900.0), ("ann", 900.0), ("bob", 900.0)]:
        proven.learn(job(user=user), run_time, 0.0)
    # ann: |1000 - 200| + |1000 - 900| = 900 > |100 - 200| + |100 - 900|; bob: 200 < 1600
    assert proven.predict(job(user="ann"), 0.0) is None  # 900 is not more than 900
    proven.learn(job(user="ann"), 100.0, 0.0)
    assert proven.predict(job(user="ann"), 0.0) == 100.0
    assert proven.predict(job(user="bob"), 0.0) is None
    assert proven.predict(job(user="eve"), 0.0) is None


def test_proven_needs_enough_jobs_with_predictions() -> None:
    says = Says(None)
    proven = around("proven", says, at_least=2)
    proven.learn(job(), 100.0, 0.0)
    says.answer = 100.0
    proven.learn(job(), 100.0, 0.0)
    assert proven.predict(job(), 0.0) is None
    proven.learn(job(), 100.0, 0.0)
    assert proven.predict(job(), 0.0) == 100.0


def test_proven_cannot_compare_without_walltimes() -> None:
    proven = around("proven", Says(100.0))
    assert proven.predict(job(walltime=None), 0.0) == 100.0
    proven.learn(job(walltime=None), 100.0, 0.0)
    assert proven.predict(job(), 0.0) is None


def test_fallback_takes_the_first_prediction() -> None:
    assert around("fallback", Says(None), Says(5.0), Says(6.0)).predict(job(), 0.0) == 5.0
    assert around("fallback", Says(None)).predict(job(), 0.0) is None


def test_median_of_leaves_out_missing_predictions() -> None:
    assert around("median_of", Says(5.0), Says(None), Says(7.0)).predict(job(), 0.0) == 6.0
    assert around("median_of", Says(5.0), Says(9.0), Says(7.0)).predict(job(), 0.0) == 7.0
    assert around("median_of", Says(None)).predict(job(), 0.0) is None


def test_median_of_counts_each_prediction_as_an_estimate() -> None:
    # 5000 s are more than the walltime, -3 s less than a second
    assert around("median_of", Says(5000.0), Says(600.0)).predict(job(), 0.0) == 800.0
    assert around("median_of", Says(-3.0), Says(3.0)).predict(job(), 0.0) == 2.0


def test_geometric_mean_uses_the_available_estimates() -> None:
    mean = around("geometric_mean", Says(2.0), Says(None), Says(8.0))
    assert mean.predict(job(), 0.0) == pytest.approx(4.0, rel=1e-15)
    assert around("geometric_mean", Says(None)).predict(job(), 0.0) is None
    # 5000 s are more than the walltime of 1000, -3 s less than a second
    mean = around("geometric_mean", Says(5000.0), Says(-3.0), Says(1000.0))
    assert mean.predict(job(), 0.0) == pytest.approx(100.0, rel=1e-15)
    assert mean.predict(job(walltime=0.0), 0.0) == 0.0
    # (2 x 2 x 16) ^ (1 / 3), and without the first, 16
    first = Says(2.0)
    mean = around("geometric_mean", first, Says(16.0), weights=[2, 1])
    assert mean.predict(job(), 0.0) == pytest.approx(4.0, rel=1e-15)
    first.answer = None
    assert mean.predict(job(), 0.0) == pytest.approx(16.0, rel=1e-15)


def test_scaled_multiplies_only_known_predictions() -> None:
    says = Says(60.0)
    assert around("scaled", says, factor=0.5).predict(job(), 0.0) == 30.0
    says.answer = None
    assert around("scaled", says).predict(job(), 0.0) is None


@each_case(
    ("name", "method"), [("proven", "submitted"), ("median_of", "predict"), ("safe", "submitted")]
)
def test_a_prediction_that_is_not_a_number_is_an_error_with_the_job(name: str, method: str) -> None:
    options = {"underestimated": 0.1} if name == "safe" else {}
    wrapper = around(name, Says(float("nan")), **options)
    with pytest.raises(PredictorError, match="job '7': the predictor returned nan"):
        getattr(wrapper, method)(job(), 0.0)


@each_case("end", ["learn", "withdrawn"])
@each_case("name", ["safe", "proven"])
def test_stored_predictions_are_dropped_when_jobs_end_or_leave(name: str, end: str) -> None:
    options = {"underestimated": 0.1, "window": 10} if name == "safe" else {}
    wrapper = around(name, around(name, PREDICTORS.make("pbs_v1"), **options), **options)
    sizes = []
    for number in range(600):
        wrapper.submitted(job(f"{number}"), number)
        if end == "learn":
            wrapper.learn(job(f"{number}"), 60.0, number)
        else:
            wrapper.withdrawn(job(f"{number}"), number)
        sizes.append(len(pickle.dumps(wrapper)))
    assert max(sizes[300:]) <= max(sizes[:300])
