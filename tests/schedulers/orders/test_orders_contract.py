"""The contract of orders, checked for all that entry points list."""

import math
import random
from collections.abc import Callable, Mapping
from copy import copy
from itertools import pairwise
from typing import Any

import pytest

from predictors import OptionError
from schedulers import Job, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.orders import ORDERS, Order
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import Checks, each_case

HOUR = 3600.0
NOW = 3 * HOUR
KEPT = (
    "submit_time", "processors", "walltime", "queueing", "backfilling", "running", "number",
    "started", "planned_end", "fields", "partitions",
)  # fmt: skip
WEIGHTS = {
    "priority_weight_age": 1000,
    "priority_max_age": HOUR,
    "priority_weight_tres": {"cpu": 10},
    "priority_flags": ["no_normal_tres"],
}
OPTIONS: dict[str, dict[str, Any]] = {
    "multifactor": {"slurm": WEIGHTS},
    "pbs": {
        "openpbs": {
            "job_sort_formula": "min(eligible_time, 4 * ncpus)",
            "eligible_time_enable": True,
        }
    },
    "weighted": {"weights": {"sjf": 1, "saf": 0.5, "wfp": 600}},
}

check = Checks()


def make_jobs(number: int = 200, seed: int = 1) -> list[Job]:
    rng = random.Random(seed)  # noqa: S311 - seeded jobs
    jobs = []
    for place in range(number):
        estimate = rng.choice([1.0, 600.0, HOUR, 30 * HOUR, math.inf])
        submit = NOW * place / number
        jobs.append(
            Job(
                f"w0!{place}", submit, rng.choice((1, 2, 64)), None, queueing=estimate, number=place
            )
        )
    return jobs


@check
def every_job_has_a_key_that_compares(make: Callable[[], Order]) -> None:
    order = make()
    for job in make_jobs():
        assert not math.isnan(order.key(job, NOW)), job


@check
def the_key_changes_nothing_and_is_the_same_when_asked_again(make: Callable[[], Order]) -> None:
    order, again = make(), make()
    for job in make_jobs():
        before = copy(job)
        assert order.key(job, NOW) == order.key(job, NOW) == again.key(job, NOW)
        assert all(getattr(job, f) == getattr(before, f) for f in KEPT)


@check
def an_order_that_says_that_it_does_not_change_does_not(make: Callable[[], Order]) -> None:
    order = make()
    jobs = make_jobs()
    dates = (NOW, NOW + 1.0, NOW + 1000 * HOUR)
    orders = {
        tuple(job.id for job in sorted(jobs, key=lambda job: order.key(job, date)))
        for date in dates
    }
    assert (len(orders) > 1) == order.changes


@check
def equal_jobs_start_as_they_were_submitted(make: Callable[[], Order]) -> None:
    policy = make_policy("policy", {"order": ORDERS.describe(make()), "backfilling": "none"})
    specs = [Spec(f"w0!{place}", 0, PROCESSORS, 10, 60) for place in range(9)]
    starts = play(policy, specs, PROCESSORS).starts
    assert [starts[spec.id] for spec in specs] == [10 * place for place in range(9)]


@check
def every_job_starts_in_the_end(make: Callable[[], Order]) -> None:
    for backfilling in ("none", "filler", "easy", "conservative"):
        options = {"order": ORDERS.describe(make()), "backfilling": backfilling}
        for specs in workloads(20):
            played = play(make_policy("policy", options), specs, PROCESSORS)
            assert played.ends.keys() == {spec.id for spec in specs}


@pytest.mark.parametrize("name", ORDERS.names())
def test_an_order_keeps_the_contract(name: str) -> None:
    check.run(name, lambda: ORDERS.make({"name": name, **OPTIONS.get(name, {})}))


@each_case(
    ("order", "expected"),
    [
        ("fcfs", [0, 1, 2, 3]),
        ("sjf", [2, 0, 1, 3]),
        ("saf", [0, 2, 1, 3]),
        ("lxf", [2, 0, 1, 3]),
        ("wfp", [2, 1, 0, 3]),
        ({"name": "weighted", "weights": {"sjf": 1.0}}, [2, 0, 1, 3]),
        ({"name": "weighted", "weights": {"fcfs": -1, "wfp": 0}}, [3, 2, 1, 0]),
        # the last has no estimate, so that the sum is infinity less infinity
        ({"name": "weighted", "weights": {"sjf": -65, "saf": 1}}, [0, 2, 1, 3]),
    ],
)
def test_jobs_are_sorted_as_expected(order: str | Mapping[str, Any], expected: list[int]) -> None:
    jobs = [
        Job("w0!0", 0.0, 1, None, queueing=100.0, number=0),
        Job("w0!1", 0.0, 64, None, queueing=200.0, number=1),
        Job("w0!2", 50.0, 30, None, queueing=10.0, number=2),
        Job("w0!3", 60.0, 64, None, queueing=math.inf, number=3),
    ]
    made = ORDERS.make(order)
    assert [job.number for job in sorted(jobs, key=lambda job: made.key(job, 150.0))] == expected


def test_with_wfp_a_new_job_has_score_zero() -> None:
    jobs = make_jobs()
    keys = [ORDERS.make("wfp").key(job, job.submit_time) for job in jobs]
    assert all(before == after == 0.0 for before, after in pairwise(keys))


@each_case(
    ("weights", "message"),
    [
        ({}, "weights is {}; it must be an object"),
        ("sjf", "weights is 'sjf'; it must be an object"),
        ([1], r"weights is \[1\]; it must be an object"),
        ({"sjf": "1"}, "the weight of 'sjf' must be a finite number, not '1'"),
        ({"sjf": True}, "the weight of 'sjf' must be a finite number, not True"),
        ({"sjf": math.nan}, "the weight of 'sjf' must be a finite number, not nan"),
        ({"sjf": math.inf}, "the weight of 'sjf' must be a finite number, not inf"),
        ({"sfj": 1}, "unknown order 'sfj': did you mean 'sjf'"),
    ],
)
def test_invalid_weights_are_refused(weights: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        ORDERS.make({"name": "weighted", "weights": weights})
    assert "\n" not in str(error.value)


def test_a_weighted_sum_needs_its_weights() -> None:
    with pytest.raises(OptionError, match="order 'weighted' needs the option 'weights'"):
        ORDERS.make("weighted")
