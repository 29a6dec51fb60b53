"""What every predictor must do, whoever wrote it: all that are found by entry point."""

import inspect
import json
import math
import os
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

import pytest
from msgspec.structs import fields, replace

from predictors import PREDICTORS, Predictor, PredictorError, Submission
from predictors.errors import MissingLibraryError
from predictors.estimate import clamp
from tests.other_process import in_another_process
from tests.suites import Check, Checks, each_case

DAY = 86400.0
HORIZON = 5 * DAY
OPTIONAL_METHODS = ("submitted", "started", "withdrawn")

Make = Callable[[], Predictor]
check = Checks()


class PastJob(NamedTuple):
    submission: Submission
    run_time: float

    @property
    def end(self) -> float:
        return self.submission.submit_time + self.run_time


@cache
def make_jobs(number: int = 200, seed: int = 1) -> tuple[PastJob, ...]:
    rng = random.Random(seed)  # noqa: S311 - no secret
    jobs = []
    for index in range(number):
        walltime = rng.choice([600.0, 3600.0, 43200.0])
        submission = Submission(
            id=f"{index}", submit_time=rng.uniform(0.0, HORIZON), processors=2 ** rng.randrange(8),
            walltime=walltime, user=f"u{rng.randrange(9)}",
            queue=rng.choice(["short", "long", None]), name=rng.choice(["relax", "train", "post"]),
            memory=rng.choice([None, 4.5, 0.1]), project=f"p{rng.randrange(3)}",
        )  # fmt: skip
        jobs.append(PastJob(submission, rng.uniform(1.0, walltime)))
    return tuple(jobs)


def replay(
    predictor: Predictor, jobs: Sequence[PastJob], *, until: float = math.inf, asks: int = 1
) -> Iterator[float | None]:
    """Tell a predictor what happens, in order, and yield what it predicts at each submission."""
    moments = [(job.submission.submit_time, 1, job) for job in jobs]
    moments += [(job.end, 0, job) for job in jobs]
    for now, is_submission, job in sorted(moments, key=lambda moment: moment[:2]):
        if now >= until:
            return
        if not is_submission:
            predictor.learn(job.submission, job.run_time, now)
            continue
        answers = [predictor.predict(job.submission, now) for _ in range(asks)]
        yield answers[-1] if answers else None
        tell(predictor, "submitted", job.submission, now)
        tell(predictor, "started", job.submission, now)


def tell(predictor: Predictor, method: str, submission: Submission, now: float) -> None:
    if hasattr(predictor, method):
        getattr(predictor, method)(submission, now)


class Case:
    """A predictor to check; what it answers and then knows of the usual jobs is found once."""

    def __init__(self, make: Make) -> None:
        self.make = make

    @cached_property
    def _after_the_usual_jobs(self) -> tuple[list[float | None], Predictor]:
        predictor = self.make()
        return list(replay(predictor, make_jobs())), predictor

    @property
    def answers(self) -> list[float | None]:
        return self._after_the_usual_jobs[0]

    @property
    def original(self) -> Predictor:
        """The one that has seen the usual jobs; not to be changed."""
        return self._after_the_usual_jobs[1]

    def warmed(self) -> Predictor:
        """A copy of it."""
        copy: Predictor = pickle.loads(pickle.dumps(self.original))  # noqa: S301 - our own bytes
        return copy


def a_job(**known: object) -> Submission:
    return replace(make_jobs(1)[0].submission, **known)


def assert_usable(prediction: float | None, submission: Submission) -> None:
    assert prediction is None or math.isfinite(prediction)
    estimate = clamp(prediction, submission)
    assert 1.0 <= estimate <= (submission.walltime or math.inf)
    assert math.isfinite(estimate)


