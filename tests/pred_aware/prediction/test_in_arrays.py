"""What compiled loops predict in a replay is to the last bit what predictors predict one by one."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import pred_aware as pa
from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction import in_arrays
from pred_aware.prediction.candidate import candidates_of
from pred_aware.prediction.predictions import Predictions
from pred_aware.prediction.replay import replay
from predictors.compile_cache import VARIABLE
from tests.pred_aware.api.synthetic_log import write_log
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)
SMALL = {"trees": 5, "min_jobs": 10, "refit_every": 900}
PREDICTORS: dict[str, Any] = {
    "knn": "knn",
    "boosting": {"name": "log_boosting", **SMALL},
    "fractions": {"name": "log_boosting", "target": "fraction", **SMALL},
    "tree": {"name": "decision_tree", "window": 40, "refit_every": 900},
    "mean": {
        "name": "geometric_mean",
        "predictors": [{"name": "log_boosting", **SMALL}, {"name": "knn", "k": 2}],
    },
}


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PastJobs:
    monkeypatch.setenv(VARIABLE, "arrays")
    log = pa.read_log(write_log(tmp_path / "made.swf", jobs=150, missing=0.1))
    # some run beyond their walltimes, some for no time, and some come together
    chance = np.random.default_rng(1)
    return past_jobs(
        [
            replace(
                job,
                run_time=job.run_time * float(chance.choice([0.0, 1.0, 1.0, 1.0, 4.0])),
                submit_time=job.submit_time - job.submit_time % 60.0,
            )
            for job in log.machine.jobs
        ]
    )


def both(
    jobs: PastJobs, predictor: object, monkeypatch: pytest.MonkeyPatch, *, lag: float = 0.0
) -> list[Predictions]:
    """Replay in arrays, which must be possible, and job by job."""
    [candidate] = candidates_of(predictor)
    source: Any = candidate.make()
    found = in_arrays.replayed_in_arrays(jobs, candidate, source, lag=lag, progress=lambda _: None)
    assert found is not None
    monkeypatch.setattr(in_arrays, "replayed_in_arrays", lambda *_, **__: None)
    [one_by_one] = replay(jobs, [candidate], lag=lag)
    monkeypatch.undo()
    return [found, one_by_one]


@each_case("lag", [0.0, 45.0])
@each_case("name", PREDICTORS)
def test_estimates_are_the_same(
    jobs: PastJobs, name: str, lag: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, expected = both(jobs, PREDICTORS[name], monkeypatch, lag=lag)

    assert found.estimates.tolist() == expected.estimates.tolist()
    assert len(set(found.estimates.tolist())) > 10
    assert found.places.tolist() == expected.places.tolist()
    assert not found.asked_again.any()


def test_a_date_is_timed_with_what_is_learned_before_it(
    jobs: PastJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    timing = both(jobs, "knn", monkeypatch)[0].timing

    assert timing.learn_median is None
    assert timing.predict_median is not None
    assert 0.0 < timing.predict_median < 1e6 * timing.predict_total


@each_case("predictor", ["last_two", "random_forest"])
def test_predictors_that_are_not_covered_are_left(jobs: PastJobs, predictor: str) -> None:
    [candidate] = candidates_of(predictor)
    source: Any = candidate.make()

    assert (
        in_arrays.replayed_in_arrays(jobs, candidate, source, lag=0.0, progress=lambda _: None)
        is None
    )


def test_run_times_that_are_no_difference_of_dates_are_left(jobs: PastJobs) -> None:
    [candidate] = candidates_of("knn")
    source: Any = candidate.make()
    jobs.run_times[3] += 1e-7

    assert (
        in_arrays.replayed_in_arrays(jobs, candidate, source, lag=0.0, progress=lambda _: None)
        is None
    )
