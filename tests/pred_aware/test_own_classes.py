"""Classes of one's own that inherit from those of the package, or take their places."""

import pytest

import pred_aware
from predictors import LastTwo, PredictorError, Submission
from schedulers import Job
from schedulers.core.lowest_free import LowestFree
from tests.pred_aware.simulator.world import job, workload_of
from workload_tools.batsim.intervals import Intervals

JOBS = workload_of([job(n, n, 2, 100, 900) | {"user_id": "ann"} for n in range(5)], 4)


class Half(LastTwo):
    """Inherits what it learns, and answers with half of it, or a minute."""

    def predict(self, submission: Submission, now: float) -> float | None:
        learnt = super().predict(submission, now)
        return 60.0 if learnt is None else learnt / 2


class NotTheFirst(LowestFree):
    """Never gives the first processor away."""

    def __init__(self, processors: int) -> None:
        super().__init__(processors)
        super().allocate(1)

    def allocate(self, size: int) -> Intervals:
        return super().allocate(size)


def test_methods_overridden_by_a_users_class_are_called() -> None:
    mine = Half()
    run = pred_aware.simulate(JOBS, "easy_plus_plus", predictor=mine)
    assert set(run.jobs["first_estimate"]) == {60.0}
    for end in (100.0, 200.0):
        mine.learn(Job("w0!1", 0.0, 1, None, fields={"user_id": "ann"}).submission, 40.0, end)
    run = pred_aware.simulate(JOBS, "easy_plus_plus", predictor=mine)
    assert set(run.jobs["first_estimate"]) == {20.0}


def test_a_users_subclass_of_a_rule_chooses_the_processors() -> None:
    small = workload_of([job(1, 0, 2, 100, 900)], 4)
    run = pred_aware.simulate(small, "easy", allocation=NotTheFirst)
    assert run.jobs["allocated_resources"].tolist() == ["1-2"]


class Told:
    """Answers with what is no number."""

    def predict(self, submission: Submission, now: float) -> str:
        return "soon"

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        pass


def test_an_answer_of_a_wrong_type_is_an_error_that_names_the_part() -> None:
    with pytest.raises(PredictorError, match=r"Told'.*returned 'soon'; it must be a"):
        pred_aware.simulate(JOBS, "easy_plus_plus", predictor=Told)