@check
def no_run_time_is_seen_before_its_time(case: Case) -> None:
    jobs, date = make_jobs(), HORIZON / 2
    run_times = [job.run_time for job in jobs if job.end >= date]
    changed = [
        job._replace(run_time=max(0.0, date - job.submission.submit_time) + run_times.pop())
        if job.end >= date
        else job
        for job in jobs
    ]
    assert changed != list(jobs)
    asked_before = sum(job.submission.submit_time < date for job in jobs)
    # the first goes on to the end: what it knew would show if it were kept for the next
    first = case.answers
    assert list(replay(case.make(), changed, until=date)) == first[:asked_before]


@check
def the_same_question_has_the_same_answer(case: Case) -> None:
    predictor = case.warmed()
    submission = a_job()
    others = [job.submission for job in make_jobs(50, seed=2)]
    answer = predictor.predict(submission, HORIZON)
    elsewhere = [predictor.predict(other, HORIZON) for other in others]
    assert predictor.predict(submission, HORIZON) == answer
    assert [predictor.predict(other, HORIZON) for other in others] == elsewhere


@check
def the_same_jobs_give_the_same_answers_and_asking_changes_nothing(case: Case) -> None:
    assert list(replay(case.make(), make_jobs(), asks=3)) == case.answers
    silent, asked = case.make(), case.original
    for _ in replay(silent, make_jobs(), asks=0):
        pass
    for submission in (job.submission for job in make_jobs(50, seed=2)):
        assert silent.predict(submission, HORIZON) == asked.predict(submission, HORIZON)


@check
def a_pickled_copy_predicts_the_same(case: Case) -> None:
    predictor, copy = case.original, case.warmed()
    for submission in (job.submission for job in make_jobs(50, seed=2)):
        assert copy.predict(submission, HORIZON) == predictor.predict(submission, HORIZON)


@check
def a_cold_start_is_no_error(case: Case) -> None:
    submission = a_job()
    assert_usable(case.make().predict(submission, 0.0), submission)


@check
def an_unknown_user_is_no_error(case: Case) -> None:
    submission = a_job(user="never seen", queue="new", name="new")
    assert_usable(case.warmed().predict(submission, HORIZON), submission)


@check
def a_job_of_which_little_is_known_is_no_error(case: Case) -> None:
    optional = [field.name for field in fields(Submission) if field.default is None]
    submission = a_job(**dict.fromkeys(optional))
    predictor = case.warmed()
    assert_usable(predictor.predict(submission, HORIZON), submission)
    predictor.learn(submission, 60.0, HORIZON + 60.0)
    assert_usable(predictor.predict(submission, HORIZON + 2 * DAY), submission)


@check
def a_job_without_walltime_is_no_error(case: Case) -> None:
    jobs = [PastJob(replace(job.submission, walltime=None), job.run_time) for job in make_jobs()]
    for prediction in replay(case.make(), jobs):
        assert_usable(prediction, jobs[0].submission)


@check
def jobs_may_be_learned_in_any_order(case: Case) -> None:
    jobs = list(make_jobs())
    random.Random(3).shuffle(jobs)  # noqa: S311 - no secret
    predictor = case.make()
    for job in jobs:
        predictor.learn(job.submission, job.run_time, job.end)
        assert_usable(predictor.predict(job.submission, job.end), job.submission)


@check
def every_estimate_is_between_a_second_and_the_walltime(case: Case) -> None:
    jobs = sorted(make_jobs(), key=lambda job: job.submission.submit_time)
    for job, prediction in zip(jobs, case.answers, strict=True):
        assert_usable(prediction, job.submission)


@check
def extreme_run_times_are_no_error(case: Case) -> None:
    jobs = [PastJob(job.submission, 0.0 if job.run_time < 900 else 1e9) for job in make_jobs()]
    predictor = case.make()
    for _ in replay(predictor, jobs):
        pass
    for job in jobs:
        assert_usable(predictor.predict(job.submission, 2e9), job.submission)


@check
def optional_methods_take_a_submission_and_a_date(case: Case) -> None:
    predictor, submission = case.make(), a_job()
    for method in OPTIONAL_METHODS:
        tell(predictor, method, submission, 0.0)
    assert_usable(predictor.predict(submission, 0.0), submission)


