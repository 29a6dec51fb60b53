import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import OptionError
from predictors.online.linear import AsymmetricLoss
from tests.suites import each_case

SECONDS = st.floats(1.0, 1e6)


def cost(predicted: float, run_time: float, processors: int) -> float:
    """Gaussier et al. 2015, in hours."""
    error = (predicted - run_time) / 3600
    weight = 1 + math.log(processors * run_time)
    return weight * (error**2 if error > 0 else -error)


@given(predicted=SECONDS, run_time=SECONDS, processors=st.integers(1, 1000))
def test_the_derivative_equals_that_of_the_papers_loss(
    predicted: float, run_time: float, processors: int
) -> None:
    slope = AsymmetricLoss().derivative(predicted, run_time, processors=processors)
    step = 0.01
    # at the bend the two sides differ
    if abs(predicted - run_time) > step:
        above = cost(predicted + step / 2, run_time, processors)
        below = cost(predicted - step / 2, run_time, processors)
        assert slope == pytest.approx((above - below) / step * 3600, rel=1e-3, abs=1e-3)


def test_the_loss_of_an_exact_prediction_has_slope_zero() -> None:
    assert AsymmetricLoss().derivative(60.0, 60.0, processors=4) == 0.0


def test_the_two_sides_the_unit_and_the_weight_are_options() -> None:
    loss = AsymmetricLoss(over="absolute", under="squared", unit=1.0, weight="none")
    assert loss.derivative(70.0, 60.0, processors=4) == 1.0
    assert loss.derivative(50.0, 60.0, processors=4) == -20.0


def test_a_job_below_one_processor_second_has_weight_one() -> None:
    assert AsymmetricLoss(over="absolute").derivative(9.0, 0.0, processors=1) == 1.0


@each_case("options", [{"over": "cubic"}, {"under": 1}, {"unit": 0}, {"weight": "processors"}])
def test_invalid_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        AsymmetricLoss(**options)  # type: ignore[arg-type]
