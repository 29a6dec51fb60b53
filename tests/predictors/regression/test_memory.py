import pickle

import pytest

from predictors import PREDICTORS, Submission
from tests.suites import each_case

LATELY = ["user", "name", "last_run_time_1", "mean_walltime", "running_jobs", "since_last_end"]
FEW = {"features": LATELY, "window": 60, "refit_every": None, "refit_jobs": 100, "min_jobs": 50}


@each_case(
    "spec",
    [
        {"name": "decision_tree", **FEW},
        {"name": "ada_boost", "trees": 3, **FEW},
        {"name": "gradient_boosting", "trees": 3, **FEW},
        {"name": "hist_gradient_boosting", "trees": 3, **FEW},
        {"name": "random_forest", "trees": 3, **FEW},
        {"name": "online_linear"},
    ],
)
@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_jobs(spec: dict[str, object]) -> None:
    predictor = PREDICTORS.make(spec)
    sizes = []
    for number in range(2000):
        now = 10.0 * number
        job = Submission(
            id=f"{number}", submit_time=now, processors=number % 7 + 1, walltime=3600.0,
            user=f"user{number % 9}", name=f"name {number:06}",
        )  # fmt: skip
        predictor.predict(job, now)
        predictor.submitted(job, now)
        if number % 10 == 0:
            predictor.withdrawn(job, now)
        else:
            predictor.started(job, now)
            predictor.learn(job, float(number * number % 600), now + 5.0)
        if number in {499, 1999}:
            sizes.append(len(pickle.dumps(predictor)))
    assert sizes[1] < 1.2 * sizes[0]