@check
def a_walltime_of_zero_is_no_error(case: Case) -> None:
    predictor, submission = case.warmed(), a_job(walltime=0.0)
    assert clamp(predictor.predict(submission, HORIZON), submission) == 0.0
    predictor.learn(submission, 0.0, HORIZON)
    assert_usable(predictor.predict(a_job(), HORIZON + 2 * DAY), a_job())


@check
def a_name_of_any_length_is_no_error(case: Case) -> None:
    predictor, submission = case.warmed(), a_job(user="x" * 10_000, name="ß\x00\n" * 1000)
    assert_usable(predictor.predict(submission, HORIZON), submission)
    predictor.learn(submission, 60.0, HORIZON + 60.0)
    assert_usable(predictor.predict(submission, HORIZON + 2 * DAY), submission)


@check
def a_run_time_that_is_no_number_does_no_harm(case: Case) -> None:
    predictor = case.warmed()
    for run_time in (math.nan, math.inf, -math.inf):
        with suppress(PredictorError):
            predictor.learn(a_job(), run_time, HORIZON)
    for submission in (job.submission for job in make_jobs(50, seed=2)):
        assert_usable(predictor.predict(submission, HORIZON + 2 * DAY), submission)


@check
def its_options_come_back_and_make_the_same_again(case: Case) -> None:
    jobs, first = make_jobs(60), case.make()
    described = PREDICTORS.describe(first)
    assert set(described) == {"name", *inspect.signature(type(first)).parameters}
    again = PREDICTORS.make(json.loads(json.dumps(described)))
    assert PREDICTORS.describe(again) == described
    assert list(replay(again, jobs)) == list(replay(first, jobs))


NESTED: dict[str, dict[str, Any]] = {
    "safe(safe(last_two))": {
        "name": "safe",
        "predictor": {"name": "safe", "predictor": "last_two", "underestimated": 0.2},
        "margin": 60,
    },
    "safe(proven(knn))": {
        "name": "safe",
        "predictor": {"name": "proven", "predictor": {"name": "knn", "k": 3}, "at_least": 2},
        "underestimated": 0.1,
        "by": "user",
    },
    "proven(fallback(ratio_user, safe(similar)))": {
        "name": "proven",
        "predictor": {
            "name": "fallback",
            "predictors": ["ratio_user", {"name": "safe", "predictor": "similar"}],
        },
    },
    "fallback(proven(decision_tree), median_of(pbs_v3, percentile))": {
        "name": "fallback",
        "predictors": [
            {"name": "proven", "predictor": "decision_tree"},
            {"name": "median_of", "predictors": ["pbs_v3", {"name": "percentile", "by": "queue"}]},
        ],
    },
    "median_of(safe(pbs_released), proven(mean_user), walltime)": {
        "name": "median_of",
        "predictors": [
            {"name": "safe", "predictor": "pbs_released", "underestimated": 0.5},
            {"name": "proven", "predictor": "mean_user", "by": "queue"},
            "walltime",
        ],
    },
}
LATELY = [
    "user", "walltime", "hour", "weekday", "last_run_time_1", "last_run_time_3", "mean_run_time",
    "since_last_end", "mean_processors", "mean_memory", "since_last_submission", "running_jobs",
    "running_processors", "longest_running", "sum_running", "waiting_jobs",
]  # fmt: skip
WITH_OPTIONS: dict[str, dict[str, Any]] = {
    "decision_tree(lately, fraction)": {
        "name": "decision_tree", "features": LATELY, "target": "fraction", "refit_jobs": 50,
    },
    "hoeffding_tree(lately, log)": {
        "name": "hoeffding_tree", "features": LATELY, "target": "log", "grace_period": 20,
    },
    "safe(decision_tree(once, lately))": {
        "name": "safe",
        "predictor": {
            "name": "decision_tree", "features": LATELY, "refit_every": None, "min_jobs": 30,
        },
    },
}  # fmt: skip
SMALL: dict[str, dict[str, Any]] = {
    # what a hundred trees do ten do too
    name: {"name": name, "trees": 10}
    for name in ("ada_boost", "gradient_boosting", "hist_gradient_boosting", "random_forest")
} | {"log_boosting": {"name": "log_boosting", "trees": 10, "min_samples_leaf": 5}}
SPECS: dict[str, str | dict[str, Any]] = {
    **{name: SMALL.get(name, name) for name in PREDICTORS.names()},
    **NESTED,
    **WITH_OPTIONS,
}


