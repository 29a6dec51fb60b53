"""When enough processors will be free."""

import pytest

from schedulers.backfilling.plan import Plan
from schedulers.job import Job

NEVER = float("inf")


def plan_of(*ends: tuple[float, int]) -> Plan:
    plan = Plan()
    for number, (end, size) in enumerate(ends):
        plan.add(Job(f"w0!{number}", 0.0, size, None, planned_end=end, number=number))
    return plan


@pytest.mark.parametrize(
    ("ends", "needed", "expected"),
    [
        ([(10, 4)], 4, (10, 0)),
        ([(10, 4)], 3, (10, 1)),
        ([(20, 4), (10, 2)], 3, (20, 3)),
        ([(10, 4), (10, 3)], 2, (10, 5)),
        ([(10, 4), (10.5, 3)], 2, (10, 2)),
        ([(3, 4), (10, 3)], 2, (5, 2)),
        ([(3, 4), (4, 2), (5, 1), (10, 3)], 2, (5, 5)),
        ([(3, 1), (10, 3)], 2, (10, 2)),
        ([(10, 4), (NEVER, 3)], 5, (NEVER, 2)),
        ([(10, 4)], 5, (NEVER, 0)),
        ([], 1, (NEVER, 0)),
    ],
)
def test_the_reservation_is_the_first_end_that_leaves_enough(
    ends: list[tuple[float, int]], needed: int, expected: tuple[float, int]
) -> None:
    assert plan_of(*ends).reservation(needed, now=5.0) == expected


def test_a_job_that_is_removed_frees_nothing_later() -> None:
    plan = plan_of((10, 4), (10, 3), (20, 9))
    plan.remove(plan.ends[1][2])
    assert plan.reservation(5, now=0.0) == (20, 8)
