"""Passes that a backfilling asks for by itself: neither lost nor made once they are not wanted."""

import math

from schedulers import Job
from schedulers.contract.playing import Spec, play
from schedulers.core.backfilling import Backfilling, take_heads
from schedulers.core.corrections import ToWalltime
from schedulers.core.estimates import FromWalltime
from schedulers.core.job import Plan
from schedulers.core.orders import Fcfs
from schedulers.core.scheduler import ROLES, Scheduler
from tests.suites import each_case


class Periodic(Backfilling):
    """Nobody overtakes; notes its passes, and wants another one some seconds later."""

    def __init__(self, seconds: float = 10.0) -> None:
        super().__init__()
        self.plans = False
        self.asks = True
        self.seconds = seconds
        self.passes: list[float] = []

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        self.passes.append(now)
        return take_heads(queue, self.machine)


class AfterTheLast(Periodic):
    """So long after the last pass, whatever that was for."""

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        return self.passes[-1] + self.seconds if waiting else math.inf


class AtMultiples(Periodic):
    """At dates of its own."""

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        return (now // self.seconds + 1) * self.seconds if waiting else math.inf


@each_case(
    ("kind", "third", "expected"),
    [
        (AtMultiples, 10, [0, 1, 10, 20, 30, 35, 40, 50, 60, 70, 90]),
        (AtMultiples, 15, [0, 1, 10, 15, 20, 30, 35, 40, 50, 60, 70, 90]),
        (AfterTheLast, 11, [0, 1, 11, 21, 31, 35, 45, 55, 65, 70, 90]),
        (AfterTheLast, 8, [0, 1, 8, 18, 28, 35, 45, 55, 65, 70, 90]),
    ],
)
def test_passes_are_at_events_and_at_requested_dates(
    kind: type[Periodic], third: float, expected: list[float]
) -> None:
    # they run from 0 to 35, 70 and 90; a submission may be at the date of a call
    backfilling = kind()
    policy = Scheduler(
        Fcfs(), backfilling, estimates=dict.fromkeys(ROLES, FromWalltime()), correction=ToWalltime()
    )
    jobs = [Spec("a", 0, 4, 35), Spec("b", 1, 4, 35), Spec("c", third, 4, 20)]
    play(policy, jobs, 4)
    assert [date for date in backfilling.passes if date < 90] == expected[:-1]
