"""Predictions that hold for a limited time: asked again when the job starts."""

import pytest

from predictors import Submission
from schedulers.backfilling import Backfilling
from schedulers.contract.playing import Played, Spec, play
from schedulers.core.backfilling import Easy
from schedulers.core.conservative import Conservative
from schedulers.core.corrections import Doubling
from schedulers.core.estimates import FromPredictor
from schedulers.core.orders import Fcfs
from schedulers.core.scheduler import ROLES, Scheduler
from tests.suites import each_case


class LastRunTime:
    """Predicts what the last job took; its predictions hold for some time."""

    def __init__(self, valid_for: float) -> None:
        self.valid_for = valid_for
        self.last: float | None = None

    def predict(self, submission: Submission, now: float) -> float | None:
        return self.last

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        self.last = run_time


def played(
    valid_for: float, backfilling: Backfilling, *specs: Spec
) -> tuple[Played, dict[str, float]]:
    policy = Scheduler(
        Fcfs(),
        backfilling,
        estimates=dict.fromkeys(ROLES, FromPredictor(LastRunTime(valid_for))),
        correction=Doubling(),
    )
    result = play(policy, specs, 2)
    assert policy.journal is not None
    return result, {row[0]: row[1] for row in policy.journal.rows()}


WAITS_990 = Spec("first", 0.0, 2, 1000.0), Spec("second", 10.0, 2, 600.0)


@each_case("backfilling", [Easy, Conservative])
@each_case(("valid_for", "estimate"), [(989.0, 1000.0), (990.0, 3600.0)])
def test_an_old_prediction_is_repeated_at_the_start(
    valid_for: float, estimate: float, backfilling: type[Backfilling]
) -> None:
    _, estimates = played(valid_for, backfilling(), *WAITS_990)
    assert estimates == {"first": 3600.0, "second": estimate}


@pytest.mark.parametrize("backfilling", [Easy, Conservative])
def test_waiting_jobs_are_planned_with_predictions_made_at_the_start(
    backfilling: type[Backfilling],
) -> None:
    # half starts at 1000, when it is known that jobs take 1000 s: until 2000 there is no room for
    # late, which is estimated at that, too; half's first estimate, the walltime, leaves room
    half = Spec("half", 10.0, 1, 800.0)
    whole = Spec("whole", 20.0, 2, 100.0)
    late = Spec("late", 1100.0, 1, 950.0)
    asked_again, _ = played(60.0, backfilling(), WAITS_990[0], half, whole, late)
    asked_once, _ = played(9e9, backfilling(), WAITS_990[0], half, whole, late)
    assert asked_once.starts["late"] == 1100.0
    assert asked_again.starts["late"] > asked_again.starts["whole"] == 1800.0
