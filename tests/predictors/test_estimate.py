import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import PREDICTORS, PredictorError, Submission
from predictors.estimate import clamp
from tests.suites import each_case


def job(walltime: float | None) -> Submission:
    return Submission(id="42", submit_time=0.0, processors=1, walltime=walltime)


@each_case(
    ("prediction", "walltime", "estimate"),
    [
        (None, 3600.0, 3600.0),
        (None, None, 86400.0),
        (60.0, 3600.0, 60.0),
        (60, 3600.0, 60.0),
        (7200.0, 3600.0, 3600.0),
        (7200.0, None, 7200.0),
        (0.0, 3600.0, 1.0),
        (-5.0, None, 1.0),
        (0.2, 0.5, 0.5),
        (math.inf, 3600.0, 3600.0),
    ],
)
def test_predictions_are_bounded_as_expected(
    prediction: float | None, walltime: float | None, estimate: float
) -> None:
    assert clamp(prediction, job(walltime)) == estimate


def test_without_walltime_and_prediction_the_default_is_the_estimate() -> None:
    assert clamp(None, job(None), default=60.0) == 60.0


@each_case("walltime", [3600.0, None])
@each_case("prediction", [math.nan, -math.inf, "soon"])
def test_a_value_that_is_not_a_number_of_seconds_is_refused(
    prediction: float, walltime: float | None
) -> None:
    with pytest.raises(PredictorError, match="job '42': the predictor returned"):
        clamp(prediction, job(walltime))


def test_infinity_without_a_walltime_is_refused() -> None:
    with pytest.raises(PredictorError, match="job '42': the predictor returned inf"):
        clamp(math.inf, job(None))


@given(
    st.floats(allow_nan=False, allow_infinity=False) | st.none(),
    st.floats(min_value=1.0, max_value=1e9) | st.none(),
)
def test_an_estimate_is_between_one_second_and_the_walltime(
    prediction: float | None, walltime: float | None
) -> None:
    assert 1.0 <= clamp(prediction, job(walltime)) <= (walltime or math.inf)


@each_case("run_time", [math.nan, math.inf])
@each_case("name", ["decision_tree", "online_linear", "hoeffding_tree", "adaptive_forest"])
def test_a_run_time_that_is_not_a_number_is_refused(name: str, run_time: float) -> None:
    with pytest.raises(PredictorError, match="job '42': run time"):
        PREDICTORS.make(name).learn(job(60.0), run_time, 0.0)
