import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import OptionError, Submission
from predictors.regression.on_rows import make_target
from tests.suites import each_case

JOB = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0)


@each_case("name", ["seconds", "log", "fraction"])
@given(run_time=st.floats(0, 1e9))
def test_a_run_time_comes_back(name: str, run_time: float) -> None:
    target = make_target(name)
    encoded = target.encode(run_time, JOB)
    assert encoded is not None
    assert target.decode(encoded, JOB) == pytest.approx(run_time, rel=1e-9, abs=1e-9)


def test_log_is_the_logarithm_and_does_not_overflow() -> None:
    target = make_target("log")
    assert target.encode(math.e - 1, JOB) == pytest.approx(1.0)
    assert target.encode(-5.0, JOB) == 0.0
    assert target.decode(1e6, JOB) == math.inf


@pytest.mark.parametrize("walltime", [None, 0.0])
def test_a_job_without_walltime_has_no_fraction(walltime: float | None) -> None:
    job = Submission(id="8", submit_time=0.0, processors=4, walltime=walltime)
    target = make_target("fraction")
    assert target.encode(60.0, job) is None
    assert target.decode(0.5, job) is None


def test_another_target_is_refused() -> None:
    with pytest.raises(OptionError, match="target 'logs' is not known: did you mean 'log'"):
        make_target("logs")
