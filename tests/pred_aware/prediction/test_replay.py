import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction.candidate import Candidate, read_candidates
from pred_aware.prediction.replay import replay
from predictors import PredictorError, Submission
from predictors.submission import PastJob
from schedulers.errors import SchedulerError
from tests.pred_aware.prediction.conftest import make_job, random_jobs
from tests.suites import each_case

HERE = "tests.pred_aware.prediction.test_replay"
TOLD: list[tuple[str, str, float]] = []


class Listener:
    """Stores its calls with their dates."""

    valid_for = 20.0

    def __init__(self) -> None:
        TOLD.clear()

    def predict(self, submission: Submission, now: float) -> float:
        TOLD.append(("predict", submission.id, now))
        return now + 5.0

    def submitted(self, submission: Submission, now: float) -> None:
        TOLD.append(("submitted", submission.id, now))

    def started(self, submission: Submission, now: float) -> None:
        TOLD.append(("started", submission.id, now))

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        TOLD.append((f"learn {run_time}", submission.id, now))


class Broken:
    def predict(self, submission: Submission, now: float) -> float:
        raise RuntimeError(f"no idea of {submission.id} at {now}")

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn nothing."""


class Endless:
    def predict(self, submission: Submission, now: float) -> float:
        return float("nan")

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn nothing."""


def test_each_job_is_predicted_and_learned_once_and_in_order() -> None:
    jobs = past_jobs([make_job(1, 0, 70, walltime=60.0), make_job(2, 10, 5, wait_time=21.0)])
    (found,) = replay(jobs, [Candidate("it", f"{HERE}:Listener")])
    assert TOLD == [
        ("predict", "1", 0.0),
        ("submitted", "1", 0.0),
        ("started", "1", 0.0),
        ("predict", "2", 10.0),
        ("submitted", "2", 10.0),
        ("predict", "2", 31.0),
        ("started", "2", 31.0),
        ("learn 5.0", "2", 36.0),
        ("learn 70.0", "1", 70.0),
    ]
    assert found.estimates.tolist() == [5.0, 15.0]
    assert found.at_start.tolist() == [5.0, 36.0]
    assert found.asked_again.tolist() == [False, True]


def plain_last_two(jobs: PastJobs) -> list[float]:
    """Predict with sorted lists: the ended jobs of the user, the last two by end."""
    estimates = []
    for submission in jobs.submissions:
        known = sorted(
            (end, start, place)
            for place, (start, end) in enumerate(zip(jobs.start_times, jobs.end_times, strict=True))
            if jobs.submissions[place].user == submission.user is not None
            and end <= submission.submit_time
        )
        run_times = [jobs.run_times[place] for _, _, place in known[-2:]]
        limit = submission.walltime
        guess = sum(run_times) / 2 if len(run_times) == 2 else limit or 86400.0
        estimates.append(max(1.0, guess if limit is None else min(limit, guess)))
    return estimates


@given(st.integers(0, 2**32))
def test_last_two_equals_a_plain_computation(seed: int) -> None:
    jobs = past_jobs(random_jobs(seed, 60))
    (found,) = replay(jobs, read_candidates(["last_two"]))
    assert found.estimates.tolist() == plain_last_two(jobs)


def test_several_predictors_give_the_estimates_of_each_alone(jobs: PastJobs) -> None:
    together = replay(jobs, read_candidates(["last_two", "decision_tree", "walltime"]))
    for found in together:
        (alone,) = replay(jobs, [found.candidate])
        assert found.estimates.tolist() == alone.estimates.tolist()


def test_actual_estimates_the_run_time_up_to_the_walltime() -> None:
    jobs = past_jobs([make_job(1, 0, 70, walltime=60.0), make_job(2, 0, 5)])
    found, half = replay(jobs, read_candidates(["actual", '{"name": "accuracy", "a": 0.5}']))
    assert found.estimates.tolist() == [60.0, 5.0]
    assert half.estimates.tolist() == [60.0, 1802.5]


def test_histories_and_warm_up_jobs_are_learned_but_do_not_count() -> None:
    jobs = past_jobs([make_job(1, 0, 70)])
    past = Submission(id="0", submit_time=-90.0, processors=1, user="ann")
    history = [PastJob(past, 20.0, -9.0), PastJob(past, 40.0, 0.0)]
    (found,) = replay(jobs, read_candidates(["last_two"]), history=history)
    assert found.estimates.tolist() == [30.0]
    # warm-up jobs are learned but do not count
    jobs = past_jobs([make_job(1, 0, 20, warm_up=True), make_job(2, 0, 40), make_job(3, 50, 9)])
    (found,) = replay(jobs, read_candidates(["last_two"]))
    assert (found.places.tolist(), found.estimates.tolist()) == ([1, 2], [3600.0, 30.0])


@each_case(
    ("name", "error", "words"),
    [
        ("Broken", SchedulerError, "failed on job '1': RuntimeError: no idea of 1 at 0.0"),
        ("Endless", PredictorError, "job '1': the predictor returned nan"),
    ],
)
def test_a_failing_predictor_is_named_with_the_job(
    name: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=f"{name}.*{words}"):
        replay(past_jobs([make_job(1, 0, 9)]), [Candidate("it", f"{HERE}:{name}")])


@each_case(
    ("arguments", "words"),
    [
        ([], "at least once"),
        (["last_two", "last_two"], "two predictors have the name 'last_two'"),
        (['{"name": '], "is not JSON"),
    ],
)
def test_invalid_predictor_arguments_are_refused(arguments: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_candidates(arguments)


@each_case(
    ("argument", "label", "specification"),
    [
        ("last_two", "last_two", "last_two"),
        ("a=b:C", "a", "b:C"),
        ('{"name": "knn", "k": 1}', "knn", {"name": "knn", "k": 1}),
        ('k={"name": "knn", "x": "a=b"}', "k", {"name": "knn", "x": "a=b"}),
    ],
)
def test_predictors_can_have_labels(argument: str, label: str, specification: object) -> None:
    (asked,) = read_candidates([argument])
    assert (asked.label, asked.specification) == (label, specification)


def test_a_job_is_learned_after_the_lag() -> None:
    jobs = past_jobs([make_job(1, 0, 10), make_job(2, 14, 10), make_job(3, 15, 10)])
    replay(jobs, [Candidate("it", f"{HERE}:Listener")], lag=5.0)
    told = [(what, name) for what, name, _ in TOLD if what in ("predict", "learn 10.0")]
    assert told[:4] == [("predict", "1"), ("predict", "2"), ("learn 10.0", "1"), ("predict", "3")]
