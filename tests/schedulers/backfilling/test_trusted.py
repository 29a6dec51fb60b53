"""Estimates that are used only while they tell short jobs from long ones."""

import random
from typing import Any

import pytest

from predictors import OptionError
from schedulers import make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.core.job import Job
from schedulers.core.scheduler import Scheduler
from schedulers.core.trusted import NEIGHBOURS, Concordance
from schedulers.journal import TrustLog
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case

NOTHING = {"name": "constant", "seconds": 1}
BY_ESTIMATES: dict[str, Any] = {
    "order": "lxf",
    "backfilling": {"name": "easy", "candidates": "shortest"},
    "call_margin": 0,
}


def estimates(source: object) -> dict[str, Any]:
    return {"queueing": source, "backfilling": source}


def many(number: int, *, seed: int = 1) -> list[Spec]:
    """A queue that is never empty, of jobs from a second to half an hour with wild walltimes."""
    chance = random.Random(seed)  # noqa: S311 - a seeded choice
    specs = []
    for place in range(number):
        duration = int(chance.choice((1, 60, 1800)) * chance.uniform(1, 1.5))
        walltime = duration * chance.randint(1, 100)
        size = chance.randint(1, PROCESSORS)
        specs.append(Spec(f"w0!{place}", 200 * place, size, duration, walltime))
    return specs


def played(specs: list[Spec], source: object, **options: object) -> tuple[Played, TrustLog | None]:
    policy = make_policy("policy", {**BY_ESTIMATES, "estimates": estimates(source), **options})
    assert isinstance(policy, Scheduler)
    return play(policy, specs, PROCESSORS), policy.trust_log


def test_before_enough_jobs_the_schedules_are_those_of_easy() -> None:
    for specs in workloads(80):
        easy = play(make_policy("easy", {"call_margin": 0}), specs, PROCESSORS)
        for source in ("actual", NOTHING):
            schedule, log = played(specs, source, min_concordance=0.55)
            assert schedule.starts == easy.starts
            assert log is not None
            assert not log.trusted(float("inf"))


def test_uninformative_estimates_give_the_schedule_of_easy() -> None:
    specs = many(600)
    easy = play(make_policy("easy", {"call_margin": 0}), specs, PROCESSORS)
    assert played(specs, NOTHING, min_concordance=0.55)[0].starts == easy.starts
    assert played(specs, NOTHING)[0].starts != easy.starts


def test_correct_estimates_are_used_after_enough_ended_jobs() -> None:
    specs = many(600)
    always, _ = played(specs, "actual")
    schedule, log = played(specs, "actual", min_concordance=0.55)
    assert log is not None
    rows = "".join(log.text()).splitlines()
    assert len(rows) == 2
    gained = float(rows[1].split(",")[0])
    easy = play(make_policy("easy", {"call_margin": 0}), specs, PROCESSORS)
    early = [one.id for one in specs if max(schedule.starts[one.id], easy.starts[one.id]) < gained]
    assert 50 < len(early) < 500
    assert all(schedule.starts[name] == easy.starts[name] for name in early)
    waits = [
        sum(one.starts[spec.id] - spec.submit for spec in specs) for one in (always, schedule, easy)
    ]
    assert waits[0] < waits[1] < waits[2]


class Breaking:
    """Knows run times until it breaks down, and the opposite from then on."""

    needs_fields = True
    valid_for = float("inf")

    def __init__(self) -> None:
        self._asked = 0

    def estimate(self, job: Job, now: float) -> float:
        self._asked += 1
        run_time = job.delay or 0.0
        return run_time if self._asked < 800 else max(1.0, 3000.0 - run_time)


def test_a_predictor_that_breaks_down_loses_trust() -> None:
    _, log = played(many(1600), Breaking, min_concordance=0.55)
    assert log is not None
    columns, gained, lost = "".join(log.text()).splitlines()
    assert columns == "time,trusted,concordance,concordance_of_walltimes"
    assert gained.split(",")[1:3] == ["1", "1.0000"]
    assert lost.split(",")[1] == "0"


def test_estimates_far_worse_than_the_walltimes_gain_no_trust() -> None:
    chance = random.Random(1)  # noqa: S311 - a seeded choice
    seen = Concordance()
    for _ in range(2000):
        run_time = chance.uniform(10.0, 5000.0)
        told = chance.random() < 0.3
        seen.ended(run_time if told else chance.uniform(10.0, 5000.0), run_time, run_time)
    assert 0.55 < seen.of_estimates() < 0.8
    assert seen.of_walltimes() == 1.0


def test_concordance_equals_its_definition_over_all_pairs() -> None:
    chance = random.Random(2)  # noqa: S311 - a seeded choice
    ended = [(chance.choice((5.0, 60.0, 900.0)), chance.expovariate(0.01)) for _ in range(300)]
    seen = Concordance(jobs=100, pairs=1)
    for estimate, run_time in ended:
        seen.ended(estimate, run_time, 1.0)
    right = pairs = 0.0
    for place in range(200, 300):
        for other in range(place - NEIGHBOURS, place):
            (short, a), (long, b) = sorted((ended[place], ended[other]), key=lambda one: one[1])
            if max(b, 10.0) >= 2 * max(a, 10.0):
                pairs += 1
                right += 1.0 if short < long else 0.5 if short == long else 0.0
    assert seen.of_estimates() == pytest.approx(right / pairs)
    assert seen.of_walltimes() == 0.5


def test_run_times_below_ten_seconds_count_as_ten_seconds() -> None:
    seen = Concordance(pairs=1)
    for run_time in (1.0, 9.0, 19.0):
        seen.ended(run_time, run_time, 60.0)
    assert seen.of_estimates() == 0.5
    seen.ended(20.0, 20.0, 60.0)
    assert seen.of_estimates() == 1.0


def test_equal_estimates_count_as_half() -> None:
    seen = Concordance(pairs=1)
    # of the three pairs one is right, and two are equal
    for estimate, run_time in ((60.0, 10.0), (60.0, 30.0), (60.0, 60.0)):
        seen.ended(estimate, run_time, 60.0)
    assert seen.of_estimates() == 0.5
    seen.ended(30.0, 10.0, 60.0)
    assert seen.of_estimates() == pytest.approx((3 * 0.5 + 2) / 5)


def test_with_fewer_than_a_thousand_pairs_there_is_no_concordance() -> None:
    seen, pairs = Concordance(), 0
    for place in range(200):
        run_time = (10.0, 100.0)[place % 2]
        seen.ended(run_time, run_time, 3600.0)
        # every other one of those before it
        pairs += (min(place, NEIGHBOURS) + 1) // 2
        assert seen.of_estimates() == (1.0 if pairs >= 1000 else 0.5)
    assert pairs > 1000


@each_case(
    ("options", "message"),
    [
        ({"min_concordance": 2}, "min_concordance"),
        ({"min_concordance": 0.6, "predictor": "last_two"},
         "min_concordance needs walltimes for running"),
        ({"min_concordance": 0.6, "backfilling": "conservative"},
         "cannot have min_concordance: it keeps reservations"),
    ],
)  # fmt: skip
def test_invalid_combinations_with_trust_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_policy("policy", {"backfilling": "easy", **options})
