"""Long queues are gone through in other ways than short ones, and every start is the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from schedulers import Job, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.core import changing_order
from schedulers.orders import ORDERS
from tests.schedulers.random_workloads import PROCESSORS, workloads

LongFrom = Callable[[int], None]


@pytest.fixture
def long_from(monkeypatch: pytest.MonkeyPatch) -> LongFrom:
    """Say from how many waiting jobs on a queue is long."""

    def set_it(jobs: int) -> None:
        monkeypatch.setattr(changing_order, "LONG", jobs)

    return set_it


def told(specs: list[Spec], options: dict[str, Any]) -> object:
    """Play jobs, and return all that can be told of it."""
    policy = make_policy("policy", options)
    played = play(policy, specs, PROCESSORS)
    assert policy.journal is not None
    return played, list(policy.journal.rows())


SLURM = {
    "priority_weight_age": 100,
    "priority_max_age": 1e4,
    "priority_weight_fairshare": 1000,
    "priority_weight_tres": {"cpu": 10},
    "priority_flags": ["no_normal_tres"],
    "priority_calc_period": 5,
}
MULTIFACTOR = {"name": "multifactor", "slurm": SLURM}


def test_with_slurms_priority_every_start_is_that_of_short_queues(long_from: LongFrom) -> None:
    users = ("ann", "bob", "eve")
    for specs in workloads(40):
        jobs = [spec._replace(submit=0.0, user=users[at % 3]) for at, spec in enumerate(specs)]
        long_from(1000)
        expected = told(jobs, {"order": MULTIFACTOR})
        long_from(1)
        assert told(jobs, {"order": MULTIFACTOR}) == expected, jobs


def test_priorities_of_many_jobs_are_those_of_each() -> None:
    order = ORDERS.make(MULTIFACTOR)
    jobs = [
        Job(str(place), 7.0 * place, 1 + place % 50, None, fields={"user": str(place % 13)})
        for place in range(2000)
    ]
    for place, job in enumerate(jobs[:40]):
        order.started(job, 300.0 * place)
    rows = np.array([order.row(job) for job in jobs[40:]]).T
    keys = order.keys_of_rows(rows, 14_003.0)
    assert keys.tolist() == [order.key(job, 14_003.0) for job in jobs[40:]]
    assert len(set(keys)) > 500
