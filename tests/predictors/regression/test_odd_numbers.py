import math

from predictors import PREDICTORS, Submission
from tests.suites import each_case

NAN, INF = math.nan, math.inf
SPECS = {
    "decision_tree": {"features": ["walltime", "memory", "mean_walltime", "mean_memory"]},
    "random_forest": {"trees": 3, "min_jobs": 4},
    "gradient_boosting": {"trees": 3, "min_jobs": 4, "target": "fraction"},
    "hist_gradient_boosting": {"trees": 3, "min_jobs": 4, "min_samples_leaf": 1},
    "ada_boost": {"trees": 3, "min_jobs": 4},
    "hoeffding_tree": {"target": "fraction"},
    "adaptive_forest": {"trees": 2},
    "online_linear": {},
}


@each_case("name", SPECS)
def test_nan_requests_are_unknown_and_infinite_ones_are_large(name: str) -> None:
    predictor = PREDICTORS.make({"name": name, **SPECS[name]})
    odd = [(NAN, 60.0), (4.0, NAN), (INF, 60.0), (4.0, INF), (-INF, 60.0), (1e300, 1e300)]
    for number, (memory, walltime) in enumerate([*odd, (4.0, 60.0)] * 3):
        job = Submission(
            id=f"{number}", submit_time=0.0, processors=4, walltime=walltime, memory=memory
        )
        predictor.submitted(job, 0.0)
        predictor.learn(job, 30.0 + number, 60.0)
        predicted = predictor.predict(job, 60.0)
        assert predicted is None or math.isfinite(predicted)
    usual = Submission(id="7", submit_time=90.0, processors=4, walltime=60.0, memory=4.0)
    assert math.isfinite(predictor.predict(usual, 90.0))
