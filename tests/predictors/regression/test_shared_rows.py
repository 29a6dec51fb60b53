"""Predictors that look at the same, and share their rows inside another, answer as on their own."""

import pickle
import random
from typing import Any

from predictors import PREDICTORS, Predictor, Submission

SPECS = [
    {"name": "log_boosting", "min_jobs": 20, "min_samples_leaf": 5, "refit_jobs": 100},
    {"name": "log_boosting", "target": "fraction", "min_jobs": 20, "min_samples_leaf": 5},
    {"name": "log_boosting", "target": "seconds", "features": ["user", "last_run_time_1"]},
]


def jobs(number: int) -> list[Submission]:
    chance = random.Random(3)  # noqa: S311 - a seeded choice
    return [
        Submission(
            id=f"{place}", submit_time=60.0 * place, processors=chance.randint(1, 3),
            walltime=chance.choice((None, 600.0, 3600.0)), user=chance.choice(("ann", "bob", None)),
        )
        for place in range(number)
    ]  # fmt: skip


def answers(predictor: Any, submissions: list[Submission]) -> list[float | None]:  # noqa: ANN401
    """Submit jobs one after the other; the tenth before starts, and the twentieth before ends."""
    given = []
    for place, job in enumerate(submissions):
        now = job.submit_time
        given += [predictor.predict(job, now), predictor.predict(job, now)]
        if place % 17 == 5:
            predictor.withdrawn(job, now)
            continue
        predictor.submitted(job, now)
        if place >= 10 and place % 17 != 15:
            predictor.started(submissions[place - 10], now)
        if place >= 20:
            ended = submissions[place - 20]
            predictor.learn(ended, 30.0 * ended.processors + place % 7, now)
            # a job may end, and be told to have, twice
            if place % 11 == 0:
                predictor.learn(ended, 40.0, now)
    return given


def mean_of(predictors: list[Any]) -> Predictor:
    made: Predictor = PREDICTORS.make({"name": "geometric_mean", "predictors": predictors})
    return made


def test_answers_are_those_of_predictors_that_share_nothing() -> None:
    submissions = jobs(200)
    sharing = mean_of(SPECS)
    alone = mean_of([PREDICTORS.make(spec) for spec in SPECS])
    given = answers(sharing, submissions)
    assert given == answers(alone, submissions)
    assert len(set(given)) > 60


def test_a_copy_shares_with_nobody_else() -> None:
    submissions = jobs(140)
    first = mean_of(SPECS)
    early = answers(first, submissions[:70])
    copy = pickle.loads(pickle.dumps(first))  # noqa: S301 - our own
    late = answers(first, submissions[70:])
    assert answers(copy, submissions[70:]) == late
    assert early + late != late + early
