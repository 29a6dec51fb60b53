import pickle
import random
from typing import Any

from predictors import PREDICTORS, Submission
from tests.suites import each_case

SPECS: list[dict[str, Any]] = [
    {"name": "pbs_v1"},
    {"name": "pbs_v3"},
    {"name": "ratio_combined", "jobs": 60},
    {"name": "similar"},
    {"name": "mean_user"},
    {"name": "percentile", "jobs": 60},
    {"name": "knn", "window": 60},
    {
        "name": "safe", "predictor": {"name": "proven"}, "underestimated": 0.1, "window": 60,
        "by": "user",
    },
    {"name": "median_of"},
]  # fmt: skip


@each_case("spec", SPECS)
def test_memory_does_not_grow_with_the_number_of_jobs(spec: dict[str, Any]) -> None:
    predictor = PREDICTORS.make(spec)
    rng = random.Random(1)  # noqa: S311 - no secret
    sizes = {}
    for number in range(1, 4001):
        submission = Submission(
            id=f"{number}", submit_time=float(number), processors=rng.randrange(1, 5),
            walltime=1000.0, user=f"u{rng.randrange(5)}", group=f"g{rng.randrange(2)}",
        )  # fmt: skip
        if hasattr(predictor, "submitted"):
            predictor.submitted(submission, float(number))
        predictor.learn(submission, rng.uniform(1.0, 1000.0), float(number))
        if number in (1000, 4000):
            sizes[number] = len(pickle.dumps(predictor))
    # larger numbers take a few bytes more
    assert sizes[4000] <= 1.01 * sizes[1000] + 20
