import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import PREDICTORS, OptionError, Submission
from predictors.regression.on_rows import make_target
from tests.suites import each_case

JOB = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0)


@each_case("name", ["seconds", "log", "fraction"])
@given(run_time=st.floats(0, 1e9))
def test_every_target_can_be_converted_back_into_the_run_time(name: str, run_time: float) -> None:
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
def test_a_job_without_a_walltime_has_no_fraction_of_it(walltime: float | None) -> None:
    job = Submission(id="8", submit_time=0.0, processors=4, walltime=walltime)
    target = make_target("fraction")
    assert target.encode(60.0, job) is None
    assert target.decode(0.5, job) is None


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(OptionError, match="target 'logs' is not known: did you mean 'log'"):
        make_target("logs")
    with pytest.raises(OptionError, match=r"target \[\] is not known"):
        PREDICTORS.make({"name": "decision_tree", "target": []})
    with pytest.raises(OptionError, match=r"target \['log', 'seconds'\] is not known"):
        PREDICTORS.make({"name": "hoeffding_tree", "target": ["log", "seconds"]})


def test_several_targets_make_the_geometric_mean_of_the_estimates() -> None:
    def predicted(target: str | list[str]) -> float:
        predictor = PREDICTORS.make(
            {"name": "decision_tree", "target": target, "features": ["user"], "min_jobs": 2}
        )
        for walltime, run_time in ((100.0, 90.0), (None, 5.0), (1000.0, 100.0)):
            learned = msgspec.structs.replace(JOB, walltime=walltime)
            # without a walltime there is no fraction, and with two targets nothing is learned
            if walltime is not None or "fraction" in target:
                predictor.learn(learned, run_time, 0.0)
        answer = predictor.predict(JOB, 1.0)
        assert answer is not None
        return answer

    seconds, fraction = predicted("seconds"), predicted("fraction")
    assert (seconds, fraction) == (95.0, 0.5 * 3600.0)
    assert predicted(["seconds", "fraction"]) == pytest.approx(math.sqrt(seconds * fraction))


def test_a_job_for_which_no_target_has_a_value_has_no_prediction() -> None:
    predictor = PREDICTORS.make(
        {"name": "decision_tree", "target": ["fraction", "fraction"], "min_jobs": 2}
    )
    for _ in range(2):
        predictor.learn(JOB, 60.0, 0.0)
    assert predictor.predict(msgspec.structs.replace(JOB, walltime=None), 1.0) is None