@pytest.mark.parametrize("name", SPECS)
def test_a_predictor_keeps_the_contract(name: str) -> None:
    try:
        PREDICTORS.make(SPECS[name])
    except MissingLibraryError as error:
        pytest.skip(str(error))
    check.run(name, Case(lambda: PREDICTORS.make(SPECS[name])))


class Remembers:
    """Cheats: what one of its instances learned, all know."""

    run_times: ClassVar[dict[str, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        return self.run_times.get(submission.id)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        self.run_times[submission.id] = run_time


class Counts:
    """Cheats: each question changes the next answer."""

    def __init__(self) -> None:
        self.asked = 0

    def predict(self, submission: Submission, now: float) -> float | None:
        self.asked += 1
        return float(self.asked)

    def learn(self, submission: Submission, run_time: float, now: float) -> None: ...


class Misremembers:
    """Cheats: what it tells of its option is not what it goes by."""

    def __init__(self, *, seconds: float = 60.0) -> None:
        self.seconds = 60.0
        self._used = seconds

    def predict(self, submission: Submission, now: float) -> float | None:
        return self._used

    def learn(self, submission: Submission, run_time: float, now: float) -> None: ...


@each_case(
    ("cheat", "violated"),
    [
        (Remembers, no_run_time_is_seen_before_its_time),
        (Remembers, the_same_jobs_give_the_same_answers_and_asking_changes_nothing),
        (Counts, the_same_question_has_the_same_answer),
        (Counts, the_same_jobs_give_the_same_answers_and_asking_changes_nothing),
        (lambda: Misremembers(seconds=5.0), its_options_come_back_and_make_the_same_again),
    ],
)
def test_a_predictor_that_uses_the_future_is_detected(cheat: Make, violated: Check) -> None:
    Remembers.run_times.clear()
    with pytest.raises(AssertionError):
        violated(Case(cheat))


class Scatters:
    """Cheats: answers by a set's order, which is another in each process."""

    def predict(self, submission: Submission, now: float) -> float:
        return float(len(next(iter({"a", "bb", "ccc", "dddd", "eeeee", submission.id}))))

    def learn(self, submission: Submission, run_time: float, now: float) -> None: ...


PREDICTIONS = """
import json
from tests.predictors.test_contract import predictions_of_all
print(json.dumps(predictions_of_all()))
"""
# those that answer only after many jobs answer after a few here
EARLY = {
    name: {"name": name, "at_least": 2}
    for name in ("ratio_combined", "ratio_project", "ratio_user")
}


@pytest.mark.slow
def test_no_prediction_depends_on_the_hash_seed() -> None:
    pytest.importorskip("river", reason="river is not installed: pip install river")
    here = predictions_of_all()
    other_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = json.loads(in_another_process(PREDICTIONS, PYTHONHASHSEED=other_seed))
    different = [label for label in here if here[label] != elsewhere[label]]
    assert different == ["Scatters, a cheat"]
    assert here.keys() == {*SPECS, "Scatters, a cheat"}
    assert [label for label, said in here.items() if not any(said)] == ["walltime"]


def predictions_of_all() -> dict[str, list[float | None]]:
    predictors = {label: PREDICTORS.make(EARLY.get(label, spec)) for label, spec in SPECS.items()}
    predictors["Scatters, a cheat"] = Scatters()
    return {
        label: list(replay(predictor, make_jobs(60))) for label, predictor in predictors.items()
    }
